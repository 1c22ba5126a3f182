"""Re-run spread of two arms (METHODS M6): is there a difference, on how many tasks, and does it hang on a few of them?

The report is a closed table; the first line that holds is the answer:

1. not_screenable: a flaky baseline, or an arm whose number is withheld.
2. The declared exact test (times the declared family) is at most alpha and the interval excludes 0, also if every draw
   without a verdict had gone the other way: concentrated_in_few_tasks when leaving one task out takes the direction away
   or three tasks hold more than half of all movement, else ahead_on_w_of_l.
3. pack_saturated: at least 0.80 (a convention) of the tasks are at the same end in both arms, all repeats passed or all
   failed: they cannot tell the arms apart.
4. The exact test of these very tasks is at most alpha and three tasks hold more than half of all movement:
   concentrated_in_few_tasks. On this pack the arms differ; nothing says so of other tasks.
5. no_detectable_difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from denominator.compare.ladder import LOOKED
from denominator.compare.measured import Measured, measure
from denominator.compare.paired import Paired
from denominator.compare.plans import Plan
from denominator.compare.worst_case import Outer, holds, holds_on_pack
from denominator.records.spreads import Number, PairSpread, Resolves, Span
from denominator.records.values import NotMeasured, counted
from denominator.records.words import SpreadReport
from denominator.stats import decimal6, leave_one_out, pinned_both, quotient, top_share

SATURATED = Fraction(80, 100)
HALF = Fraction(1, 2)
TOP = 3


def spread_pair(
    paired: Paired, plan: Plan, names: tuple[str, str], hidden: NotMeasured | None = None
) -> tuple[PairSpread, SpreadReport]:
    """Two arms over the same tasks and repeats, and lines 2 to 5 of the table.

    `hidden` is why no difference of rates may be printed (an arm is counts only), if so; then no interval around it
    and no p value is printed either.
    """
    if plan.looks:
        plan = replace(plan, no_p=plan.no_p or LOOKED)
    found = measure(paired, plan)
    word = _report(found, plan)
    told = word in (SpreadReport.AHEAD, SpreadReport.CONCENTRATED)
    ahead = names[0 if found.mean > 0 else 1] if told else ""
    return _pair(found, plan, ahead, hidden), word


def _pair(found: Measured, plan: Plan, ahead: str, hidden: NotMeasured | None) -> PairSpread:
    paired = found.paired
    pinned = _pinned(paired)
    share = Fraction(pinned, len(paired.rows))
    outer = _outer(found)
    ends = leave_one_out(paired.diffs, paired.repeats)
    return PairSpread(
        difference=decimal6(found.mean) if hidden is None else hidden,
        lo=_end(found, 0) if hidden is None else hidden,
        hi=_end(found, 1) if hidden is None else hidden,
        method="" if isinstance(found.found, NotMeasured) else found.found.method,
        alpha=decimal6(plan.alpha),
        test="midp" if plan.midp else "exact",
        p=_p(found, plan, hidden),
        sign_p=_sign_p(found, plan, hidden),
        these_tasks_p=_on_pack(found, plan) if hidden is None else hidden,
        separated=_separated(found),
        holds_at_worst=_separated(found) and outer is not None and holds(outer, found.mean, plan.alpha, plan.family),
        worst=_worst(paired, outer) if hidden is None else Span(value=hidden, lo=hidden, hi=hidden),
        units=len(set(paired.clusters)) if paired.clusters else len(paired.rows),
        tasks=len(paired.rows),
        repeats=paired.repeats,
        more_a=tuple(row.task_id for row in paired.rows if row.passes_a > row.passes_b),
        more_b=tuple(row.task_id for row in paired.rows if row.passes_b > row.passes_a),
        pinned=pinned,
        pinned_share=decimal6(share),
        saturated=share >= SATURATED,
        leave_one_out=_ends(ends if hidden is None else hidden),
        top3_share=_text(top_share(paired.diffs, TOP)),
        resolves=Resolves(difference=_text(found.mdd), assumed=_assumed(paired)),
        ahead=ahead,
    )


def _report(found: Measured, plan: Plan) -> SpreadReport:
    paired, outer, told = found.paired, _outer(found), not plan.no_p
    few = _few(paired.diffs)
    if told and _separated(found) and outer is not None and holds(outer, found.mean, plan.alpha, plan.family):
        return SpreadReport.CONCENTRATED if few or _hangs_on_one(paired) else SpreadReport.AHEAD
    if Fraction(_pinned(paired), len(paired.rows)) >= SATURATED:
        return SpreadReport.SATURATED
    if told and few and _on_these(found, plan):
        return SpreadReport.CONCENTRATED
    return SpreadReport.NO_DIFFERENCE


def _separated(found: Measured) -> bool:
    return not isinstance(found.found, NotMeasured) and found.found.established


def _on_these(found: Measured, plan: Plan) -> bool:
    """Do the arms differ on exactly these tasks, whatever the unseen draws were?"""
    if isinstance(found.on_pack, NotMeasured) or not found.mean:
        return False
    p = found.on_pack.midp if plan.midp else found.on_pack.p
    return p * plan.family <= plan.alpha and holds_on_pack(found.paired, found.mean, plan.alpha / plan.family)


def _few(diffs: Sequence[int]) -> bool:
    """Do three tasks hold more than half of all movement?"""
    share = top_share(diffs, TOP)
    return not isinstance(share, NotMeasured) and share > HALF


def _hangs_on_one(paired: Paired) -> bool:
    """Does the direction go away when some one task is left out?"""
    ends = leave_one_out(paired.diffs, paired.repeats)
    return not isinstance(ends, NotMeasured) and ends[0] <= 0 <= ends[1]


def _pinned(paired: Paired) -> int:
    """Tasks at the same end in both arms, of those that were seen whole."""
    seen = [row for row in paired.rows if not row.unseen_a + row.unseen_b]
    return pinned_both([row.passes_a for row in seen], [row.passes_b for row in seen], paired.repeats)


def _outer(found: Measured) -> Outer | None:
    return None if isinstance(found.worst, NotMeasured) else found.worst


def _worst(paired: Paired, outer: Outer | None) -> Span:
    if not paired.unseen:
        why = NotMeasured("every draw came to a verdict")
        return Span(value=why, lo=why, hi=why)
    why = NotMeasured(f"draws of both arms without a verdict: {paired.unseen}")
    if outer is None:
        return Span(value=why, lo=why, hi=why)
    lo, hi = decimal6(outer.interval.lo), decimal6(outer.interval.hi)
    return Span(value=why, lo=lo, hi=hi, method="from the lower end of the worst case to the upper end of the other")


def _end(found: Measured, at: int) -> Number:
    if isinstance(found.found, NotMeasured):
        return found.found
    return decimal6((found.found.interval.lo, found.found.interval.hi)[at])


def _sign_p(found: Measured, plan: Plan, hidden: NotMeasured | None) -> Number:
    if plan.no_p or hidden is not None:
        return hidden if hidden is not None else NotMeasured(plan.no_p)
    return decimal6(found.sign_p)


def _p(found: Measured, plan: Plan, hidden: NotMeasured | None) -> Number:
    if plan.no_p or hidden is not None:
        return hidden if hidden is not None else NotMeasured(plan.no_p)
    return found.found if isinstance(found.found, NotMeasured) else decimal6(found.found.p)


def _on_pack(found: Measured, plan: Plan) -> Number:
    if plan.no_p:
        return NotMeasured(plan.no_p)
    if isinstance(found.on_pack, NotMeasured):
        return found.on_pack
    return decimal6(found.on_pack.midp if plan.midp else found.on_pack.p)


def _ends(found: tuple[Fraction, Fraction] | NotMeasured) -> Span:
    if isinstance(found, NotMeasured):
        return Span(value=found, lo=found, hi=found)
    method = "smallest and largest mean difference when one task is left out"
    return Span(value=NotMeasured("a range"), lo=decimal6(found[0]), hi=decimal6(found[1]), method=method)


def _text(value: Fraction | float | NotMeasured) -> Number:
    return value if isinstance(value, NotMeasured) else decimal6(value)


def _assumed(paired: Paired) -> str:
    n = len(paired.rows)
    if paired.repeats > 1:
        return (
            f"a second pack of {counted(n, 'task')}, {paired.repeats} repeats, with the spread of differences seen here"
        )
    differing = quotient(sum(d != 0 for d in paired.diffs), n, "no task")
    share = "0" if isinstance(differing, NotMeasured) else decimal6(differing)[:-3]
    return f"a second pack of {counted(n, 'task')}, 1 repeat, {share} of them discordant as here"
