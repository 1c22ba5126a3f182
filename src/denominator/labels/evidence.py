"""What a label quotes: the named facts of the row itself, with the event, the call or the place in a blob they came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.labels.hints import field_of
from denominator.labels.shape import Asked, No, Tried
from denominator.records.facts import Hint, SurfaceFacts, ToolFacts
from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Tally, TestIds
from denominator.records.values import NotMeasured

LONGEST = 200
WORDS = {None: "none", True: "yes", False: "no"}
IMPORTED = "imported."
HINT = "hints/"


def evidence_of(row: AttemptRow, names: Iterable[str], imported: Mapping[str, Label]) -> tuple[Evidence, ...]:
    """Quotes the named facts of a row; a judgement of the source quotes what the import quoted."""
    return tuple(one for name in names for one in _quoted(row, name, imported))


def _quoted(row: AttemptRow, name: str, imported: Mapping[str, Label]) -> Iterable[Evidence]:
    if name.startswith(IMPORTED):
        label = imported.get(name.removeprefix(IMPORTED))
        return label.evidence if label is not None else ()
    if name.startswith(HINT):
        return [_hint(hint) for hint in row.hints if field_of(hint) == name][:1]
    if name == "first_unrecovered" and row.first_unrecovered is not None:
        return (_event(row.first_unrecovered),)
    return (Evidence(kind="row", ref=name, quote=quote_of(row, name)),)


def _event(failure: Failure) -> Evidence:
    quote = f"{failure.cause} by {failure.writer} in phase {failure.phase}"
    return Evidence(kind="event", ref=str(failure.seq), quote=quote)


def _hint(hint: Hint) -> Evidence:
    place = {"stream": hint.stream, "offset": hint.offset, "length": hint.length, "quote": hint.quote[:LONGEST]}
    return Evidence(kind="blob" if hint.ref else "row", ref=hint.ref or "hints", **place)  # type: ignore[arg-type]


def quote_of(row: AttemptRow, name: str) -> str:
    """The value of a fact of the row (`grade`, `patch.outside`) as text."""
    return _text(_value(row, name))[:LONGEST]


def _value(row: AttemptRow, name: str) -> object:
    value: object = row
    for part in name.split("."):
        if isinstance(value, NotMeasured):
            break
        value = getattr(value, part)
    return value


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return WORDS[value]
    if isinstance(value, tuple):
        return ", ".join(_text(one) for one in value) or "none"
    if isinstance(value, PatchFacts):
        return f"{_text(value.bytes)} bytes, {len(value.touched)} paths, sha256 {value.sha256[:12] or 'not recorded'}"
    if isinstance(value, TestIds):
        counts = (
            f"{name} {len(getattr(value, name))}" for name in ("expected", "passed", "failed", "missing", "other")
        )
        return ", ".join(counts)
    if isinstance(value, Tally):
        return f"{value.failed} of {value.expected} failed as they must"
    if isinstance(value, ToolFacts):
        return f"{value.calls} calls from {value.source}, results of {value.with_results} known"
    if isinstance(value, SurfaceFacts):
        return f"{value.used} surfaces used, {len(value.invented)} invented, {len(value.unchecked)} parts unchecked"
    if isinstance(value, Hint):
        return f"{value.cause} in {value.stream} at {value.offset}"
    return str(value) or "none"


def as_labels(row: AttemptRow, asked: Iterable[Asked], imported: Mapping[str, Label]) -> tuple[Label, ...]:
    """The labels that answers become, each quoting the row itself."""
    return tuple(label for one in asked for label in _labels(row, one, imported))


def _labels(row: AttemptRow, asked: Asked, imported: Mapping[str, Label]) -> Iterable[Label]:
    """What one rule said, on all its axes, with the same evidence."""
    evidence = evidence_of(row, asked.said[0].fields, imported) if asked.said else ()
    for said in asked.said:
        yield Label(
            key=row.key,
            axis=said.axis,
            value=said.value,
            by=asked.rule.by,
            confidence=said.confidence,
            evidence=evidence,
            why=said.why,
            would_change=said.would_change,
        )


def as_tried(row: AttemptRow, asked: Asked, imported: Mapping[str, Label]) -> Tried:
    """The answer of one rule with the facts that it looked at, quoted."""
    fields = asked.said[0].fields if asked.said else asked.no.fields
    return Tried(
        rule=asked.rule,
        axis=asked.rule.axis,
        said=asked.said,
        why_not="" if asked.said else _why_not(row, asked.no),
        evidence=evidence_of(row, fields, imported),
    )


def _why_not(row: AttemptRow, no: No) -> str:
    names = [name for name in no.fields if not name.startswith((IMPORTED, HINT))]
    unknown = [name for name in names if _value(row, name).__class__ is NotMeasured]
    looked = [f"{name}: {quote_of(row, name)}" for name in names if name not in unknown]
    if unknown:
        looked.append(f"not known: {', '.join(unknown)}")
    return f"{no.why} ({'; '.join(looked)})" if looked else no.why
