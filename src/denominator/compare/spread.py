"""Re-run spread of one arm (METHODS M6): what a fresh pass over tasks like these, or over these tasks again, would do.

Two numbers that are often taken for one: the interval of the suite mean speaks of other tasks like these, the re-run
noise of these tasks again. Repeats shrink only the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from denominator.compare.spread_notes import harness_notes
from denominator.compare.tallies import Tally, repeats_of, tallies
from denominator.records.comparisons import Side
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.spreads import ArmSpread, Rerun, Resolves, Span, TaskSpread
from denominator.records.values import NotMeasured, counted
from denominator.stats import decimal6, flip_rate, manski, mdd_floored, outer_interval, rerun

MANSKI = "as if every draw without a verdict had failed, and as if it had passed"
SEEN_ALL = NotMeasured("every draw came to a verdict")
FLIPS = "pairs of repeats that differ, mean of 2c(K-c)/(K(K-1)); Wilson over tasks"
NO_FLIPS = "no repeat differed; the upper end is a one-sided 95 % bound over tasks"
STEADY = 5
OMEGAS = (Fraction(0), Fraction(2, 100))
"""Variances between tasks of the true difference of two arms, for planning: none, and a middling one (a convention)."""


def spread_arm(side: Side, shown: Estimate) -> ArmSpread:
    """One arm. `shown` is its headline as it may be printed: what the gate withholds there is withheld here too."""
    sheet = side.sheet
    found = tallies(sheet)
    flaky = flaky_tasks(sheet)
    reasons = refusals(side, flaky)
    if reasons:
        return _withheld(side, found, flaky, reasons)
    repeats = repeats_of(found, sheet.unnamed)
    passes, unseen = sum(one.passes for one in found), sum(one.unseen for one in found) + sheet.unnamed
    draws = sum(one.draws for one in found) + sheet.unnamed
    mean, bounds = _mean(found, repeats, shown)
    flip, flip_bounds = _flip(found, repeats)
    return ArmSpread(
        name=side.name,
        run_id=sheet.ledger.run_id,
        seal_digest=sheet.terms.digest,
        rows_digest=shown.rows_digest,
        tasks=NotMeasured(str(repeats.not_measured))
        if isinstance(repeats, NotMeasured) and sheet.unnamed
        else len(found),
        repeats=repeats,
        draws=draws,
        passes=passes,
        unseen=unseen,
        mean=mean,
        mean_bounds=bounds,
        flip=flip,
        flip_bounds=flip_bounds,
        rerun=_rerun(found, repeats, shown),
        resolves=_resolves(found, repeats),
        caveat=caveat(repeats),
        notes=harness_notes(sheet),
        baseline=baseline_words(sheet),
        per_task=tuple(_task(one) for one in found),
    )


def flaky_tasks(sheet: Sheet) -> tuple[str, ...]:
    """Tasks of the solvable slice whose tests showed both results with the agent off."""
    draws = sheet.of_slice("solvable")
    named = {draw.draw.task_id for draw in draws}
    seen = {draw.draw.task_id for draw in draws if draw.origin == "FLAKY_TEST"}
    return tuple(sorted(seen | (named & set(sheet.terms.flaky_tasks))))


def refusals(side: Side, flaky: Sequence[str]) -> tuple[str, ...]:
    """Why nothing is screened: a flaky baseline, or a number that the gate withholds."""
    found = []
    if flaky:
        names = ", ".join(flaky[:20]) + (f" and {len(flaky) - 20} more" if len(flaky) > 20 else "")
        found.append(f"flaky baseline: with the agent off both results were seen of {names}")
    if side.verdict.status == "blocked":
        stops = [
            f"{one.code} {one.allow_name}" for one in side.verdict.findings if one.severity in ("block", "unknown")
        ]
        found.append(f"withheld by {', '.join(dict.fromkeys(stops)) or 'the gate'}")
    return tuple(found)


def caveat(repeats: int | NotMeasured) -> str:
    """What so many repeats can show of instability."""
    if isinstance(repeats, NotMeasured):
        return f"{repeats.not_measured}: the rate has no mean, and nothing was dropped to make one"
    if repeats == 1:
        return "1 repeat: how much a re-run moves is unknown"
    if repeats < STEADY:
        return f"{repeats} repeats, fewer than {STEADY}: the instability itself is poorly known"
    return ""


def baseline_words(sheet: Sheet) -> str:
    """Whether anything is known of the tests with the agent off."""
    draws = sheet.of_slice("solvable")
    known = len([draw for draw in draws if _baseline_known(draw)])
    if known == len(draws) and draws:
        return "no test of these tasks was seen to flip with the agent off"
    of = counted(len(draws), "draw")
    return f"the tests with the agent off are known for {known} of {of}: a flaky test would look like spread"


def _baseline_known(draw: JudgedDraw) -> bool:
    return draw.row is not None and (bool(draw.row.baseline_ref) or isinstance(draw.row.green_without_agent, bool))


def _mean(found: Sequence[Tally], repeats: int | NotMeasured, shown: Estimate) -> tuple[Span, Span]:
    """The suite mean over tasks like these as the card has it, and what the unseen draws could make of it."""
    mean = Span(value=shown.value, lo=shown.lo, hi=shown.hi, method=shown.method)
    if isinstance(repeats, NotMeasured):
        why = NotMeasured(f"{repeats.not_measured}: the rate has no mean")
        return _no_span(why), _no_span(why)
    unseen, draws = sum(one.unseen for one in found), len(found) * repeats
    if not unseen:
        return mean, _no_span(SEEN_ALL)
    if isinstance(shown.value, NotMeasured):
        return mean, _no_span(shown.value)
    ends = manski(sum(one.passes for one in found), unseen, draws)
    return mean, Span(
        value=NotMeasured(f"{_draws(unseen)} without a verdict"),
        lo=decimal6(ends.lo),
        hi=decimal6(ends.hi),
        method=MANSKI,
    )


def _flip(found: Sequence[Tally], repeats: int | NotMeasured) -> tuple[Span, Span]:
    """How often two passes over one task differ; with unseen draws only between which ends it lies."""
    if isinstance(repeats, NotMeasured):
        return _no_span(repeats), _no_span(repeats)
    if repeats < 2:
        why = NotMeasured("one repeat cannot show how much repeats differ")
        return _no_span(why), _no_span(why)
    unseen = sum(one.unseen for one in found)
    if unseen:
        least, most = _flip_ends(found, repeats)
        why = NotMeasured(f"{_draws(unseen)} without a verdict")
        ends = Span(value=why, lo=decimal6(least), hi=decimal6(most), method=MANSKI)
        return _no_span(why), ends
    noise = rerun([one.passes for one in found], repeats)
    if isinstance(noise, NotMeasured):
        return _no_span(noise), _no_span(noise)
    span = noise.flip_interval
    value, lo, hi = decimal6(noise.flip_rate), decimal6(span.lo), decimal6(span.hi)
    return Span(value=value, lo=lo, hi=hi, method=FLIPS if noise.flip_rate else NO_FLIPS), _no_span(SEEN_ALL)


def _flip_ends(found: Sequence[Tally], repeats: int) -> tuple[Fraction, Fraction]:
    """The least and the largest flip rate that the unseen draws allow: passes of a task move between two counts."""
    least = most = 0
    for one in found:
        differing = [count * (repeats - count) for count in range(one.passes, one.passes + one.unseen + 1)]
        least, most = least + min(differing), most + max(differing)
    scale = len(found) * repeats * (repeats - 1)
    return Fraction(2 * least, scale), Fraction(2 * most, scale)


def _rerun(found: Sequence[Tally], repeats: int | NotMeasured, shown: Estimate) -> Rerun:
    """These tasks again. An interval around a mean that is not printed is not printed."""
    unseen = sum(one.unseen for one in found)
    if isinstance(repeats, NotMeasured):
        return _no_rerun(repeats)
    if unseen:
        return _no_rerun(NotMeasured(f"{_draws(unseen)} without a verdict"))
    noise = rerun([one.passes for one in found], repeats)
    if isinstance(noise, NotMeasured):
        return _no_rerun(noise)
    return Rerun(
        se=decimal6(noise.se),
        sd=decimal6(noise.sd_single_pass),
        spread95=decimal6(noise.spread95),
        lo=decimal6(noise.interval.lo) if isinstance(shown.value, str) else shown.value,
        hi=decimal6(noise.interval.hi) if isinstance(shown.value, str) else shown.value,
        note=noise.interval.reason,
    )


def _resolves(found: Sequence[Tally], repeats: int | NotMeasured) -> tuple[Resolves, ...]:
    """What two arms like this one would have to differ by, to be told apart by a pack of this size."""
    passes = [one.passes for one in found]
    if isinstance(repeats, NotMeasured) or any(one.unseen for one in found):
        return ()
    flip = flip_rate(passes, repeats)
    if isinstance(flip, NotMeasured) or len(found) < 2:
        return ()
    n, of = len(found), f"{len(found)} tasks, {repeats} repeats, both arms flip as this one does"
    made = []
    for omega in OMEGAS if flip else OMEGAS[1:]:
        least = mdd_floored(n, sqrt(omega + flip / repeats))
        assumed = f"{of}, variance of the difference between tasks {decimal6(omega)[:4]}"
        made.append(Resolves(difference=least if isinstance(least, NotMeasured) else decimal6(least), assumed=assumed))
    return tuple(made)


def _task(one: Tally) -> TaskSpread:
    span = outer_interval(one.passes, one.unseen, one.draws)
    return TaskSpread(
        task_id=one.task_id,
        passes=one.passes,
        draws=one.draws,
        unseen=one.unseen,
        marks=one.marks,
        lo=decimal6(span.lo),
        hi=decimal6(span.hi),
    )


def _withheld(side: Side, found: Sequence[Tally], flaky: tuple[str, ...], reasons: tuple[str, ...]) -> ArmSpread:
    """What may be said of an arm without its numbers: names, sizes, what the harness did."""
    sheet, why = side.sheet, NotMeasured("; ".join(reasons))
    declared = sheet.solvable_n()
    none = _no_span(why)
    return ArmSpread(
        name=side.name,
        run_id=sheet.ledger.run_id,
        seal_digest=sheet.terms.digest,
        rows_digest="",
        tasks=why if isinstance(declared, NotMeasured) or sheet.unnamed else len(found),
        repeats=repeats_of(found, sheet.unnamed),
        draws=declared,
        passes=why,
        unseen=why,
        mean=none,
        mean_bounds=none,
        flip=none,
        flip_bounds=none,
        rerun=_no_rerun(why),
        resolves=(),
        caveat=caveat(repeats_of(found, sheet.unnamed)),
        notes=harness_notes(sheet),
        flaky=flaky,
        baseline="" if flaky else baseline_words(sheet),
        withheld=reasons,
    )


def _no_span(why: NotMeasured) -> Span:
    return Span(value=why, lo=why, hi=why)


def _no_rerun(why: NotMeasured) -> Rerun:
    return Rerun(se=why, sd=why, spread95=why, lo=why, hi=why)


def _draws(count: int) -> str:
    return counted(count, "draw is", "draws are")
