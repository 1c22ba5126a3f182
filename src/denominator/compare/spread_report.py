"""The report of a spread: one arm or two, the line of the table that holds, and its sentence from fixed templates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from denominator.compare.paired import pair_up
from denominator.compare.plans import Plan, plan_of
from denominator.compare.spread import spread_arm
from denominator.compare.spread_pair import spread_pair
from denominator.compare.standing import standing_of
from denominator.records.comparisons import Comparability, Side
from denominator.records.estimates import Estimate
from denominator.records.spreads import ArmSpread, Number, PairSpread, Spread
from denominator.records.values import NotMeasured, counted, told_p
from denominator.records.words import SpreadReport
from denominator.stats import percent1

ONE_ARM = NotMeasured("one arm has nothing to be compared with")
LIMITS = (
    "screening only: it says where to look next and settles nothing",
    "silent on other tasks: re-run noise is of these tasks, and so is every task named here",
    "refused on a flaky baseline: a test that flips by itself looks like an agent that does",
)
Shown = tuple[Side, Estimate]


def spread_one(side: Side, shown: Estimate) -> Spread:
    """One arm by itself. `shown` is its headline as it may be printed."""
    arm = spread_arm(side, shown)
    return Spread(
        arms=(arm,),
        report=SpreadReport.NOT_SCREENABLE if arm.withheld else "",
        sentence=_refused((arm,)) if arm.withheld else one_sentence(arm),
        pair=ONE_ARM,
        refusals=_reasons((arm,)),
        notes=_next(side) if arm.withheld else (),
        limits=LIMITS,
    )


def spread_two(a: Shown, b: Shown, comparability: Comparability) -> Spread:
    """Two arms that may be compared; of two that may not nothing is set side by side."""
    arms = (spread_arm(*a), spread_arm(*b))
    base = Spread(
        arms=arms, report="", sentence="", pair=ONE_ARM, limits=LIMITS, comparability=comparability,
        notes=comparability.notes,
    )  # fmt: skip
    if any(arm.withheld for arm in arms):
        why = NotMeasured("; ".join(_reasons(arms)))
        word, said = SpreadReport.NOT_SCREENABLE, _refused(arms)
        notes = (*comparability.notes, *_next(a[0]), *_next(b[0]))
        return replace(base, report=word, sentence=said, pair=why, refusals=_reasons(arms), notes=notes)
    paired = pair_up(a[0].sheet, b[0].sheet)
    if isinstance(paired, NotMeasured):
        reason = paired.not_measured
        return replace(base, pair=paired, refusals=(reason,), sentence=f"No difference: {reason}.")
    plan = plan_of(a[0], b[0], comparability)
    hidden = next((why for why in (_hidden(*one) for one in (a, b)) if why is not None), None)
    pair, word = spread_pair(paired, plan, (a[0].name, b[0].name), hidden)
    notes = (*comparability.notes, *_standing(plan, comparability))
    return replace(base, report=word, pair=pair, notes=notes, sentence=two_sentence(word, pair, arms))


def _hidden(side: Side, shown: Estimate) -> NotMeasured | None:
    """Why the quotient of an arm may not be printed, if so; its counts may."""
    if shown.withheld_by and isinstance(shown.value, NotMeasured):
        return shown.value
    lowered = standing_of(side).counts_by
    return NotMeasured(f"arm {side.name} is counts only: {', '.join(lowered)}") if lowered else None


def _standing(plan: Plan, found: Comparability) -> tuple[str, ...]:
    notes = [] if plan.declared else [f"not declared before the run, so nothing is established: {plan.why}"]
    if not found.declared_before:
        notes.append("the treatment or the sameness of the conditions was said afterwards: nothing is established")
    return tuple(notes)


def _next(side: Side) -> tuple[str, ...]:
    """What would lift the blocks of an arm."""
    stops = [one for one in side.verdict.findings if one.severity in ("block", "unknown") and one.fix]
    return tuple(dict.fromkeys(f"{side.name}: next for {one.code} {one.allow_name}: {one.fix}" for one in stops))


def _reasons(arms: tuple[ArmSpread, ...]) -> tuple[str, ...]:
    return tuple(f"{arm.name}: {reason}" for arm in arms for reason in arm.withheld)


def _refused(arms: tuple[ArmSpread, ...]) -> str:
    return f"Not screenable: {'; '.join(_reasons(arms))}."


def one_sentence(arm: ArmSpread) -> str:
    """What one arm's repeats say, with its sizes."""
    size = f"{arm.name}: {_size(arm)}"
    mean = (
        f"{arm.passes} of {arm.draws} declared draws passed"
        if isinstance(arm.mean.value, NotMeasured)
        else f"suite mean {three(arm.mean.value)} ({_interval(arm.mean.lo, arm.mean.hi)}, over tasks like these)"
    )
    if isinstance(arm.rerun.spread95, NotMeasured):
        noise = f"Re-run noise is not known: {arm.rerun.spread95.not_measured}."
    else:
        noise = f"On these tasks a fresh single pass lands within +-{three(arm.rerun.spread95)} of another."
    unseen = f" Without a verdict: {counted(arm.unseen, 'draw')}." if isinstance(arm.unseen, int) and arm.unseen else ""
    return f"{size}; {mean}. {noise}{unseen}"


def _size(arm: ArmSpread) -> str:
    tasks = "unknown tasks" if isinstance(arm.tasks, NotMeasured) else counted(arm.tasks, "task")
    return f"{tasks}, {'uneven repeats' if isinstance(arm.repeats, NotMeasured) else times(arm.repeats)}"


def times(repeats: int) -> str:
    """ "1 repeat", "5 repeats"."""
    return counted(repeats, "repeat")


def two_sentence(word: SpreadReport, pair: PairSpread, arms: tuple[ArmSpread, ...]) -> str:
    """The line of the table in words, from a fixed template."""
    a, b = (arm.name for arm in arms)
    more, fewer = len(pair.more_a), len(pair.more_b)
    if pair.ahead == b:
        more, fewer = fewer, more
    level = percent1(1 - Fraction(pair.alpha)).replace(".0 %", " %")
    parts = f"{_interval(pair.lo, pair.hi, level)}, {_p(pair)}, {counted(pair.tasks, 'task')}, {times(pair.repeats)}"
    if isinstance(pair.difference, NotMeasured):
        size = f"{counted(pair.tasks, 'task')}, {times(pair.repeats)}"
        difference = f"No difference of rates is printed: {pair.difference.not_measured} ({size})"
    else:
        difference = f"{a} - {b} = {signed(pair.difference)} ({parts})"
    many = "tasks that differ"
    heads = {
        SpreadReport.AHEAD: f"{pair.ahead} passes more often on {more} of the {counted(more + fewer, 'task that differs', many)}",
        SpreadReport.CONCENTRATED: f"{pair.ahead} passes more often, and few tasks make the difference: three of "
        f"{more + fewer} hold {_percent(pair.top3_share)} of all movement",
        SpreadReport.SATURATED: f"The pack is saturated for these two: {pair.pinned} of {counted(pair.tasks, 'task')} "
        f"{'is' if pair.pinned == 1 else 'are'} at the same end in both arms and cannot tell them apart",
        SpreadReport.NO_DIFFERENCE: f"No detectable difference: the arms differ on {more + fewer} of {counted(pair.tasks, 'task')}",
    }
    return f"{heads[word]}. {difference}.{_unseen(pair)}{_resolves(pair)}"


def _unseen(pair: PairSpread) -> str:
    """What the draws without a verdict could make of it."""
    if isinstance(pair.worst.lo, NotMeasured) or isinstance(pair.worst.hi, NotMeasured):
        return ""
    return (
        f" Whatever the draws without a verdict were, it lies within {three(pair.worst.lo)} to {three(pair.worst.hi)}."
    )


def _resolves(pair: PairSpread) -> str:
    if isinstance(pair.resolves.difference, NotMeasured):
        return ""
    found = three(pair.resolves.difference)
    return f" For planning: a second pack of this size finds a difference of {found} in 8 of 10 repetitions."


def _p(pair: PairSpread) -> str:
    name = "mid-p" if pair.test == "midp" else "exact p"
    return f"no p: {pair.p.not_measured}" if isinstance(pair.p, NotMeasured) else f"{name} {told_p(pair.p)}"


def _interval(lo: Number, hi: Number, level: str = "95 %") -> str:
    if isinstance(lo, NotMeasured) or isinstance(hi, NotMeasured):
        return "no interval"
    return f"{level} interval {three(lo)} to {three(hi)}"


def _percent(share: Number) -> str:
    return "all" if isinstance(share, NotMeasured) else three(share)


def three(decimal: str) -> str:
    """Three digits of a decimal string with six, half-even by the digits that are there."""
    scaled = int(decimal.replace(".", ""))
    whole, rest = divmod(abs(scaled), 1000)
    whole += rest > 500 or (rest == 500 and whole % 2 == 1)
    sign = "-" if scaled < 0 and whole else ""
    return f"{sign}{whole // 1000}.{whole % 1000:03d}"


def signed(decimal: str) -> str:
    """The same with its sign."""
    text = three(decimal)
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"
