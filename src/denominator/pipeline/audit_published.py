"""Every number that a source prints, held against its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from denominator.pipeline.audit_rates import COUNTED, LATE, OWN, SAID, WHOLE, Known, Numerator, line_of, rate_line
from denominator.records.audits import AuditedCount, PublishedLine, Says
from denominator.records.foreign import Published

RATE, PASSED = "rate", "passed"
NO_COUNT = "not held against the rows: tokens, a cost, an error of a mean, or a count that no rule of the audit knows"
MEANS = {
    "passed": (),
    "scheduled": (SCHEDULED,),
    "completed": (RECORDED, SCORED_ONES, WITHOUT_ERROR, SUBMITTED),
    "errors": (ERRORS,),
}
"""The counts of rows that a printed count of this role can mean."""


def published_lines(published: Sequence[Published], counted: Counted) -> tuple[PublishedLine, ...]:
    """One line for each printed number, in the order of the source."""
    known = Known(
        counted=counted,
        numerators=_numerators(published, counted),
        draws=_denominators(published, counted.denominators),
        tasks=_denominators(published, counted.by_task.denominators),
    )
    return tuple(rate_line(one, known) if one.role == RATE else _count(one, counted) for one in published)


def _denominators(published: Sequence[Published], rows: Sequence[AuditedCount]) -> tuple[AuditedCount, ...]:
    """What the rows give, then what the source says it is of; equal numbers stand once, with all their names."""
    said = [
        (f"said: {one.metric}", n) for one in published if one.role in ("scheduled", "completed") and (n := _whole(one))
    ]
    said += [(f"said: of {one.of}", int(one.of)) for one in published if one.role == RATE and WHOLE.fullmatch(one.of)]
    own = [(one.name, one.n) for one in rows if isinstance(one.n, int)]
    names: dict[int, list[str]] = {}
    for name, n in (*own, *said):
        if n > 0 and name not in names.setdefault(n, []):
            names[n].append(name)
    return tuple(AuditedCount(name=", ".join(names[n]), n=n) for n in names if n > 0)


def _numerators(published: Sequence[Published], counted: Counted) -> tuple[Numerator, ...]:
    """The passes of the rows, and those that the source prints."""
    own = tuple(Numerator(each.name, each.n) for each in _passes(counted) if isinstance(each.n, int))
    said = [
        Numerator(f"{COUNTED if one.counted else SAID}{one.metric}", k)
        for one in published
        if one.role == PASSED and (k := _whole(one)) is not None
    ]
    return (*own, *said)


def _passes(counted: Counted) -> list[AuditedCount]:
    """The passes of the rows; beside them those of later attempts, where some draw passed so."""
    own, late = AuditedCount(name=OWN, n=counted.passes), AuditedCount(name=LATE, n=counted.passes_late)
    return [own, late] if isinstance(late.n, int) and isinstance(own.n, int) and late.n > own.n else [own]


def _whole(one: Published) -> int | None:
    """A printed count."""
    text = one.value.strip()
    return int(text) if one.unit == "count" and WHOLE.fullmatch(text) else None


def _count(one: Published, counted: Counted) -> PublishedLine:
    """A printed count against the counts of the rows that it can mean."""
    k, means = _whole(one), MEANS.get(one.role)
    if k is None or means is None:
        return line_of(one, Says.UNCHECKED, NO_COUNT)
    rows = _passes(counted) if one.role == PASSED else [
        AuditedCount(name=name, n=counted.errors if name == ERRORS else counted.n(name)) for name in means
    ]  # fmt: skip
    if any(each.n == HIDDEN for each in rows):
        return line_of(one, Says.WITHHELD, "not held against the rows: a control is violated")
    known = tuple(each for each in rows if isinstance(each.n, int))
    if one.role != "scheduled" and counted.n(RECORDED) == 0:
        return line_of(one, Says.UNCHECKED, "there are no rows")
    if not known:
        return line_of(one, Says.UNCHECKED, next(each.n.not_measured for each in rows if not isinstance(each.n, int)))
    same = tuple(each for each in known if each.n == k)
    if same:
        return line_of(one, Says.AGREES, f"as many: {', '.join(each.name for each in same)}", given=same, tried=known)
    return line_of(one, Says.DISAGREES, f"the rows give {_named(known)}", tried=known)


def _named(some: Iterable[AuditedCount]) -> str:
    return "; ".join(f"{one.n} ({one.name})" for one in some)
