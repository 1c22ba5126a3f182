"""The digest of what ran the attempts. It ignores nothing silently: what it covers is named, what it leaves out is listed.

It is made of the conditions of a run (docs/formats/conditions.md). A condition that is unknown makes it unknown: two
unknowns are never the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from denominator.records.conditions import Condition, Conditions
from denominator.records.rows import Text
from denominator.records.slips import SlipHarness
from denominator.records.values import NotMeasured, is_placeholder
from denominator.wire.canonical import digest, sha256_bytes

PRIVATE = ("agent_env", "agent_id", "endpoint_path")
"""Values that may hold what a published slip should not: shown by their digest, whatever their length."""
SHOWN = 48
NOTHING = "none"
ELSEWHERE: Mapping[str, str] = {
    "agent_id": "stands in model.agent",
    "agent_version": "stands in model.agent_version",
    "model_id": "stands in model.id",
    "model_snapshot": "stands in model.snapshot",
    "served_model": "stands in model.served",
    "temperature": "stands in model.sampling",
    "seed": "stands in model.sampling",
    "seeds": "stands in model.sampling",
    "max_output_tokens": "stands in model.sampling",
    "cpus": "stands in box",
}
"""Conditions that have a place of their own on a slip."""
NAMED = ("harness_name", "harness_version", "harness_commit")
"""Under the digest, and shown in fields of their own."""
SAMPLING = ("temperature", "seed", "seeds", "max_output_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a table of conditions says of them: which move no rate and why, and without which nothing is compared."""

    left_out: Mapping[str, str]
    needed: tuple[str, ...] = ()


def said(conditions: Conditions, name: str) -> Text:
    """The plain text of a condition; unknown where nothing states it, or only a placeholder does."""
    found = next((one for one in conditions if one.name == name), None)
    if found is None:
        return NotMeasured("not stated")
    return _plain(found.value)


def _plain(value: Text) -> Text:
    if isinstance(value, NotMeasured):
        return value
    try:
        read = json.loads(value)
    except ValueError:
        return value
    text = read if isinstance(read, str) else value
    return NotMeasured("not filled in") if is_placeholder(text) else text


def harness_of(conditions: Conditions, table: Table, more: Iterable[Condition] = ()) -> SlipHarness:
    """The harness of a run: name, version, commit, the digest of everything that moves a rate and stands nowhere else."""
    stated = {one.name: one.value for one in (*conditions, *more)}
    out = {**table.left_out, **{name: why for name, why in ELSEWHERE.items() if name != "agent_id"}}
    covered = {name: value for name, value in stated.items() if name not in out}
    absent = {name: NotMeasured("not stated") for name in table.needed if name not in stated and name not in out}
    return SlipHarness(
        name=said(conditions, "harness_name"),
        version=said(conditions, "harness_version"),
        commit=said(conditions, "harness_commit"),
        digest=_digest({**covered, **absent}),
        left_out=tuple(f"{name}: {out[name]}" for name in sorted(stated) if name in out),
        covers={
            name: _covered(name, value) for name, value in sorted({**covered, **absent}.items()) if name not in NAMED
        },
    )


def _digest(covered: Mapping[str, Text]) -> Text:
    unknown = sorted(name for name, value in covered.items() if isinstance(_plain(value), NotMeasured))
    if unknown:
        return NotMeasured(f"unknown: {', '.join(unknown)}")
    if not covered:
        return NotMeasured("nothing is stated of the harness")
    return digest(dict(covered))


def _covered(name: str, value: Text) -> Text:
    """A value as the slip shows it."""
    text = _plain(value)
    if isinstance(text, NotMeasured):
        return text
    short = text == NOTHING or (len(text) <= SHOWN and name not in PRIVATE)
    return text if short else f"sha256:{sha256_bytes(text.encode('utf-8', 'surrogatepass'))[:12]}"


def folder_digest(files: Mapping[str, str], left_out: Sequence[str]) -> Text:
    """The digest of a folder by path and sha256; the patterns that left something out are a part of it."""
    if not files:
        return NotMeasured("the folder of the harness holds no file")
    return digest({"files": dict(files), "left_out": sorted(left_out)})
