"""A printed percentage or share, held against the counts that are known. Exact integers: it is a count out of n, or it is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor, lcm
from typing import NamedTuple

from denominator.pipeline.audit_counts import HIDDEN, MOST_DRAWS, ONE_DRAW_EACH, SCHEDULED, Counted, Summed
from denominator.pipeline.audit_reducers import by_chance, made_whole, of_tasks, prints, reducer_of, sums_of, unmade
from denominator.records.audits import AuditedCount, PublishedLine, Says
from denominator.records.foreign import Published
from denominator.records.rows import Count
from denominator.stats import any_count, cut_counts, possible_counts, possible_denominators

FLOAT_DIGITS, KEPT_DIGITS = 10, 8
"""More decimals than these are those of a binary fraction: so many of them are held against the counts."""
MOST_TIMES = 10
MOST_N = 5_000
"""Up to so many scheduled draws every smaller number of draws is tried as a denominator."""
WHOLE = re.compile("[0-9]{1,15}")
OWN = "the passes of its rows"
LATE = "the passes of its rows with those of later attempts"
TASKS, OTHER = "tasks", "other"
SAID, COUNTED = "said: ", "counted in its lists: "
THEIRS = (SAID, COUNTED)


class Numerator(NamedTuple):
    """A count of passes, and whose word it is."""

    name: str
    k: int


@dataclass(frozen=True, slots=True)
class Known:
    """The counts that a printed rate can be made of: passes, denominators of draws and of tasks, and those that are printed."""

    counted: Counted
    numerators: tuple[Numerator, ...]
    draws: tuple[AuditedCount, ...]
    tasks: tuple[AuditedCount, ...]


@dataclass(frozen=True, slots=True)
class Rate:
    """One rate: as a percentage, the open interval that its digits can stand for, and what it can be of.

    `sums` are values of tasks, where it may be of tasks with several draws; `parts` is into how many equal parts the value of a
    task can then fall (every mean, quorum or pass@k of its draws is a multiple of one of these), 0 where that is not bounded.
    """

    one: Published
    percent: str
    low: Fraction
    high: Fraction
    numerators: tuple[Numerator, ...]
    over: tuple[AuditedCount, ...]
    stated: tuple[AuditedCount, ...]
    sums: tuple[Summed, ...] = ()
    parts: int = 1

    def fits(self, n: Count) -> bool:
        """Can it be of n at all, whatever was counted and however it was rounded or cut?"""
        return isinstance(n, int) and (not self.parts or any_count(self.low, self.high, n * self.parts))

    def by(self, n: Count) -> str:
        """Whose count gives it over n, at the digits that are printed; "" where none does."""
        if not isinstance(n, int) or n < 1:
            return ""
        counts = possible_counts(self.percent, n)
        names = [each.name for each in self.numerators if each.k in counts]
        names += [each.name for each in self.sums if prints(self.percent, each, n)]
        return names[0] if names else ""

    def nearly(self, n: Count) -> bool:
        """Can a known count over n have been printed so, however it was rounded?"""
        return (
            isinstance(n, int) and n > 0 and any(self.low < Fraction(each.k, n) < self.high for each in self.numerators)
        )

    def exactly(self, n: Count) -> bool:
        """Is it that number without any rounding?"""
        value, totals = Fraction(self.percent) / 100, [Fraction(each.k) for each in self.numerators]
        return isinstance(n, int) and n > 0 and value * n in (*totals, *(each.total for each in self.sums))


def rate_line(one: Published, known: Known) -> PublishedLine:
    """Which count over which denominator prints so, or why that cannot be said."""
    percent = percent_of(one)
    if percent is None:
        return line_of(one, Says.UNCHECKED, "is no percentage from 0 to 100")
    if known.counted.passes == HIDDEN:
        over = _over(one, known, of_tasks=one.unit_of == TASKS)
        return line_of(one, Says.WITHHELD, "not held against the rows: a control is violated", tried=over)
    if one.unit_of == OTHER:
        return line_of(one, Says.UNCHECKED, "what it is made of is no count of draws or of tasks")
    if why := unmade(one, known.counted):
        return line_of(one, Says.UNCHECKED, why)
    rate = _rate_of(one, percent, known)
    if not rate.over:
        return line_of(one, Says.UNCHECKED, "nothing says out of how many: neither rows nor a printed count")
    given = _given(rate)
    says, what = _verdict(rate, given, known.counted)
    other = _other_n(percent, known.counted)
    what += _not_as_said(rate, given) + ("" if given else by_chance(one, percent, rate.sums, rate.over, known.counted))
    what += _elsewhere(rate, other, given, known.counted)
    by = (*(each.name for each in rate.numerators), *(each.name for each in rate.sums))
    return line_of(one, says, what, by=by, given=given, tried=rate.over, other=other)


def _rate_of(one: Published, percent: str, known: Known) -> Rate:
    """What this number can be of. A source that does not say so may mean draws or tasks."""
    numerators, by_task, reducer = tuple(_of_its_name(one, known.numerators)), known.counted.by_task, reducer_of(one)
    over, parts = _over(one, known, of_tasks=False), 1
    sums: tuple[Summed, ...] = ()
    if of_tasks(one, known.counted):
        tasks, parts = _over(one, known, of_tasks=True), _parts(by_task.most)
        sums = sums_of(one, known.counted)
        only = one.unit_of == TASKS or bool(reducer)
        over = tasks if only else (*over, *(each for each in tasks if each not in over))
        said = () if reducer else tuple(each for each in numerators if each.name.startswith(THEIRS))
        numerators = said if only else numerators
    low, high = _window(one)
    return Rate(one, percent, low, high, numerators, over, _stated(one, over), sums, parts)


def _parts(most: int) -> int:
    """Means, quorums and pass@k of up to `most` draws are multiples of 1/lcm(1..most); a median may halve that."""
    return 2 * lcm(*range(1, most + 1)) if most <= MOST_DRAWS else 0


def _over(one: Published, known: Known, *, of_tasks: bool) -> tuple[AuditedCount, ...]:
    """The denominators to try, with the one that the source states."""
    over = known.tasks if of_tasks and known.counted.by_task is not ONE_DRAW_EACH else known.draws
    if not isinstance(one.out_of, int) or one.out_of < 1:
        return over
    if any(each.n == one.out_of for each in over):
        return over
    return (*over, AuditedCount(name=f"said: of {one.of or 'as many'}", n=one.out_of))


def _stated(one: Published, over: Iterable[AuditedCount]) -> tuple[AuditedCount, ...]:
    """The denominator that the source names: as a number, or as another number that it prints."""
    names = {f"said: {one.of}", f"said: of {one.of}"} if one.of else set()
    return tuple(each for each in over if each.n == one.out_of or names & {*each.name.split(", ")})


def _of_its_name(one: Published, numerators: Sequence[Numerator]) -> Sequence[Numerator]:
    """Of printed counts those that end as the percentage does (`pass_rate_2`, `pass_num_2`), where there are some."""
    mark = one.metric.rpartition("_")[2]
    own = [each for each in numerators if not each.name.startswith(THEIRS)]
    said = [each for each in numerators if each.name.startswith(THEIRS)]
    same = [each for each in said if mark and each.name.rpartition("_")[2] == mark]
    return (*own, *(same or said))


def _given(rate: Rate) -> tuple[AuditedCount, ...]:
    """The denominators over which a known count prints so. A share that is a count exactly was not rounded."""
    given = tuple(each for each in rate.over if rate.by(each.n))
    exact = tuple(each for each in given if rate.exactly(each.n)) if rate.one.unit == "share" else ()
    return exact or given


def _verdict(rate: Rate, given: Sequence[AuditedCount], counted: Counted) -> tuple[Says, str]:
    if given:
        name = rate.by(given[0].n)
        other = "; the passes of its rows do not" if name.startswith(THEIRS) and isinstance(counted.passes, int) else ""
        return Says.GIVEN, f"{_by_whom(rate, given)}{other}"
    counts = {each.k for each in rate.numerators}
    cut = [each for each in rate.over if isinstance(each.n, int) and counts & {*cut_counts(rate.percent, each.n)}]
    if cut:
        return Says.CUT, f"only where its last digit was cut off, not rounded: over {_named(cut)}"
    near = [each for each in rate.over if rate.nearly(each.n)]
    if near:
        return Says.CUT, f"only where it was rounded up, or to no more digits than are printed: over {_named(near)}"
    if any(rate.fits(each.n) for each in rate.over):
        known = bool(rate.numerators or rate.sums)
        told = "; ".join(f"{some} of {each.n} would" for each in rate.over if (some := _some(rate, each.n)))
        told = "; ".join(part for part in (made_whole(rate.sums) if reducer_of(rate.one) else "", told) if part)
        why = "the counts that are known do not give it" if known else "no count of passes is known"
        return (Says.OTHER_COUNT if known else Says.POSSIBLE), f"{why}: {told or 'other values of its tasks would'}"
    tried = " or ".join(str(each.n) for each in rate.over)
    if not rate.one.unit_of:
        return Says.UNEXPLAINED, f"no count out of {tried} gives it, and nobody says that it is a count, and of what"
    if rate.stated:
        return Says.IMPOSSIBLE, f"no count out of {tried} gives it, rounded or cut"
    if _none_at_all(rate, counted):
        return (
            Says.IMPOSSIBLE,
            f"no count out of {tried}, or of any number of draws up to {_scheduled(counted)}, gives it",
        )
    return Says.UNEXPLAINED, f"no count out of {tried} gives it, and nobody says out of how many it is"


def _by_whom(rate: Rate, given: Sequence[AuditedCount]) -> str:
    """Each count with the denominators over which it prints so: a mean over tasks is no count over draws."""
    over: dict[str, list[AuditedCount]] = {}
    for each in given:
        over.setdefault(rate.by(each.n), []).append(each)
    return "; ".join(f"by {name}, over {_named(some)}" for name, some in over.items())


def _none_at_all(rate: Rate, counted: Counted) -> bool:
    """With a plan, and one draw a task, no denominator is left out when all up to the plan are tried."""
    n = _scheduled(counted)
    return rate.parts == 1 and 0 < n <= MOST_N and not any(map(rate.fits, range(1, n + 1)))


def _scheduled(counted: Counted) -> int:
    n = counted.n(SCHEDULED)
    return n if isinstance(n, int) else 0


def _some(rate: Rate, n: Count) -> str:
    """Counts out of n that would print so: rounded, or else in whatever way."""
    if not isinstance(n, int):
        return ""
    if counts := possible_counts(rate.percent, n):
        return _range(counts[0], counts[-1])
    first, last = max(0, floor(rate.low * n) + 1), min(n, ceil(rate.high * n) - 1)
    return _range(first, last) if first <= last else ""


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _not_as_said(rate: Rate, given: Sequence[AuditedCount]) -> str:
    """The denominator that the source names is not the one that gives its number."""
    if not given or not rate.stated or {each.n for each in rate.stated} & {each.n for each in given}:
        return ""
    return f"; not over the {rate.stated[0].n} that it says it is of"


def _other_n(percent: str, counted: Counted) -> range:
    """The n over which the passes of the rows print so, up to ten times what was recorded."""
    if not isinstance(counted.passes, int) or not counted.passes:
        return range(0)
    return possible_denominators(counted.passes, percent, MOST_TIMES * max(counted.largest, counted.passes))


def _elsewhere(rate: Rate, other: range, given: Sequence[AuditedCount], counted: Counted) -> str:
    """Over which numbers the passes of the rows would print so, where none that is known does."""
    if (
        given
        or (rate.sums and reducer_of(rate.one))
        or rate.one.unit_of == TASKS
        or not isinstance(counted.passes, int)
        or not counted.passes
    ):
        return ""
    if not other:
        return f"; {OWN} give it over no number of draws at all"
    between = str(other[0]) if len(other) == 1 else f"{other[0]} to {other[-1]}"
    return f"; {OWN} would give it over {between}"


def percent_of(one: Published) -> str | None:
    """The percentage as decimal text, with the digits that were printed; None where it is none."""
    value = _value(one)
    if value is None:
        return None
    value = value.scaleb(2) if one.unit == "share" else value
    if not 0 <= value <= 100:
        return None
    if -int(value.as_tuple().exponent) > FLOAT_DIGITS:
        value = round(value, KEPT_DIGITS)
    return f"{value:f}"


def _value(one: Published) -> Decimal | None:
    try:
        value = Decimal(one.value.strip().removesuffix("%").strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() and one.unit in ("percent", "share") else None


def _window(one: Published) -> tuple[Fraction, Fraction]:
    """Shares that can have been printed so: rounded to its digits in any way, or cut. Both ends are outside."""
    value = _value(one) or Decimal()
    digits = min(max(0, -int(value.as_tuple().exponent)), FLOAT_DIGITS)
    scale = 1 if one.unit == "share" else 100
    middle, unit = Fraction(value) / scale, Fraction(1, scale * 10**digits)
    return middle - unit, middle + unit


def _named(some: Iterable[AuditedCount]) -> str:
    return "; ".join(f"{one.n} ({one.name})" for one in some)


def line_of(
    one: Published,
    says: Says,
    what: str,
    *,
    by: tuple[str, ...] = (),
    given: Sequence[AuditedCount] = (),
    tried: Sequence[AuditedCount] = (),
    other: range = range(0),
) -> PublishedLine:
    """What is said of a printed number."""
    return PublishedLine(
        metric=one.metric, printed=one.value, unit=one.unit, role=one.role, of=one.of, where=one.where,
        says=says, what=what, by=by, given_by=tuple(given), tried=tuple(tried),
        other_n=(other[0], other[-1]) if other else (), out_of=one.out_of, unit_of=one.unit_of, counted=one.counted,
    )  # fmt: skip
