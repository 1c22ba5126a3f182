"""Every number that a source prints, held against its rows. Exact integers: a percentage is a count out of n, or it is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from denominator.pipeline.audit_counts import (
    ERRORS,
    HIDDEN,
    RECORDED,
    SCHEDULED,
    SCORED_ONES,
    SUBMITTED,
    WITHOUT_ERROR,
    Counted,
)
from denominator.records.audits import AuditedCount, PublishedLine, Says
from denominator.records.foreign import Published
from denominator.records.rows import Count
from denominator.stats import cut_counts, possible_counts, possible_denominators

RATE, PASSED = "rate", "passed"
FLOAT_DIGITS, KEPT_DIGITS = 10, 8
"""More decimals than these are those of a binary fraction: so many of them are held against the counts."""
MOST_TIMES = 10
WHOLE = re.compile("[0-9]{1,15}")
OWN = "the passes of its rows"
MEANS = {
    "passed": (),
    "scheduled": (SCHEDULED,),
    "completed": (RECORDED, SCORED_ONES, WITHOUT_ERROR, SUBMITTED),
    "errors": (ERRORS,),
}
"""The counts of rows that a printed count of this role can mean."""


class Numerator(NamedTuple):
    """A count of passes, and whose word it is."""

    name: str
    k: int


def published_lines(published: Sequence[Published], counted: Counted) -> tuple[PublishedLine, ...]:
    """One line for each printed number, in the order of the source."""
    over = _denominators(published, counted)
    numerators = _numerators(published, counted)
    return tuple(
        _rate(one, numerators, over, counted) if one.role == RATE else _count(one, counted) for one in published
    )


def _denominators(published: Sequence[Published], counted: Counted) -> tuple[AuditedCount, ...]:
    """What the rows give, then what the source says it is of; equal numbers stand once, with all their names."""
    said = [
        (f"said: {one.metric}", n) for one in published if one.role in ("scheduled", "completed") and (n := _whole(one))
    ]
    said += [(f"said: of {one.of}", int(one.of)) for one in published if one.role == RATE and WHOLE.fullmatch(one.of)]
    own = [(one.name, one.n) for one in counted.denominators if isinstance(one.n, int)]
    names: dict[int, list[str]] = {}
    for name, n in (*own, *said):
        if n > 0 and name not in names.setdefault(n, []):
            names[n].append(name)
    return tuple(AuditedCount(name=", ".join(names[n]), n=n) for n in names if n > 0)


def _numerators(published: Sequence[Published], counted: Counted) -> tuple[Numerator, ...]:
    """The passes of the rows, and those that the source prints."""
    own = (Numerator(OWN, counted.passes),) if isinstance(counted.passes, int) else ()
    said = [
        Numerator(f"said: {one.metric}", k)
        for one in published
        if one.role == PASSED and (k := _whole(one)) is not None
    ]
    return (*own, *said)


def _whole(one: Published) -> int | None:
    """A printed count."""
    text = one.value.strip()
    return int(text) if one.unit == "count" and WHOLE.fullmatch(text) else None


def _rate(
    one: Published, numerators: Sequence[Numerator], over: Sequence[AuditedCount], counted: Counted
) -> PublishedLine:
    """A percentage or a share: which count over which denominator prints so."""
    percent = percent_of(one)
    if percent is None:
        return _line(one, Says.UNCHECKED, "is no percentage from 0 to 100")
    if counted.passes == HIDDEN:
        return _line(one, Says.WITHHELD, "not held against the rows: a control is violated", tried=over)
    if not over:
        return _line(one, Says.UNCHECKED, "nothing says out of how many: neither rows nor a printed count")
    numerators = _of_its_name(one, numerators)
    by = tuple(each.name for each in numerators)
    given = tuple(each for each in over if _prints(percent, numerators, each.n))
    other = _other_n(percent, counted)
    says, what = _verdict(percent, numerators, over, given)
    what += _not_as_said(one, given, over) + _elsewhere(other, given, counted)
    return _line(one, says, what, by=by, given=given, tried=over, other=other)


def _of_its_name(one: Published, numerators: Sequence[Numerator]) -> Sequence[Numerator]:
    """Of printed counts those that end as the percentage does (`pass_rate_2`, `pass_num_2`), where there are some."""
    mark = one.metric.rpartition("_")[2]
    own = [each for each in numerators if each.name == OWN]
    said = [each for each in numerators if each.name != OWN]
    same = [each for each in said if mark and each.name.rpartition("_")[2] == mark]
    return (*own, *(same or said))


def _not_as_said(one: Published, given: Sequence[AuditedCount], over: Sequence[AuditedCount]) -> str:
    """The denominator that the source names is not the one that gives its number."""
    named = [
        each
        for each in over
        if f"said: {one.of}" in each.name.split(", ") or f"said: of {one.of}" in each.name.split(", ")
    ]
    return f"; not over the {named[0].n} that it says it is of" if given and named and named[0] not in given else ""


def _prints(percent: str, numerators: Iterable[Numerator], n: Count) -> bool:
    counts = possible_counts(percent, n) if isinstance(n, int) else ()
    return any(one.k in counts for one in numerators)


def _verdict(
    percent: str, numerators: Sequence[Numerator], over: Sequence[AuditedCount], given: Sequence[AuditedCount]
) -> tuple[Says, str]:
    if given:
        return Says.GIVEN, f"by {_by(percent, numerators, given)}, over {_named(given)}"
    cut = [
        one
        for one in over
        if isinstance(one.n, int) and {each.k for each in numerators} & {*cut_counts(percent, one.n)}
    ]
    if cut:
        return Says.CUT, f"only where its last digit was cut off, not rounded: over {_named(cut)}"
    possible = {one.n: counts for one in over if isinstance(one.n, int) and (counts := possible_counts(percent, one.n))}
    if not possible:
        return Says.IMPOSSIBLE, f"no count out of {' or '.join(str(one.n) for one in over)} gives it"
    told = "; ".join(f"{_some(counts)} of {n} would" for n, counts in possible.items())
    if not numerators:
        return Says.POSSIBLE, f"no count of passes is known: {told}"
    return Says.OTHER_COUNT, f"the counts that are known do not give it: {told}"


def _by(percent: str, numerators: Iterable[Numerator], given: Sequence[AuditedCount]) -> str:
    """Whose count it is."""
    names = [one.name for one in numerators if any(_prints(percent, (one,), each.n) for each in given)]
    return names[0] if names else ""


def _other_n(percent: str, counted: Counted) -> range:
    """The n over which the passes of the rows print so, up to ten times what was recorded."""
    if not isinstance(counted.passes, int) or not counted.passes:
        return range(0)
    return possible_denominators(counted.passes, percent, MOST_TIMES * max(counted.largest, counted.passes))


def _elsewhere(other: range, given: Sequence[AuditedCount], counted: Counted) -> str:
    """Over which numbers the passes of the rows would print so, where none that is known does."""
    if given or not isinstance(counted.passes, int) or not counted.passes:
        return ""
    if not other:
        return f"; {OWN} give it over no number of draws at all"
    between = str(other[0]) if len(other) == 1 else f"{other[0]} to {other[-1]}"
    return f"; {OWN} would give it over {between}"


def _count(one: Published, counted: Counted) -> PublishedLine:
    """A printed count against the counts of the rows that it can mean."""
    k, means = _whole(one), MEANS.get(one.role)
    if k is None or means is None:
        return _line(one, Says.UNCHECKED, "no count that rows could give")
    rows = [AuditedCount(name=OWN, n=counted.passes)] if one.role == PASSED else [
        AuditedCount(name=name, n=counted.errors if name == ERRORS else counted.n(name)) for name in means
    ]  # fmt: skip
    if any(each.n == HIDDEN for each in rows):
        return _line(one, Says.WITHHELD, "not held against the rows: a control is violated")
    known = tuple(each for each in rows if isinstance(each.n, int))
    if one.role != "scheduled" and counted.n(RECORDED) == 0:
        return _line(one, Says.UNCHECKED, "there are no rows")
    if not known:
        return _line(one, Says.UNCHECKED, next(each.n.not_measured for each in rows if not isinstance(each.n, int)))
    same = tuple(each for each in known if each.n == k)
    if same:
        return _line(one, Says.AGREES, f"as many: {', '.join(each.name for each in same)}", given=same, tried=known)
    return _line(one, Says.DISAGREES, f"the rows give {_named(known)}", tried=known)


def percent_of(one: Published) -> str | None:
    """The percentage as decimal text, with the digits that were printed; None where it is none."""
    text = one.value.strip().removesuffix("%").strip()
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    if not value.is_finite() or one.unit not in ("percent", "share"):
        return None
    value = value.scaleb(2) if one.unit == "share" else value
    if not 0 <= value <= 100:
        return None
    if -int(value.as_tuple().exponent) > FLOAT_DIGITS:
        value = round(value, KEPT_DIGITS)
    return f"{value:f}"


def _named(some: Iterable[AuditedCount]) -> str:
    return "; ".join(f"{one.n} ({one.name})" for one in some)


def _some(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _line(
    one: Published,
    says: Says,
    what: str,
    *,
    by: tuple[str, ...] = (),
    given: Sequence[AuditedCount] = (),
    tried: Sequence[AuditedCount] = (),
    other: range = range(0),
) -> PublishedLine:
    return PublishedLine(
        metric=one.metric, printed=one.value, unit=one.unit, role=one.role, of=one.of, where=one.where,
        says=says, what=what, by=by, given_by=tuple(given), tried=tuple(tried),
        other_n=(other[0], other[-1]) if other else (),
    )  # fmt: skip
