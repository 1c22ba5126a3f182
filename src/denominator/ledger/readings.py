"""What readers said about an attempt (`facts` events), as fields of its row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from denominator.errors import InputError
from denominator.ledger.fields import names, text
from denominator.records.events import Event, Json
from denominator.records.facts import OwnAccount, SurfaceFacts, ToolFacts
from denominator.records.values import NotMeasured
from denominator.wire.codec import from_json

FIELDS: Mapping[str, tuple[str, type]] = {
    "tools": ("tools", ToolFacts),
    "api": ("surfaces", SurfaceFacts),
    "own_account": ("own_account", OwnAccount),
}
"""Reader -> the field of the row that it fills, and its record."""


def read_facts(event: Event) -> dict[str, Any]:
    """The field that the reader of this event fills. What no longer fits its record is unknown and says why."""
    reader, data = text(event.payload, "reader"), event.payload.get("data")
    known = FIELDS.get(reader)
    if known is None or not isinstance(data, dict):
        return {}
    field, record = known
    differs = data.get("differs")
    notes = {"notes": (differs,)} if isinstance(differs, str) and differs else {}
    looked = {"looked_beyond": names(data, "looked_beyond")} if "looked_beyond" in data else {}
    return {field: _as_record(record, data, f"event {event.seq}"), **notes, **looked}


def _as_record(record: type, data: dict[str, Json], where: str) -> object:
    if isinstance(data.get("not_measured"), str):
        return NotMeasured(str(data["not_measured"]))
    names = {one.name for one in fields(record)}
    try:
        return from_json(record, {key: value for key, value in data.items() if key in names}, where)
    except InputError as error:
        return NotMeasured(f"{where}: these facts cannot be read: {error}")
