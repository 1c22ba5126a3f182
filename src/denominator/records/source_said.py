"""What a source thinks of a row, kept inside the row: for ledgers that are too long to hold labels beside their rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow

COLUMN = "source_says"


def said_text(labels: Iterable[Label]) -> str:
    """The judgements of a source as one text for the column; "" where there are none."""
    said = [[one.axis, one.value, one.by, one.evidence[0].quote if one.evidence else "", one.why] for one in labels]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")) if said else ""


def said_in(row: AttemptRow) -> Mapping[str, Label]:
    """By axis, as the labels of its source would be; nothing where the row keeps none, or no list of such."""
    if COLUMN not in row.extra:
        return {}
    try:
        said = json.loads(row.extra[COLUMN])
    except ValueError:
        return {}
    lines = said if isinstance(said, list) else []
    texts = [
        one for one in lines if isinstance(one, list) and len(one) == 5 and all(isinstance(each, str) for each in one)
    ]
    return {axis: _label(row, axis, value, by, quote, why) for axis, value, by, quote, why in texts}


def _label(row: AttemptRow, axis: str, value: str, by: str, quote: str, why: str) -> Label:
    place = f"{row.source.file}:{row.source.line}" if row.source.line else row.source.file
    evidence = (Evidence(kind="import", ref=place, quote=quote),)
    return Label(key=row.key, axis=axis, value=value, by=by, confidence="low", evidence=evidence, why=why)
