"""Headline: passes over declared draws of the solvable slice.

Why it matters: every other denominator can be made smaller by losing rows. This one was sealed before the run.

Numerator: draws whose counting attempt is a pass. Denominator: declared draws (tasks x repeats) of the solvable
slice. Estimand: the pass rate over tasks like these, one draw each. One repeat: Wilson. K repeats: mean of task
means, Wilson on the effective number of draws, t-adjusted.

Bad: 16/18 = 0.889 because two rows errored. Good: 16/20 = 0.800 [0.584, 0.919], 2 unscoreable.
Fix: nothing to fix in the metric; rows that are missing are listed by the gate.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.values import NotMeasured
from denominator.stats import repeat_mean

NAME = "headline"
ESTIMAND = "pass rate over declared draws of the solvable slice"
UNIT = "draws"
METHOD = "mean of task means; Wilson on effective draws, t-adjusted"


def measure(sheet: Sheet) -> Estimate:
    """Passes over declared draws."""
    draws, declared = sheet.of_slice("solvable"), sheet.solvable_n()
    passes = sum(draw.exit == "pass" for draw in draws)
    if sheet.terms.repeats <= 1 or isinstance(declared, NotMeasured):
        return _about(sheet).rate(passes, declared, "no solvable draw was declared")
    return _repeated(sheet, draws, passes, declared)


def _repeated(sheet: Sheet, draws: tuple[JudgedDraw, ...], passes: int, declared: int) -> Estimate:
    per_task: dict[str, list[bool]] = {}
    for draw in draws:
        per_task.setdefault(draw.draw.task_id, []).append(draw.exit == "pass")
    sizes = {len(found) for found in per_task.values()}
    if sizes != {sheet.terms.repeats} or sheet.unnamed or len(per_task) < 2:
        why = NotMeasured("repeats are uneven or there is only one task, so there is no mean of task means")
        return _about(sheet).missing(why, passes, declared)
    found = repeat_mean([sum(one) for one in per_task.values()], sheet.terms.repeats)
    return _about(sheet).measured(passes, declared, found.mean, found.interval, METHOD)


def _about(sheet: Sheet) -> About:
    return About(NAME, ESTIMAND, UNIT, sheet, secondary=False)


METRIC = Metric(Entry("MT001", NAME, "0.1.0", "metrics", __doc__ or ""), measure, secondary=False)
