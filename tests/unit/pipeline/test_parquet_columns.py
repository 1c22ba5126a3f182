"""The page of the Parquet ledger names the columns of a row, all of them and no others."""

from __future__ import annotations

import re
from pathlib import Path

from denominator.pipeline.parquet_columns import columns

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "ledger-parquet.md"


def test_the_page_lists_every_column_with_its_type():
    listed: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        head, _, names = line.partition(": ")
        if not head.startswith("- ") or "`, `" not in names:
            continue
        kind = re.findall(r"`(text|json|int64|bool)`", head)[-1]
        for name, unknown in re.findall(r"`([^`]+)`(\\\*)?", names):
            listed[name] = kind
            if unknown:
                listed[f"{name}.not_measured"] = "text"
    assert listed == columns()
