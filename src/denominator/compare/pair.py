"""Two sides and their comparability -> the comparison: counts, pairs, numbers, and the highest sentence allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from denominator.compare import sentences
from denominator.compare.ladder import Climb, climb, seen_from_second
from denominator.compare.lifts import lifts
from denominator.compare.measured import Measured, measure
from denominator.compare.pair_estimates import estimates, short_decimal
from denominator.compare.paired import Paired, pair_up
from denominator.compare.plans import Plan, plan_of
from denominator.compare.resources import resources
from denominator.compare.standing import arm_line, standing_of
from denominator.compare.strata import strata
from denominator.compare.transitions import origins, transitions
from denominator.records.comparisons import (
    ArmLine,
    Comparability,
    Comparison,
    PairTest,
    Side,
    Spread,
    WorstCase,
)
from denominator.records.estimates import Estimate
from denominator.records.findings import Finding, Verdict
from denominator.records.values import NotMeasured
from denominator.records.words import Rung, Severity
from denominator.stats import decimal6, leave_one_out, pinned_both, top_share, within_margin

COMPARABLE = "comparable"
Missing = Mapping[str, str]


def compare_sides(
    a: Side,
    b: Side,
    found: Comparability,
    *,
    looks: int = 0,
    holm: Fraction | None = None,
    no_p: str = "",
    unfit: Missing | None = None,
) -> Comparison:
    """One pair, pure. `holm` is its p for a declared family, `no_p` why it may have none; `unfit` says of spend and time
    why they are not comparable.

    Not comparable or blocked: counts only, and no number in any field that sets one arm against the other.
    """
    shared = _shared(a, b, found)
    arms = (arm_line(a, shared), arm_line(b, shared))
    if found.status != COMPARABLE:
        told = sentences.not_comparable(found)
        return _without(arms, found, told, _not_comparable_lifts(found), 3)
    if not (a.rows and b.rows):
        told = sentences.conditions_only(found, (a.name, b.name))
        return _without(arms, found, told, ("name rows for both sides",), 0)
    stands = (standing_of(a), standing_of(b))
    if any(one.blocked_by for one in stands):
        steps = tuple(f"{one.name}: lift {', '.join(one.blocked_by)}" for one in arms if one.blocked_by)
        made = _without(arms, found, sentences.refused(arms), steps, 1, findings=_blocking(a, b))
        return replace(made, notes=(*made.notes, *_no_pairs(a, b)))
    paired = pair_up(a.sheet, b.sheet)
    if isinstance(paired, NotMeasured):
        step = ("run every task as often in both arms",)
        return _without(arms, found, sentences.unpaired(paired), step, 1)
    plan = plan_of(a, b, found, looks)
    plan = replace(plan, no_p=plan.no_p or no_p)
    measured = measure(paired, plan)
    got = climb(measured, plan, found, stands, holm)
    steps = tuple(step for one in stands for step in one.steps)
    return _whole(a, b, found, arms, plan, measured, got, unfit or {}, steps)


def _shared(a: Side, b: Side, found: Comparability) -> set[str] | None:
    """The tasks that both sides know, where the sets differ: context for counts, and nothing else."""
    unnamed = a.sheet.unnamed or b.sheet.unnamed
    if not (a.rows and b.rows and (found.only_a or found.only_b or unnamed)):
        return None
    known = [{draw.draw.task_id for draw in side.sheet.of_slice("solvable")} for side in (a, b)]
    return known[0] & known[1]


def _no_pairs(a: Side, b: Side) -> tuple[str, ...]:
    """Why the draws could not be paired either: which tasks those are is no outcome."""
    paired = pair_up(a.sheet, b.sheet)
    return (f"the draws cannot be paired: {paired.not_measured}",) if isinstance(paired, NotMeasured) else ()


def _not_comparable_lifts(found: Comparability) -> tuple[str, ...]:
    """Field by field what would have to be the same, known, or declared as the treatment."""
    stops = [field for field in found.fields if field.blocks]
    unknown = [field.name for field in stops if field.verdict == "unknown"]
    steps = [
        f"run both arms with one {field.name}, or seal it as the treatment"
        for field in stops
        if field.verdict != "unknown"
    ]
    if unknown:
        steps.append(f"state on both sides: {', '.join(unknown)}; or say why they are equal with --equal")
    if found.only_a or found.only_b:
        steps.append("explain each task that one side lacks, and run it there")
    return tuple(dict.fromkeys(steps))


def _without(
    arms: tuple[ArmLine, ArmLine],
    found: Comparability,
    sentence: str,
    steps: tuple[str, ...],
    code: int,
    findings: tuple[Finding, ...] = (),
) -> Comparison:
    """A comparison that holds no number of the pair."""
    verdict = Verdict(
        status=found.status,
        rung=str(Rung.REFUSED),
        sentence=sentence,
        may_not=sentences.may_not(Rung.REFUSED),
        lifts=steps,
        findings=findings,
        exit=code,
    )
    return Comparison(schema_version=1, a=arms[0], b=arms[1], comparability=found, verdict=verdict, notes=found.notes)


def _blocking(a: Side, b: Side) -> tuple[Finding, ...]:
    stops = (Severity.BLOCK, Severity.UNKNOWN)
    return tuple(one for side in (a, b) for one in side.verdict.findings if one.severity in stops)


def _whole(
    a: Side,
    b: Side,
    found: Comparability,
    arms: tuple[ArmLine, ArmLine],
    plan: Plan,
    measured: Measured,
    got: Climb,
    unfit: Missing,
    steps: tuple[str, ...],
) -> Comparison:
    paired, counts = measured.paired, got.rung is Rung.COUNTS
    verdict = Verdict(
        status=found.status,
        rung=str(got.rung),
        sentence=sentences.sentence(measured, plan, got, found, arms),
        may_not=sentences.may_not(got.rung, measured, all(one.own_process for one in arms)),
        lifts=lifts(measured, plan, found, got, steps),
    )
    hidden = NotMeasured("counts only: no number sets one arm against the other")
    return Comparison(
        schema_version=1,
        a=arms[0],
        b=arms[1],
        comparability=found,
        verdict=verdict,
        tasks=len(paired.rows),
        repeats=paired.repeats,
        unit="family" if paired.clusters else "task",
        units=len(set(paired.clusters)) if paired.clusters else len(paired.rows),
        more_a=tuple(row.task_id for row in paired.rows if row.passes_a > row.passes_b),
        more_b=tuple(row.task_id for row in paired.rows if row.passes_b > row.passes_a),
        table=paired.rows,
        transitions=transitions(a.sheet, b.sheet),
        strata=strata(paired),
        origins=origins(a.sheet, b.sheet),
        estimates=() if counts else (*estimates(measured, plan, (a.name, b.name)), *_resources(a, b, unfit)),
        test=hidden if counts else _test(measured, plan, got),
        worst=hidden if counts else _worst(measured, got),
        spread=hidden if counts else _spread(paired),
        notes=(*found.notes, *_notes(plan, paired, measured)),
    )


def _resources(a: Side, b: Side, unfit: Missing) -> tuple[Estimate, ...]:
    """Spend and times; a difference in conditions that moves only these hides only these."""
    made = []
    for one in resources(a, b):
        why = unfit.get("spend" if one.metric == "spend_ratio" else "time", "")
        made.append(_hidden(one, why) if why else one)
    return tuple(made)


def _hidden(one: Estimate, why: str) -> Estimate:
    gone = NotMeasured(why)
    return replace(one, numerator=gone, denominator=gone, value=gone, lo=gone, hi=gone, method="")


def _test(measured: Measured, plan: Plan, got: Climb) -> PairTest:
    """The tests, each withheld where no p value may be printed."""
    gone = got.adjusted if isinstance(got.adjusted, NotMeasured) else None

    def told(value: Fraction | NotMeasured) -> str | NotMeasured:
        if gone is not None:
            return gone
        return value if isinstance(value, NotMeasured) else decimal6(value)

    result = measured.found
    return PairTest(
        name=sentences.test_name(measured, plan),
        alpha=decimal6(plan.alpha),
        p=told(result if isinstance(result, NotMeasured) else result.p),
        p_exact=told(measured.flip.p),
        p_mid=told(measured.flip.midp),
        adjusted=told(got.adjusted),
        family=plan.family,
        sign_p=told(measured.sign_p),
        stratified_p=told(measured.on_pack if isinstance(measured.on_pack, NotMeasured) else measured.on_pack.p),
        e_value=decimal6(measured.e) if isinstance(measured.e, Fraction) else measured.e,
    )


def _worst(measured: Measured, got: Climb) -> WorstCase | NotMeasured:
    outer = measured.worst
    if isinstance(outer, NotMeasured):
        return outer
    return WorstCase(
        unseen_a=sum(row.unseen_a for row in measured.paired.rows),
        unseen_b=sum(row.unseen_b for row in measured.paired.rows),
        difference_lo=decimal6(outer.least.difference),
        difference_hi=decimal6(outer.most.difference),
        lo=decimal6(outer.interval.lo),
        hi=decimal6(outer.interval.hi),
        holds=got.worst_holds,
    )


def _spread(paired: Paired) -> Spread:
    ends, share = leave_one_out(paired.diffs, paired.repeats), top_share(paired.diffs)
    pinned = pinned_both(paired.a, paired.b, paired.repeats)
    return Spread(
        leave_one_out=ends if isinstance(ends, NotMeasured) else (decimal6(ends[0]), decimal6(ends[1])),
        top3_share=share if isinstance(share, NotMeasured) else decimal6(share),
        pinned=pinned,
        pinned_share=decimal6(Fraction(pinned, len(paired.rows))),
    )


def _notes(plan: Plan, paired: Paired, measured: Measured) -> tuple[str, ...]:
    lines = [f"plan: {plan.role} comparison, question {plan.question}" if plan.declared else f"plan: {plan.why}"]
    lines.extend(_margin_note(plan, measured))
    if 1 < paired.repeats < 5:
        lines.append(f"{paired.repeats} repeats: below 5 the instability itself is poorly known")
    if paired.repeats > 1:
        lines.append("transitions set repeat k beside repeat k; repeats have no other order")
    if not isinstance(measured.found, NotMeasured) and not measured.differing:
        lines.append("no task differs: the interval has a width, and that is no equality")
    return tuple(lines)


def _margin_note(plan: Plan, measured: Measured) -> Iterable[str]:
    """A margin that nobody sealed: where the interval lies, and that this says nothing yet."""
    if plan.declared or not plan.margin or isinstance(measured.margin, NotMeasured):
        return
    said = within_margin(seen_from_second(measured.margin, plan), plan.margin)
    where = "lies inside" if said.equivalent else "reaches beyond"
    if plan.question == "non_inferior":
        where = "stays above the lower end of" if said.not_worse else "reaches below the lower end of"
    margin = short_decimal(plan.margin)
    yield f"the interval of the second arm less the first {where} the stated margin {margin}; without a seal nothing follows"
