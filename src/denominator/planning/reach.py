"""Which thresholds a plan can never reach, however the run ends: known before the first prompt.

One function a kind. Each gives the reason with what it would take, or "" where the threshold can be reached. `tasks` are
declared tasks of the solvable slice, `repeats` draws of each; shares are exact fractions. A threshold that no result
meets is no rule but a decision in disguise, so it is refused when it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

from denominator.stats import decimal6, equivalence_min_n, false_pass_upper, least_n_for_upper, min_discordant, wilson
from denominator.stats.discordant import ALPHA
from denominator.stats.quantiles import P95
from denominator.stats.rates import LEVEL, z_quantile
from denominator.stats.student import t_quantile

ITEMS_MIN = 50
MOST = 1_000_000


def unreachable(*reasons: str) -> tuple[str, ...]:
    """The reasons there are."""
    return tuple(reason for reason in reasons if reason)


def all_pass_lower(tasks: int, repeats: int = 1) -> float:
    """The lower end of the headline's interval when every declared draw passes."""
    if tasks < 1 or (repeats > 1 and tasks < 2):
        return 0.0
    n = float(tasks) if repeats == 1 else tasks * (z_quantile() / t_quantile(0.975, tasks - 1)) ** 2
    return wilson(n, n).lo


def rate_lower(tasks: int, repeats: int, at_least: Fraction) -> str:
    """Lower end of the headline >= t: out of reach when even all passes end below it (Wilson)."""
    most = all_pass_lower(tasks, repeats)
    if most >= at_least:
        return ""
    return (
        f"the lower end of the interval cannot reach {_short(at_least)}: with {_tasks(tasks)} it is {_short(most)} even "
        f"if every draw passes; {_needs(lambda n: all_pass_lower(n, repeats) >= at_least)}"
    )


def rate_upper(tasks: int, repeats: int, at_most: Fraction) -> str:
    """Upper end of a rate <= t: out of reach when even no case at all leaves room for more (Wilson at 0)."""
    least = 1 - all_pass_lower(tasks, repeats)
    if least <= at_most:
        return ""
    return (
        f"the upper end of the interval cannot fall to {_short(at_most)}: with {_tasks(tasks)} it is {_short(least)} even "
        f"if it never happens; {_needs(lambda n: 1 - all_pass_lower(n, repeats) <= at_most)}"
    )


def narrower(tasks: int, repeats: int, width: Fraction) -> str:
    """An interval of the headline narrower than w: out of reach when even the narrowest, at all passes, is wider."""
    least = 1 - all_pass_lower(tasks, repeats)
    if least < width:
        return ""
    return (
        f"no interval of the headline is narrower than {_short(width)}: with {_tasks(tasks)} the narrowest is "
        f"{_short(least)}; {_needs(lambda n: 1 - all_pass_lower(n, repeats) < width)}"
    )


def p95_upper(tasks: int, *, one_sided: bool = False) -> str:
    """An upper bound of p95: 72 tasks for a two-sided 95 % interval, 59 for a one-sided bound. Repeats do not help."""
    least = least_n_for_upper(P95, LEVEL if one_sided else (1 + LEVEL) / 2)
    kind = "one-sided" if one_sided else "two-sided"
    if tasks >= least:
        return ""
    return (
        f"p95 has no {kind} upper bound from {_tasks(tasks)}: it takes {least}; repeats of a task are not independent"
    )


def equivalence_half(tasks: int, repeats: int, alpha: Fraction = ALPHA) -> float:
    """Half the interval of A - B at level 1 - 2 alpha when no task differs at all: the narrowest there can be."""
    if tasks < 1 or (repeats > 1 and tasks < 2):
        return 1.0
    if repeats == 1:
        square = z_quantile(1 - 2 * alpha) ** 2
        return square / (tasks + square)
    return min(1.0, t_quantile(float(1 - alpha), tasks - 1) / sqrt(tasks * (tasks - 1)))


def equivalence(tasks: int, repeats: int, margin: Fraction, alpha: Fraction = ALPHA) -> str:
    """Equivalence or non-inferiority within a margin: out of reach when even two arms that never differ are not shown to."""
    half = equivalence_half(tasks, repeats, alpha)
    if half < margin:
        return ""
    needs = (
        f"it takes {equivalence_min_n(margin, 1 - 2 * alpha)} tasks"
        if repeats == 1
        else _needs(lambda n: equivalence_half(n, repeats, alpha) < margin)
    )
    return (
        f"a margin of {_short(margin)} is below what {_tasks(tasks)} show of two arms that never differ "
        f"(+-{_short(half)} at {_short(1 - 2 * alpha)}); {needs}"
    )


def exact_test(tasks: int, alpha: Fraction = ALPHA, *, midp: bool = False) -> str:
    """The exact paired test: with fewer tasks than this no split of them has p <= alpha, at any number of repeats."""
    least = min_discordant(alpha, midp=midp)
    if tasks >= least:
        return ""
    return f"no result on {_tasks(tasks)} has p <= {_short(alpha)}: it takes {least} tasks that differ, all one way"


def interval_floor(tasks: int, alpha: Fraction = ALPHA) -> float:
    """With repeats: half the narrowest interval of a mean difference, its sum of squares kept at one full swing."""
    return min(1.0, t_quantile(float(1 - alpha / 2), tasks - 1) / sqrt(tasks * (tasks - 1))) if tasks > 1 else 1.0


def difference_floor(
    tasks: int, difference: Fraction, alpha: Fraction = ALPHA, *, midp: bool = False, repeats: int = 1
) -> str:
    """A difference that no result establishes: below min_discordant/N at one repeat, inside the narrowest interval at more."""
    wanted = abs(difference)
    least = min_discordant(alpha, midp=midp)
    if repeats > 1:
        floor = interval_floor(tasks, alpha)
        if floor < wanted:
            return ""
        needs = _needs(lambda n: interval_floor(n, alpha) < wanted) if difference else "no number of tasks is enough"
        return (
            f"a difference of {_short(wanted)} is inside the narrowest interval that {_tasks(tasks)} can give: "
            f"+-{_short(floor)}; {needs}"
        )
    if tasks and Fraction(least, tasks) <= wanted:
        return ""
    if tasks < least:
        needs = f"it takes {max(least, -(-least // wanted))} tasks" if difference else "no number of tasks is enough"
        return f"{_tasks(tasks)} can establish no difference: {needs}"
    smallest = (
        f"the smallest that {_tasks(tasks)} can establish is {least}/{tasks} = {_short(Fraction(least, tasks or 1))}"
    )
    needs = f"; it takes {-(-least // wanted)} tasks" if difference else ""
    return f"a difference of {_short(wanted)} is below the floor: {smallest}{needs}"


def false_passes(controls: int, at_most: Fraction) -> str:
    """An upper bound of the false-pass rate from clean controls (Clopper-Pearson at zero)."""
    bound = false_pass_upper(controls)
    if bound <= at_most:
        return ""
    needs = _needs(lambda n: false_pass_upper(n) <= at_most, "clean control", "clean controls")
    of = "1 clean control leaves" if controls == 1 else f"{controls} clean controls leave"
    return f"{of} room for a false-pass rate of {_short(bound)}, above {_short(at_most)}; {needs}"


def agreement(items: int) -> str:
    """Agreement between people: below 50 double-labelled items its lower bound is not to be had."""
    if items >= ITEMS_MIN:
        return ""
    return f"{items} double-labelled items give no agreement that can be relied on: it takes {ITEMS_MIN}, aim at 100"


def flips(tasks: int, repeats: int, at_most: Fraction | None = None) -> str:
    """A flip rate, or an upper end of it <= t: needs two repeats, and enough tasks that no flip at all shows it."""
    if repeats < 2:
        return "one repeat cannot show how much repeats differ: a flip rate takes at least 2"
    bound = false_pass_upper(tasks)
    if at_most is None or bound <= at_most:
        return ""
    needs = _needs(lambda n: false_pass_upper(n) <= at_most)
    return f"the upper end of the flip rate is {_short(bound)} on {_tasks(tasks)} even without a flip; {needs}"


def _needs(enough: Callable[[int], bool], one: str = "task", many: str = "tasks") -> str:
    """The least number with which it holds; every condition here holds from some number on."""
    low, high = 1, 1
    while high < MOST and not enough(high):
        low, high = high + 1, 2 * high
    if not enough(high):
        return "no number of them is enough"
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return f"it takes {low} {one if low == 1 else many}"


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count} tasks"


def _short(value: Fraction | float) -> str:
    """At most four digits after the point, without zeros at the end."""
    text = decimal6(Fraction(value).limit_denominator(10**9))[:-2]
    return text.rstrip("0").rstrip(".") or "0"
