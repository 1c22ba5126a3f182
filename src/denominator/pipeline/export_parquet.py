"""Parquet as an export: the rows of the ledger, as `runs parquet` writes them. Needs the extra `parquet`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from denominator.exporters.shape import refuse_hidden_split
from denominator.pipeline.parquet_writing import write_parquet
from denominator.records.exports import Export


class Parquet:
    """One row an attempt. The writer is that of `runs parquet`, whose files `card` and `gate` judge."""

    name = "parquet"
    title = "Parquet: one row an attempt, every fact of the ledger in typed columns (needs the extra parquet)"
    ending = "parquet"
    cannot_say = (
        "facts alone, no label and no number: `card FILE.parquet` judges them again",
        "a draw that never started has no row, and what was declared lies beside the file: no denominator can be made of the rows",
    )

    def write(self, run: Export) -> bytes:
        """The file. InputError: the extra is not there, or lines of the ledger are no rows."""
        refuse_hidden_split(run, self.name)
        with tempfile.TemporaryDirectory(prefix="denominator-export-") as folder:
            path = Path(folder) / "rows.parquet"
            write_parquet(run.ledger, path)
            return path.read_bytes()


EXPORTER = Parquet()
