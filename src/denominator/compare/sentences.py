"""The sentence that a comparison allows, from fixed templates. No adjective and no ranking word stands in any of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from denominator.compare.comparable import UNKNOWN
from denominator.compare.ladder import Climb, seen_from_second
from denominator.compare.measured import Measured
from denominator.compare.pair_estimates import short_decimal
from denominator.compare.plans import Plan
from denominator.records.comparisons import ArmLine, Comparability
from denominator.records.values import NotMeasured, counted, told_p
from denominator.records.words import Rung
from denominator.stats import Interval, decimal6

REASONS = 3
"""How many reasons, and how many fields of one, a sentence names."""
BETWEEN = re.compile(r", (?![^()]*\))")


def refused(sides: Iterable[ArmLine]) -> str:
    """No comparison: which side its own gate stops, and by which rules."""
    parts = [f"{side.name} is blocked by {', '.join(side.blocked_by)}" for side in sides if side.blocked_by]
    what = "it may be set beside another arm" if len(parts) == 1 else "either may be set beside another arm"
    return f"Refused: {'; '.join(parts)}. Nothing of {what}."


def not_comparable(found: Comparability) -> str:
    """No delta. A sentence holds three reasons and of each the first names; all of them are in `reasons`."""
    told = [_brief(reason) for reason in found.reasons[:REASONS]]
    rest = len(found.reasons) - len(told)
    more = f"; and {counted(rest, 'more reason')}" if rest else ""
    return f"Not comparable: {'; '.join(told) or 'see the fields'}{more}. No difference is computed."


def _brief(reason: str) -> str:
    """A reason that ends in a long list of fields, with the first of them and how many more there are."""
    head, sep, names = reason.partition(f"{UNKNOWN}: ")
    fields = BETWEEN.split(names)
    if not sep or len(fields) <= REASONS + 1:
        return reason
    return f"{head}{sep}{', '.join(fields[:REASONS])} and {len(fields) - REASONS} more"


def unpaired(why: NotMeasured) -> str:
    """Comparable conditions, but no pairs."""
    return f"Refused: the draws cannot be paired: {why.not_measured}. No difference is computed."


def conditions_only(found: Comparability, names: tuple[str, str]) -> str:
    """Two manifests without rows."""
    count = sum(field.verdict == "note" for field in found.fields)
    notes = f"; {count} {'field differs' if count == 1 else 'fields differ'} and {'is a note' if count == 1 else 'are notes'}"
    head = f"Comparable: nothing that blocks differs between {names[0]} and {names[1]}"
    return f"{head}{notes if count else ''}. No rows were given on both sides, so nothing is compared."


def sentence(found: Measured, plan: Plan, got: Climb, comparable: Comparability, arms: tuple[ArmLine, ArmLine]) -> str:
    """What may be written of this pair, with everything that has to stand beside it."""
    head = _counts(found, arms) if got.rung is Rung.COUNTS else _head(found, plan, got, arms)
    parts = [head, _size(found), *([] if got.rung is Rung.COUNTS else _evidence(found, plan, got, arms))]
    parts += [_flips(arms), _unseen(found, arms, got.rung), _treatment(comparable, arms), _controls(arms), _seals(arms)]
    parts += [_frame(plan) if got.rung in (Rung.TASKS_LIKE_THESE, Rung.EQUIVALENT, Rung.NOT_WORSE) else ""]
    return " ".join(part for part in [*parts, caveat(len(found.paired.rows))] if part)


def _counts(found: Measured, arms: tuple[ArmLine, ArmLine]) -> str:
    a, b = arms
    draws = found.paired.draws
    more_a, more_b = sum(d > 0 for d in found.paired.diffs), sum(d < 0 for d in found.paired.diffs)
    told = f"{a.name} passed {sum(found.paired.a)} and {b.name} {sum(found.paired.b)} of {counted(draws, 'declared draw')} each"
    more = f"{counted(more_a, 'task')} with more passes in {a.name}, {more_b} with more in {b.name}"
    return f"{told}; {more}. No difference is claimed."


def _head(found: Measured, plan: Plan, got: Climb, arms: tuple[ArmLine, ArmLine]) -> str:
    """The difference with its interval and the word of the rung."""
    a, b = arms[0].name, arms[1].name
    if got.rung in (Rung.NOT_WORSE, Rung.EQUIVALENT):
        return _margin(found, plan, got, (a, b))
    told = f"{a} - {b} = {signed(found.mean)}"
    if not isinstance(found.found, NotMeasured):
        told += f" ({_level(1 - plan.alpha)} interval {_ends(found.found.interval)}, {found.found.method})"
    words = {
        Rung.TASKS_LIKE_THESE: "established for tasks like these",
        Rung.ON_THIS_PACK: "established on this pack, not for other tasks",
    }
    return f"{told}: {words.get(got.rung, 'not established')}."


def _margin(found: Measured, plan: Plan, got: Climb, names: tuple[str, str]) -> str:
    first, second = names if plan.b_second else names[::-1]
    mean = -found.mean if plan.b_second else found.mean
    told = f"{second} - {first} = {signed(mean)}"
    if not isinstance(found.margin, NotMeasured):
        level = _level(1 - 2 * plan.alpha / plan.family)
        told += f" ({level} interval {_ends(seen_from_second(found.margin, plan))}, draws without a verdict included)"
    margin = short_decimal(plan.margin)
    if got.rung is Rung.EQUIVALENT:
        said = f"{told}: equivalent within the sealed margin {margin}."
    else:
        said = f"{told}: the pass rate of {second} is not lower than that of {first} by more than the sealed margin {margin}."
    return f"{said} The difference itself is established too." if got.also else said


def _size(found: Measured) -> str:
    """N, K, and clusters where tasks share one."""
    paired = found.paired
    told = f"{counted(len(paired.rows), 'task')}, {counted(paired.repeats, 'repeat')}"
    if paired.clusters:
        told += f", {counted(len(set(paired.clusters)), 'family', 'families')} as units"
    return f"{told}."


def _evidence(found: Measured, plan: Plan, got: Climb, arms: tuple[ArmLine, ArmLine]) -> Iterable[str]:
    yield _test(found, plan, got, arms)
    if got.rung is Rung.ON_THIS_PACK and not isinstance(found.on_pack, NotMeasured):
        yield f"Stratified exact test on these tasks: p {told_p(decimal6(found.on_pack.p))}."
    why = [one.removeprefix("margin: ") for one in got.stops] if got.rung is not Rung.TASKS_LIKE_THESE else []
    if why:
        yield f"Not higher because: {'; '.join(why)}."
    if got.rung is Rung.DIRECTIONAL and not isinstance(found.mdd, NotMeasured):
        yield f"For plans: a pack of this size shows a difference of {short(found.mdd)} with 80 % power."


def _test(found: Measured, plan: Plan, got: Climb, arms: tuple[ArmLine, ArmLine]) -> str:
    unit = "families" if found.paired.clusters else "tasks"
    more_a, more_b = sum(d > 0 for d in found.paired.diffs), sum(d < 0 for d in found.paired.diffs)
    names = f"{more_a} with more passes in {arms[0].name} and {more_b} in {arms[1].name}"
    told = f"{counted(more_a + more_b, 'task differs', 'tasks differ')}, {names}"
    if isinstance(got.adjusted, NotMeasured):
        value = f"; e-value {decimal6(found.e)}" if isinstance(found.e, Fraction) else ""
        return f"{told}. No p value: {got.adjusted.not_measured}{value}."
    if isinstance(found.found, NotMeasured):
        return f"{told}."
    name = test_name(found, plan)
    family = f", for {counted(plan.family, 'declared pair')} {_digits(got.adjusted)}" if plan.family > 1 else ""
    other = f"exact {_digits(found.flip.p)}" if plan.midp else f"mid-p {_digits(found.flip.midp)}"
    return f"{told}. {name} over {unit}: p {told_p(decimal6(found.found.p))}{family} ({other})."


def _digits(p: Fraction | float) -> str:
    return told_p(decimal6(p)).removeprefix("= ")


def test_name(found: Measured, plan: Plan) -> str:
    """The name of the declared test at this K."""
    plain = found.paired.repeats == 1 and not found.paired.clusters
    name = "McNemar test" if plain else "Sign-flip test"
    return f"{name}, {'mid-p' if plan.midp else 'exact'}"


def _flips(arms: tuple[ArmLine, ArmLine]) -> str:
    """METHODS M9: where a replay flips above its ceiling a comparison has one answer."""
    names = [one.name for one in arms if any("flips-above-ceiling" in rule for rule in one.capped_by)]
    return f"Raise the repeats: a replay of {' and of '.join(names)} flips above its ceiling." if names else ""


def _unseen(found: Measured, arms: tuple[ArmLine, ArmLine], rung: Rung) -> str:
    """Draws without a verdict per arm, and what they could make of the difference."""
    a = sum(row.unseen_a for row in found.paired.rows)
    b = sum(row.unseen_b for row in found.paired.rows)
    told = f"Without a verdict: {arms[0].name} {a}, {arms[1].name} {b} of {counted(found.paired.draws, 'draw')} each"
    if not (a or b) or rung is Rung.COUNTS or isinstance(found.worst, NotMeasured):
        return f"{told}."
    ends = f"{signed(found.worst.least.difference)} and {signed(found.worst.most.difference)}"
    return f"{told}; whatever they were, the difference lies between {ends} (interval {_ends(found.worst.interval)})."


def _treatment(comparable: Comparability, arms: tuple[ArmLine, ArmLine]) -> str:
    """What was meant to differ, when that was said, and where it was really there."""
    if not comparable.treatment:
        return "No field was meant to differ."
    sealed = all(one.origin == "seal" for one in arms)
    when = "named afterwards" if not comparable.declared_before else "sealed before the run" if sealed else "declared"
    found = [
        f"{one.arm} {one.field}: {one.delivered} of {counted(one.attempts, 'attempt')}"
        + (f" ({one.unknown} unknown)" if one.unknown else "")
        for one in comparable.deliveries
    ]
    delivered = f" Delivered: {'; '.join(found)}." if found else ""
    return f"Treatment {', '.join(comparable.treatment)}, {when}.{delivered}"


def _controls(arms: tuple[ArmLine, ArmLine]) -> str:
    """Controls of each arm: without them nobody knows whether the grader ever says no."""
    told = [
        f"{one.name} {one.controls_held} of {one.controls} held" if one.controls else f"{one.name} none" for one in arms
    ]
    return f"Controls: {', '.join(told)}."


def _seals(arms: tuple[ArmLine, ArmLine]) -> str:
    told = [f"{one.name} {one.origin} {one.digest[:12]}" for one in arms if one.digest]
    return f"{'; '.join(told)}." if told else ""


def _frame(plan: Plan) -> str:
    """Why these tasks: "tasks like these" means nothing else."""
    return f"Why these tasks: {plan.selection.rstrip('.')}." if plan.selection else "Why these tasks is not stated."


def caveat(n: int) -> str:
    """What the size allows; the thresholds 8, 40 and 200 are conventions."""
    tasks = counted(n, "task")
    if n < 8:
        return f"{tasks}: this checks a method and orders nobody."
    if n <= 40:
        return f"{tasks}: differences of a few tasks are inside the noise."
    if n < 200:
        return f"{tasks} in one pack: it speaks for tasks like these only as far as they were drawn from a frame."
    return f"{tasks} on one date: cite it inside its envelope."


def may_not(rung: Rung, found: Measured | None = None, own_process: bool = True) -> tuple[str, ...]:
    """What nobody may write, from a fixed list."""
    lines = ["rank the arms, or set them in an order", "use it in a contract, an SLA or a price"]
    if not own_process:
        lines.append("say that no solution could have reached its own verdict: not all were graded in a process apart")
    if found is None:
        return ("set the counts of the arms against each other in any form", *lines[:2])
    if rung is Rung.COUNTS:
        return ("print a difference, a percentage or a p value", *lines)
    lines.insert(0, "write the difference without its interval, the number of tasks and of repeats")
    if rung is Rung.DIRECTIONAL:
        lines.insert(0, "say that the arms differ, or that they do not")
    if rung is Rung.ON_THIS_PACK:
        lines.insert(0, "say it of tasks other than these")
    if rung is Rung.TASKS_LIKE_THESE:
        lines.insert(0, "say it of tasks that were chosen otherwise than these")
    if rung in (Rung.NOT_WORSE, Rung.EQUIVALENT):
        lines.insert(0, "say that there is no difference: it is a statement about the margin")
    elif not isinstance(found.found, NotMeasured) and found.found.interval.lo <= 0 <= found.found.interval.hi:
        lines.append("read an interval that contains 0 as equality")
    return tuple(lines)


def signed(value: Fraction | float | NotMeasured) -> str:
    """Three digits with a sign."""
    if isinstance(value, NotMeasured):
        return str(value)
    text = short(value)
    return text if text.startswith("-") else f"+{text}"


def short(value: Fraction | float) -> str:
    """Three digits, half-even; no negative zero."""
    rounded = Decimal(decimal6(value)).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN)
    return str(rounded + 0)


def _ends(interval: Interval) -> str:
    return f"{signed(interval.lo)} to {signed(interval.hi)}"


def _level(level: Fraction) -> str:
    return f"{short_decimal(level * 100)} %"
