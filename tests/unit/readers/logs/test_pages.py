"""The table of docs/formats/logs.md is the reader's own list."""

from __future__ import annotations

import re
from pathlib import Path

from denominator.readers.logs.pages import signature_table

PAGE = Path(__file__).parents[4] / "docs" / "formats" / "logs.md"


def test_the_printed_table_is_current() -> None:
    found = re.search(r"<!-- signatures:[^\n]*-->\n(.*?)\n<!-- /signatures -->", PAGE.read_text("utf-8"), re.S)
    assert found is not None
    assert found[1] == signature_table()
