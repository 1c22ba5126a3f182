"""The tables of docs/formats/rows.md are the reader's own lists; every defect that it can report is on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from denominator.importers.pages import column_table, shape_table

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "formats" / "rows.md"


@pytest.mark.parametrize(("name", "table"), [("shapes", shape_table), ("columns", column_table)])
def test_the_printed_table_is_current(name: str, table: object) -> None:
    found = re.search(rf"<!-- {name}:[^\n]*-->\n(.*?)\n<!-- /{name} -->", PAGE.read_text("utf-8"), re.S)
    assert found is not None
    assert found[1] == table()  # type: ignore[operator]


def test_every_defect_kind_is_described() -> None:
    source = "\n".join(p.read_text("utf-8") for p in (ROOT / "src" / "denominator" / "importers").rglob("*.py"))
    kinds = set(re.findall(r"Defect\([^)]*kind=\"([a-z_]+)\"", source)) | set(
        re.findall(r'refuse\(\s*"([a-z_]+)"', source)
    )
    page = PAGE.read_text("utf-8")
    assert len(kinds) > 15
    assert not {kind for kind in kinds if f"`{kind}`" not in page}
