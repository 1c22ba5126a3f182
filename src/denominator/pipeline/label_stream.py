"""A ledger of any length, labelled line by line in bounded memory: rows of one kind are judged once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from denominator.errors import InputError, Problem
from denominator.labels import label_row
from denominator.pipeline.results import sealed_terms
from denominator.pipeline.row_reading import RowReader, RowsRead
from denominator.publish.labelled import labelled
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.records.source_said import said_in
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.jsonl import RawBlock, RawLine, raw_blocks

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
    for block in raw_blocks(file):
        found = memory.read(block)
        yield from memory.labelled(found)
        bad += len(found.bad)
        for line, error in found.bad[: max(0, MOST_PROBLEMS - len(problems))]:
            problems.append(Problem(f"{where}:{line.number}", what_is_wrong(error)))
    if bad:
        what = f"{bad} lines are no rows; every other line was labelled"
        raise InputError(what, where=where, fix="write the ledger again, or repair these lines", problems=problems)


def needs_a_person(line: str) -> bool:
    """Must a person look at the row of this labelled line? The mark of one that nobody must see cannot stand in a text."""
    return NOTHING_TO_READ not in line


def what_is_wrong(error: InputError) -> str:
    """Why a line is no row, in a few words."""
    return "; ".join(f"{one.where} {one.what}".strip() for one in error.problems[:3]) or error.what


class Memory:
    """What is said of rows by kind."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.reader = RowReader(terms)
        self.said: list[tuple[str, str]] = []

    def read(self, block: RawBlock | RawLine) -> RowsRead:
        """The rows of some lines; what is said of their kinds is known then."""
        if len(self.said) > MOST_KEPT:
            self.reader, self.said = RowReader(self.terms), []
        found = self.reader.read(block)
        self.said += map(self._said, self.reader.kinds[len(self.said) :])
        return found

    def labelled(self, found: RowsRead) -> Iterator[str]:
        """The labels of rows, each with its own place behind them."""
        for kind, task, repeat in zip(found.kinds, found.tasks, found.repeats, strict=True):
            head, run = self.said[kind]
            yield f'{head}"repeat":{repeat},"run_id":{run},"task_id":{_text(task.decode("utf-8", "surrogatepass"))}}}'

    def _said(self, row: AttemptRow) -> tuple[str, str]:
        """What is said of every row of a kind, up to its repeat, and its run."""
        shown = _table(to_json(labelled(row, label_row(row, self.terms, said_in(row)) if row.started else ())))
        rest = _text({name: one for name, one in shown.items() if name not in OF_ONE_ROW})[:-1]
        return f'{rest},"attempt":{row.key.attempt},', _text(row.key.run_id)


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("a record is written as a table")
    return value


def _text(value: Mapping[str, Any] | str) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def terms_beside(path: Path) -> Terms:
    """The terms of a ledger file, from its own folder: `terms.json` of an import, or the seal of a run of ours."""
    folder = path.parent
    stated = folder / "terms.json"
    if stated.is_file():
        found: Terms = from_json(Terms, loads(read_bytes(stated, TERMS_BYTES), str(stated)), str(stated))
        return found
    if (folder / "seal.json").is_file():
        return sealed_terms(folder)[1]
    fix = "keep the file beside the seal.json of its run or the terms.json of its import"
    raise InputError("nothing says under which terms these rows were made", where=str(path), fix=fix)
