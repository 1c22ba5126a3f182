"""Files for import tests, and what the import made of them."""

from __future__ import annotations

import json
from typing import Any

from denominator.importers import Imported, import_rows
from denominator.judge import judge
from denominator.records.judgements import Judged
from denominator.records.rows import AttemptRow


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def take(files: dict[str, Any]) -> Imported:
    """Files by name: bytes as they are, a list as JSONL, anything else as JSON."""
    found = []
    for name, content in files.items():
        data = content if isinstance(content, bytes) else lines(content) if isinstance(content, list) else None
        found.append((name, json.dumps(content).encode() if data is None else data))
    return import_rows(found)


def one(files: dict[str, Any]) -> AttemptRow:
    """The only row."""
    (row,) = take(files).ledger.rows
    return row


def judged(imported: Imported) -> Judged:
    return judge(imported.ledger, imported.terms)


def exits(imported: Imported) -> dict[str, tuple[str, str, str]]:
    """task -> exit, origin, bucket."""
    return {draw.draw.task_id: (draw.exit, draw.origin, draw.mix) for draw in judged(imported).sheet.draws}


def kinds(imported: Imported) -> list[str]:
    return [defect.kind for defect in imported.ledger.defects if defect.kind != "missing_companion"]
