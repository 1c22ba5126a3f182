"""A ledger of any length, labelled line by line in bounded memory: rows that show the same facts are judged once.

A line is not read again when a line before it had the same bytes but for numbers and digests that no label reads
(`label_masks.py`); every other line is read as a row, which checks it, and judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from denominator.envelopes.terms import terms_of
from denominator.errors import InputError, Problem
from denominator.labels import label_row
from denominator.pipeline.label_masks import mask
from denominator.pipeline.results import read_baseline
from denominator.pipeline.sealing import read_seal
from denominator.publish.labelled import labelled
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.jsonl import BadLine, Blank, Item, Line, RawLine, raw_lines, read_line

MOST_KEPT = 65_536
MOST_PROBLEMS = 20
TERMS_BYTES = 64 << 20
PLACE = ("attempt", "repeat", "run_id", "task_id")
NOTHING_TO_READ = ',"read_it":"",'
OF_ONE_ROW = frozenset((*PLACE, "where", "labels", "why", "hints", "words"))


def stream_labels(file: BinaryIO, where: str, terms: Terms) -> Iterator[str]:
    """One line of JSON a row: its labels and its place. Raises InputError at the end, naming the lines that are no rows."""
    memory = Memory(terms)
    problems: list[Problem] = []
    bad = 0
    for line in raw_lines(file):
        try:
            yield memory.labelled(line)
        except InputError as error:
            bad += 1
            if bad <= MOST_PROBLEMS:
                problems.append(Problem(f"{where}:{line.number}", _what(error)))
    if bad:
        what = f"{bad} lines are no rows; every other line was labelled"
        raise InputError(what, where=where, fix="write the ledger again, or repair these lines", problems=problems)


def needs_a_person(line: str) -> bool:
    """Must a person look at the row of this labelled line? The mark of one that nobody must see cannot stand in a text."""
    return NOTHING_TO_READ not in line


def _what(error: InputError) -> str:
    return "; ".join(f"{one.where} {one.what}".strip() for one in error.problems[:3]) or error.what


def _value(item: Item) -> dict[str, Any]:
    if isinstance(item, Line):
        return item.value
    if isinstance(item, BadLine):
        raise InputError(item.what)
    raise InputError("a blank line" if isinstance(item, Blank) else "the line breaks off")


class Memory:
    """What was said of lines with the same masked bytes; any other line is read as a row and judged."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.named = frozenset((*terms.flaky_tasks, *terms.bad_tasks, *terms.expired_tasks))
        self.kept: dict[bytes, str] = {}

    def labelled(self, line: RawLine) -> str:
        """The labels of one line, with its own place behind them. Raises InputError for a line that is no row."""
        masked = mask(line.raw, self.named)
        rest = self.kept.get(masked.digest) if masked is not None else None
        if masked is not None and rest is not None:
            return f"{rest},{masked.place}}}"
        row = from_json(AttemptRow, _value(read_line(line)))
        shown = _table(to_json(labelled(row, label_row(row, self.terms) if row.started else ())))
        rest = _text({name: one for name, one in shown.items() if name not in OF_ONE_ROW})[:-1]
        if masked is not None:
            self._keep(masked.digest, rest)
        return f"{rest},{_text({name: shown[name] for name in PLACE})[1:]}"

    def _keep(self, digest: bytes, said: str) -> None:
        """Remember, in bounded memory."""
        if len(self.kept) >= MOST_KEPT:
            self.kept.clear()
        self.kept[digest] = said


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
