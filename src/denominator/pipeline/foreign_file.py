"""Foreign rows in a folder as they are judged by kind: `ledger.jsonl`, and what no rule reads of them in `beside.jsonl`."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.pipeline.beside_rows import BESIDE, made_whole
from denominator.pipeline.declaring import DECLARED, promised_of
from denominator.pipeline.foreign_columns import READ_BY_RULES
from denominator.pipeline.judging_file import judge_rows, take_rows, without_cycles
from denominator.pipeline.results import Result, write_card
from denominator.pipeline.row_writing import row_line
from denominator.records.declarations import Declaration
from denominator.records.foreign import ForeignRow
from denominator.records.rows import Source
from denominator.records.seals import Terms
from denominator.records.source_said import COLUMN, said_text
from denominator.wire.canonical import canonical
from denominator.wire.durable import sync_folder, write_file

ROWS = "ledger.jsonl"


class RowsFile:
    """A passing folder that rows are written to. It is kept under its name, or gone at the end."""

    def __init__(self, out: Path | None) -> None:
        self._out = out
        self._folder: Path | None = None
        self._files: tuple[BinaryIO, BinaryIO] | None = None

    def add(self, found: ForeignRow) -> None:
        """Write one row, and what lies beside it."""
        rows, beside = self._opened()
        row, said = found.row, said_text(found.labels)
        source = row.source
        file, _, pointer = source.file.partition("#")
        kept = {name: value for name, value in row.extra.items() if name in READ_BY_RULES}
        rest = {name: value for name, value in row.extra.items() if name not in READ_BY_RULES}
        kept |= {COLUMN: said} if said else {}
        place = Source(kind=source.kind, file=file, line=source.line, sha256=source.sha256)
        rows.write(row_line(row, {"source": place, "extra": kept}))
        beside.write(canonical({"pointer": pointer, "extra": rest}) + b"\n")

    def judge(self, declaration: Declaration, terms: Terms, notes: tuple[str, ...]) -> Result:
        """Judge what was written, and keep it all where a folder was named. Rows of the result stay readable."""
        for file in self._opened():
            file.flush()
            os.fsync(file.fileno())
            file.close()
        folder = self._place()
        write_file(folder / "terms.json", canonical(terms) + b"\n")
        write_file(folder / DECLARED, canonical(declaration) + b"\n")
        rows = (folder / ROWS).open("rb")
        with without_cycles():
            taken = take_rows(rows, ROWS, terms)
            taken = replace(taken, whole=made_whole(taken.whole, folder))
            result = judge_rows(taken, terms, promised_of(declaration), None, notes)
        if self._out is not None:
            write_card(folder / "card.json", result.card)
            if os.path.lexists(self._out):
                raise InputError("the folder is in use", where=str(self._out), fix="name a new one")
            folder.rename(self._out)
            sync_folder(self._out.parent)
        return result

    def close(self) -> None:
        """Forget what was not kept."""
        for file in self._files or ():
            file.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _opened(self) -> tuple[BinaryIO, BinaryIO]:
        if self._files is None:
            folder = self._place()
            self._files = ((folder / ROWS).open("wb"), (folder / BESIDE).open("wb"))
        return self._files

    def _place(self) -> Path:
        if self._folder is None:
            if self._out is not None:
                self._out.parent.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix=".new-import-", dir=self._out.parent if self._out else None))
        return self._folder


@contextmanager
def rows_file(out: Path | None) -> Iterator[RowsFile]:
    """A file for rows that are many; nothing is made before the first row is written."""
    file = RowsFile(out)
    try:
        yield file
    finally:
        file.close()
