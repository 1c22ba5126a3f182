"""A ledger file of any length, judged in bounded memory: rows by kind, then draws, metrics, gate and card as for any ledger.

Memory grows by some tens of bytes a row and by the number of kinds, never by whole rows. Rows that may be a defect by
themselves are read again from the file.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, overload

from denominator.errors import Exit, InputError
from denominator.judge import judge_sheet, label_kind, table_sheet
from denominator.ledger.audit import distinct_rows
from denominator.ledger.table import Drawing, Drawn, Kind, RowTable, kind
from denominator.pipeline.beside_rows import made_whole
from denominator.pipeline.declaring import Promised, declared_beside, promised_by
from denominator.pipeline.house import house_lines, house_rules
from denominator.pipeline.label_stream import terms_beside
from denominator.pipeline.people import LABELS
from denominator.pipeline.results import Result, sealed_terms
from denominator.pipeline.row_helpers import HandOut, other_process
from denominator.pipeline.row_parts import Part, new_part
from denominator.pipeline.row_ranges import Range, by_cores, opened_range
from denominator.pipeline.row_reading import whole_row
from denominator.pipeline.rules import rules_digest
from denominator.publish.card import make_card
from denominator.records.draws import DeclaredDraws, placed
from denominator.records.keys import DrawKey
from denominator.records.rows import AttemptRow, Declared, Defect, Ledger
from denominator.records.seals import Seal, Terms
from denominator.wire.jsonl import RawLine

Cut = Callable[[BinaryIO], Sequence[Range]]
NO_PEOPLE = "labels of people lie beside this file: they are laid over whole runs, never over a file"
IMPORTED = "ledger.jsonl"
OWN_SHAPE = "denominator/1"
ALONE = "judged from {name} alone: journal, calls and stored evidence of the run were not looked at"


def open_ledger(path: Path) -> BinaryIO:
    """Open a ledger file for judging. Raises InputError: missing, a folder, or with labels of people beside it."""
    if not path.is_file():
        raise InputError("no such file", where=str(path), fix="name a run, or the ledger.jsonl in a run's folder")
    if (path.parent / LABELS).exists():
        imported = path.name == IMPORTED and (path.parent / "terms.json").is_file()
        fix = (
            "move them away, or import fewer rows (--declare, [subset])"
            if imported
            else "name the folder instead of the file"
        )
        raise InputError(NO_PEOPLE, where=str(path.parent / LABELS), fix=fix)
    return path.open("rb")


def judge_file(path: Path, file: BinaryIO) -> Result:
    """Judge the rows of a ledger file, under the terms and the declared draws beside it.

    `file` is the file, opened; it stays in use as long as rows of the result are looked at one by one.
    """
    with without_cycles():
        return judge_beside(path, lambda terms: _made_whole(take_rows(file, path.name, terms), path))


def _made_whole(taken: Taken, path: Path) -> Taken:
    """With the columns that lie beside the rows of an import."""
    return replace(taken, whole=made_whole(taken.whole, path.parent)) if path.name == IMPORTED else taken


@contextmanager
def without_cycles() -> Iterator[None]:
    """No search for cycles: columns and kinds hold none, and looking for some among millions of values takes long."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def judge_beside(path: Path, take: Callable[[Terms], Taken]) -> Result:
    """Judge what `take` reads of a ledger file, under the terms and the declared draws beside it."""
    folder = path.parent
    if not _of_run(path):
        terms, promised = terms_beside(path), declared_beside(folder)
        return judge_rows(take(terms), terms, promised)
    seal, terms = sealed_terms(folder)
    notes = (ALONE.format(name=path.name),)
    return judge_rows(take(terms), terms, promised_by(seal, folder.name), seal, notes)


def _of_run(path: Path) -> bool:
    return not (path.parent / "terms.json").is_file() and (path.parent / "seal.json").is_file()


@dataclass(frozen=True, slots=True)
class Taken:
    """The rows of a ledger file: in columns by kind, and whole where they are asked for one by one."""

    table: RowTable
    kinds: Sequence[Kind]
    defects: tuple[Defect, ...]
    whole: Sequence[AttemptRow]


class WholeRows(Sequence[AttemptRow]):
    """Every row of a file, read again when it is looked at: right for everything, and slow for all of them."""

    def __init__(self, file: BinaryIO, offsets: array[int]) -> None:
        self._file, self._offsets = file, offsets

    def __len__(self) -> int:
        return len(self._offsets)

    @overload
    def __getitem__(self, at: int, /) -> AttemptRow: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[AttemptRow, ...]: ...
    def __getitem__(self, at: int | slice, /) -> AttemptRow | tuple[AttemptRow, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        self._file.seek(self._offsets[at])
        raw = self._file.readline()
        return whole_row(RawLine(at + 1, self._offsets[at], raw.removesuffix(b"\n"), ended=raw.endswith(b"\n")))


def take_rows(file: BinaryIO, name: str, terms: Terms, cut: Cut = by_cores, hand_out: HandOut = other_process) -> Taken:
    """Read a ledger file line by line; a line that is no row is a defect, and none is skipped.

    A large file is cut into ranges. This process reads the first, others read the rest, and what they read is put together
    in the order of the file, so that it is the same as if one had read all. What another process did not come to the end
    of is read here, so its errors are the ones that this process has.
    """
    first, *rest = cut(file)
    part = new_part(terms)
    with ExitStack() as stack:
        answers = [stack.enter_context(hand_out(file.fileno(), one, terms)) for one in rest]
        part.read(file if not rest else opened_range(file.fileno(), first), first.start)
        for one, answer in zip(rest, answers, strict=True):
            told = answer()
            if told is None:
                part.read(opened_range(file.fileno(), one), one.start)
            else:
                part.take(told)
    kinds = [kind(row, label_kind(row, terms), terms) for row in part.reader.kinds]
    return Taken(part.table, kinds, tuple(_defects(part, name)), WholeRows(file, part.table.offsets))


def _defects(part: Part, name: str) -> Iterator[Defect]:
    """Lines that are no rows; past a limit only their number."""
    for one in part.faults:
        where, what = f"{name}:{one.line}", f"line {one.line}: {one.what}"
        yield Defect(kind=one.kind, where=where, what=what, blocks=one.blocks)
    if part.more:
        yield Defect(kind="bad_line", where=name, what=f"{part.more} more lines are no rows")


def judge_rows(
    taken: Taken, terms: Terms, promised: Promised, seal: Seal | None = None, notes: Sequence[str] = ()
) -> Result:
    """Draws, metrics, gate and card of rows that are held by kind."""
    drawing = Drawing(taken.table, taken.kinds, lambda same: _settled(same, taken.whole), promised.tasks is not None)
    drawn = drawing.draw(promised.tasks)
    names = sorted({one.row.key.run_id for one in taken.kinds})
    ledger = Ledger(
        run_id=promised.run_id or ", ".join(names),
        source="own" if seal else "import",
        declared=promised.unlisted if promised.tasks is None else DeclaredDraws(drawn.draws),  # type: ignore[arg-type]
        declared_n=promised.declared_n,
        rows=taken.whole,  # type: ignore[arg-type]
        defects=(*taken.defects, *promised.defects),
        shape=promised.shape or OWN_SHAPE,
    )
    suspects = _suspects(ledger, drawn, promised)
    judged = judge_sheet(table_sheet(ledger, terms, drawn, taken.kinds, suspects), house_rules())
    card = make_card(ledger, terms, judged, seal=seal, rules_digest=rules_digest(), house=house_lines(), notes=notes)
    return Result(ledger=ledger, terms=terms, judged=judged, card=card, exit=Exit(judged.verdict.exit))


def _suspects(ledger: Ledger, drawn: Drawn, promised: Promised) -> Ledger:
    """The rows that may be a defect by themselves, and which draws of their tasks were declared."""
    rows = tuple(ledger.rows[at] for at in sorted(set(drawn.suspects)))
    if promised.tasks is None:
        return replace(ledger, rows=rows)
    tasks = {row.key.task_id for row in rows}
    found = placed(drawn.draws, lambda _: True) if rows else ()
    declared = tuple(Declared(draw=DrawKey(task, repeat)) for task, repeat, _ in found if task in tasks)
    return replace(ledger, rows=rows, declared=declared)


def _settled(same: Sequence[int], whole: Sequence[AttemptRow]) -> int:
    """Which of several rows with one key stays: the one that stays where all of them are in memory."""
    rows = {at: whole[at] for at in same}
    (kept,) = distinct_rows(rows.values())
    return next(at for at, row in rows.items() if row is kept)
