"""Writes the rows of a ledger as Parquet: see docs/formats/ledger-parquet.md. Needs the extra `parquet`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.parquet_columns import cells_of, columns
from denominator.pipeline.parquet_reading import polars, readable
from denominator.records.rows import Ledger

AT_ONCE = 20_000


def write_parquet(ledger: Ledger, path: Path) -> int:
    """Write every row, in its order; the number of rows. Raises InputError: the file exists, or lines are no rows."""
    pl = polars()
    if path.exists():
        raise InputError("the file exists; nothing is overwritten", where=str(path), fix="name another file with -o")
    bad = [one for one in ledger.defects if one.kind in ("bad_line", "torn_tail")]
    if bad:
        what = f"{len(bad)} lines are no rows, and a file without them would hold fewer rows"
        raise InputError(what, where=bad[0].where, fix="repair these lines first")
    types = {"text": pl.String, "json": pl.String, "int64": pl.Int64, "bool": pl.Boolean}
    schema = {name: types[kind] for name, kind in columns().items()}
    rows, parts = iter(ledger.rows), list[Path]()
    with tempfile.TemporaryDirectory(prefix="denominator-parquet-") as folder, readable(pl, str(path)):
        while some := [cells_of(row) for row in islice(rows, AT_ONCE)] or ([] if parts else [{}]):
            parts.append(Path(folder) / f"{len(parts):06}.parquet")
            frame = pl.DataFrame(_columns(some, schema), schema=schema)
            frame.write_parquet(parts[-1])
        pl.scan_parquet(parts).sink_parquet(path, row_group_size=AT_ONCE)
        return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def _columns(rows: Iterable[dict[str, object]], schema: dict[str, object]) -> dict[str, list[object]]:
    listed = [row for row in rows if row]
    return {name: [row.get(name) for row in listed] for name in schema}
