"""What is known of a row, as text for the person who labels it: facts, patch, places to look at. No judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass

from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured

JUDGEMENTS = frozenset(("extra", "notes"))
"""A foreign row's further columns may hold what its source thinks of it."""
WHO = frozenset(("asked_model", "served_models", "access_class", "server_class", "seed"))
"""Whose failure it was is judged without knowing whose model it was."""
BOOKKEEPING = frozenset(("key", "source", "patch", "hints", "schema_version", "started", "closed", "cause", "stratum"))
LEFT_OUT = JUDGEMENTS | WHO | BOOKKEEPING
MOST_ITEMS = 20
MOST_CHARS = 600
SHOWN_DIGEST = 12


def facts_of(row: AttemptRow) -> dict[str, str]:
    """Every fact that is known, by name. What was not measured is absent; what was measured as no or 0 is there."""
    found = {}
    for one in fields(AttemptRow):
        value = getattr(row, one.name)
        if one.name not in LEFT_OUT and (one.name == "grade" or not _untouched(one, value)):
            text = text_of(value)
            if text:
                found[one.name] = text
    return found


def patch_of(row: AttemptRow) -> str:
    """The patch in a line: size, digest, paths."""
    patch = row.patch
    if isinstance(patch, NotMeasured):
        return ""
    parts = [f"bytes={text_of(patch.bytes) or 'not measured'}", f"sha256={patch.sha256[:SHOWN_DIGEST]}"]
    for name in ("touched", "outside", "forbidden", "refused"):
        paths = text_of(getattr(patch, name))
        parts += [f"{name}={paths}"] if paths else []
    return "; ".join(parts)


def hints_of(row: AttemptRow) -> tuple[str, ...]:
    """Texts of streams that are not the agent's, worth a look; none of them is a label."""
    return tuple(
        _cut(
            f"{one.stream} at byte {one.offset}: {one.quote}" + (f" (blob {one.ref[:SHOWN_DIGEST]})" if one.ref else "")
        )
        for one in row.hints[:MOST_ITEMS]
    )


def place_of(row: AttemptRow) -> tuple[str, ...]:
    """Where a foreign row stands in its file; a file that is no lines is named alone."""
    source = row.source
    return (f"{source.file} line {source.line}" if source.line else source.file,) if source.file else ()


def text_of(value: object) -> str:
    """A value in a line; nothing for what is unknown or empty."""
    if isinstance(value, NotMeasured) or value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _cut(", ".join(f"{name}={text_of(one)}" for name, one in sorted(value.items())))
    if isinstance(value, tuple | list):
        more = f" and {len(value) - MOST_ITEMS} more" if len(value) > MOST_ITEMS else ""
        return _cut(", ".join(text_of(one) for one in value[:MOST_ITEMS]) + more)
    if is_dataclass(value):
        named = ((one.name, text_of(getattr(value, one.name))) for one in fields(value))
        return _cut(", ".join(f"{name}={text}" for name, text in named if text))
    return _cut(str(value))


def _untouched(one: Field[object], value: object) -> bool:
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    return value == default or isinstance(value, NotMeasured)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 3] + "..."
