"""The ladder of comparisons: the highest sentence that the evidence of one pair allows, and what stops it there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from denominator.compare.measured import Measured
from denominator.compare.plans import MARGIN_QUESTIONS, Plan
from denominator.compare.standing import Standing
from denominator.compare.worst_case import holds, holds_on_pack
from denominator.records.comparisons import Comparability
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Rung
from denominator.stats import Interval, decimal6, e_value, sign_counts, within_margin

STEPS = (Rung.REFUSED, Rung.COUNTS, Rung.DIRECTIONAL, Rung.ON_THIS_PACK, Rung.TASKS_LIKE_THESE)
REACHED_BY = {
    Rung.COUNTS: (*STEPS[1:], Rung.NOT_WORSE, Rung.EQUIVALENT),
    Rung.DIRECTIONAL: (*STEPS[2:], Rung.NOT_WORSE, Rung.EQUIVALENT),
    Rung.ON_THIS_PACK: STEPS[3:],
    Rung.TASKS_LIKE_THESE: STEPS[4:],
    Rung.NOT_WORSE: (Rung.NOT_WORSE, Rung.EQUIVALENT),
    Rung.EQUIVALENT: (Rung.EQUIVALENT,),
}
"""Which rungs answer a demand: a difference that is established says nothing of a margin, and the other way round."""
LOOKED = "it was looked at before its end, so only the e-value counts"


@dataclass(frozen=True, slots=True)
class Climb:
    """The rung, and each thing that keeps it from being higher, in the order in which they stop it.

    `adjusted` is the p value for the whole declared family, or why none may be printed; `worst_holds` is about what
    was established; `also` says that with a question of a margin the difference itself is established too.
    """

    rung: Rung
    stops: tuple[str, ...]
    adjusted: Fraction | NotMeasured
    worst_holds: bool
    also: bool = False


def climb(
    found: Measured, plan: Plan, comparable: Comparability, stands: Iterable[Standing], holm: Fraction | None = None
) -> Climb:
    """One pair that is comparable, and whose sides both stand before their own gate. `holm` is the p of the family."""
    stands = tuple(stands)
    adjusted = _adjusted(found, plan, holm)
    facts = tuple(dict.fromkeys(name for one in stands for name in one.counts_by))
    if facts or isinstance(found.found, NotMeasured):
        why = facts or (str(found.found),)
        return Climb(Rung.COUNTS, tuple(f"counts only: {one}" for one in why), adjusted, False)
    stops = tuple(_only_direction(plan, comparable, stands))
    steady = _steady(found, plan, adjusted)
    likely = _established(found, plan, adjusted)
    if plan.question in MARGIN_QUESTIONS and plan.declared and not stops:
        rung, missed = _margin(found, plan)
        if rung is not None:
            return Climb(rung, missed, adjusted, True, also=steady)
        stops = (*missed, *stops)
    return _of_difference(found, plan, stops, adjusted, likely, steady)


def _of_difference(
    found: Measured, plan: Plan, stops: tuple[str, ...], adjusted: Fraction | NotMeasured, likely: bool, steady: bool
) -> Climb:
    """Directional, on this pack, or for tasks like these."""
    hard = tuple(one for one in stops if not one.startswith("margin:"))
    missing = tuple(_unplanned(plan))
    if steady and not hard and not missing:
        return Climb(Rung.TASKS_LIKE_THESE, stops, adjusted, True)
    told = (*stops, *missing, *_weak(found, plan, adjusted, likely, steady))
    if not hard and _on_pack(found, plan):
        return Climb(Rung.ON_THIS_PACK, told, adjusted, steady)
    return Climb(Rung.DIRECTIONAL, told, adjusted, steady)


def _adjusted(found: Measured, plan: Plan, holm: Fraction | None) -> Fraction | NotMeasured:
    """p for the declared family. With one pair at hand p times the size of the family: Holm's first step, its most."""
    if plan.no_p:
        return NotMeasured(plan.no_p)
    if plan.looks:
        return NotMeasured(LOOKED)
    if isinstance(found.found, NotMeasured):
        return found.found
    return holm if holm is not None else min(Fraction(1), found.found.p * plan.family)


def _only_direction(plan: Plan, comparable: Comparability, stands: Iterable[Standing]) -> Iterable[str]:
    """What keeps any pair from being established, however large the difference."""
    if not comparable.declared_before:
        yield "the treatment or the equality of conditions was declared afterwards"
    silent = tuple(dict.fromkeys(name for one in stands for name in one.silent))
    if silent:
        yield f"not stated by a side: {', '.join(silent)}"
    if plan.no_p:
        yield f"no p value: {plan.no_p}"


def _unplanned(plan: Plan) -> Iterable[str]:
    """What "tasks like these" needs beyond the evidence."""
    if not plan.declared:
        yield f"no plan beforehand: {plan.why}"
    elif not plan.treatment:
        yield "no treatment field was sealed"


def _established(found: Measured, plan: Plan, adjusted: Fraction | NotMeasured) -> bool:
    """The declared test for the family at alpha *and* an interval that excludes 0."""
    result = found.found
    if isinstance(result, NotMeasured) or not _excludes_zero(result.interval):
        return False
    if plan.looks:
        return isinstance(found.e, Fraction) and found.e * plan.alpha >= plan.family
    return isinstance(adjusted, Fraction) and adjusted <= plan.alpha


def _steady(found: Measured, plan: Plan, adjusted: Fraction | NotMeasured) -> bool:
    """Established, and still so in the worst case over the draws without a verdict."""
    if not _established(found, plan, adjusted) or isinstance(found.worst, NotMeasured):
        return False
    if not found.paired.unseen:
        return True
    if plan.looks:
        worst = found.paired.filled(False, True) if found.mean > 0 else found.paired.filled(True, False)
        side = found.worst.least.interval if found.mean > 0 else found.worst.most.interval
        same = sum(worst.diffs) * found.mean > 0 and _excludes_zero(side)
        return same and e_value(*sign_counts(worst.diffs)) * plan.alpha >= plan.family
    return holds(found.worst, found.mean, plan.alpha, plan.family)


def _on_pack(found: Measured, plan: Plan) -> bool:
    """The stratified exact test on exactly these tasks, in the worst case too."""
    if isinstance(found.on_pack, NotMeasured) or plan.no_p or plan.looks or not found.mean:
        return False
    return found.on_pack.p * plan.family <= plan.alpha and holds_on_pack(
        found.paired, found.mean, plan.alpha / plan.family
    )


def _margin(found: Measured, plan: Plan) -> tuple[Rung | None, tuple[str, ...]]:
    """Not worse, or equivalent: the interval of the second arm less the first, worst case included."""
    if not plan.margin:
        return None, ("margin: no margin was sealed",)
    if plan.looks:
        return None, (f"margin: {LOOKED}",)
    if isinstance(found.margin, NotMeasured):
        return None, (f"margin: {found.margin}",)
    said = within_margin(seen_from_second(found.margin, plan), plan.margin)
    if said.equivalent and plan.question == "equivalent":
        return Rung.EQUIVALENT, ()
    if said.not_worse:
        more = ("margin: the upper end is not inside the margin",) if plan.question == "equivalent" else ()
        return Rung.NOT_WORSE, more
    return None, ("margin: the interval reaches beyond the margin",)


def seen_from_second(interval: Interval, plan: Plan) -> Interval:
    """The interval of the sealed second arm less the first; ours is of A - B."""
    return Interval(-interval.hi, -interval.lo, interval.reason) if plan.b_second else interval


def _weak(found: Measured, plan: Plan, adjusted: Fraction | NotMeasured, likely: bool, steady: bool) -> Iterable[str]:
    """What the evidence itself lacks."""
    if likely and not steady:
        yield "the worst case over draws without a verdict does not hold"
    if likely or isinstance(found.found, NotMeasured):
        return
    least = found.discordant_least
    if plan.looks:
        yield from _short_of_evidence(found, plan)
    elif found.found.differing < least:
        unit = "cluster" if found.paired.clusters else "task"
        differ = counted(found.found.differing, f"{unit} differs", f"{unit}s differ")
        yield f"cannot be established at this N: {differ}, it takes {least}"
    elif isinstance(adjusted, Fraction) and adjusted > plan.alpha:
        yield "the exact test does not reach its level"
    if not _excludes_zero(found.found.interval):
        yield "the interval contains 0"


def _short_of_evidence(found: Measured, plan: Plan) -> Iterable[str]:
    """After a look only the e-value counts, and it has to reach 1/alpha for each pair of the family."""
    if isinstance(found.e, NotMeasured):
        yield str(found.e)
    elif found.e * plan.alpha < plan.family:
        yield f"the e-value does not reach {decimal6(plan.family / plan.alpha).rstrip('0').rstrip('.')}"


def _excludes_zero(interval: Interval) -> bool:
    return interval.lo > 0 or interval.hi < 0
