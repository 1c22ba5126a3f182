"""A ledger of any length, labelled line by line in bounded memory: rows that show the same facts are judged once.

A line is not made into a record when a line before it was the same in everything that can move a label, and of the same
types everywhere else. `coarse_key` says when (`label_keys.py`); unequal keys cost one more judgement and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from denominator.envelopes.terms import terms_of
from denominator.errors import InputError, Problem
from denominator.labels import label_row
from denominator.pipeline.label_keys import coarse_key
from denominator.pipeline.results import read_baseline
from denominator.pipeline.sealing import read_seal
from denominator.publish.labelled import labelled
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.jsonl import BadLine, Blank, Item, Line, iter_jsonl

MOST_KEPT = 65_536
MOST_PROBLEMS = 20
TERMS_BYTES = 64 << 20
PLACE = ("attempt", "repeat", "run_id", "task_id")
OF_ONE_ROW = frozenset((*PLACE, "where", "labels", "why"))


def stream_labels(file: BinaryIO, where: str, terms: Terms) -> Iterator[str]:
    """One line of JSON a row: its labels and its place. Raises InputError at the end, naming the lines that are no rows."""
    kept: dict[str, str] = {}
    named = frozenset((*terms.flaky_tasks, *terms.bad_tasks, *terms.expired_tasks))
    problems: list[Problem] = []
    bad = 0
    for item in iter_jsonl(file):
        try:
            yield _labelled(_value(item), kept, terms, named)
        except InputError as error:
            bad += 1
            if bad <= MOST_PROBLEMS:
                problems.append(Problem(f"{where}:{item.number}", _what(error)))
    if bad:
        what = f"{bad} lines are no rows; every other line was labelled"
        raise InputError(what, where=where, fix="write the ledger again, or repair these lines", problems=problems)


def _what(error: InputError) -> str:
    return "; ".join(f"{one.where} {one.what}".strip() for one in error.problems[:3]) or error.what


def _value(item: Item) -> dict[str, Any]:
    if isinstance(item, Line):
        return item.value
    if isinstance(item, BadLine):
        raise InputError(item.what)
    raise InputError("a blank line" if isinstance(item, Blank) else "the line breaks off")


def _labelled(value: dict[str, Any], kept: dict[str, str], terms: Terms, named: frozenset[str]) -> str:
    """The labels, judged or remembered, with the row's own place behind them."""
    key, place = coarse_key(value, named, terms.tool_loop_n), value.get("key")
    rest = kept.get(key)
    if rest is None or not isinstance(place, dict):
        row = from_json(AttemptRow, value)
        shown = _table(to_json(labelled(row, label_row(row, terms) if row.started else ())))
        rest = _text({name: one for name, one in shown.items() if name not in OF_ONE_ROW})
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = rest
        place = _table(to_json(row.key))
    return f"{rest[:-1]},{_text({name: place[name] for name in PLACE})[1:]}"


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("a record is written as a table")
    return value


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def terms_beside(path: Path) -> Terms:
    """The terms of a ledger file, from its own folder: `terms.json` of an import, or the seal of a run of ours."""
    folder = path.parent
    stated = folder / "terms.json"
    if stated.is_file():
        found: Terms = from_json(Terms, loads(read_bytes(stated, TERMS_BYTES), str(stated)), str(stated))
        return found
    if (folder / "seal.json").is_file():
        return terms_of(read_seal(folder / "seal.json"), baseline=read_baseline(folder / "baseline.json"))
    fix = "keep the file beside the seal.json of its run or the terms.json of its import"
    raise InputError("nothing says under which terms these rows were made", where=str(path), fix=fix)
