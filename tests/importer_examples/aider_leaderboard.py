"""A table of two entries: printed numbers and no rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

TABLE = """\
- dirname: 2024-12-21--one
  test_cases: 225
  model: acme m
  edit_format: diff
  commit_hash: abc1234
  pass_rate_1: 20.0
  pass_rate_2: 40.0
  total_tests: 225
- dirname: 2024-12-22--two
  test_cases: 225
  model: acme n
  edit_format: whole
  commit_hash: 05a77c7
  pass_rate_1: 30.2
  pass_rate_2: 56.0
  total_tests: 225
"""


def examples(folder: Path) -> Sequence[Example]:
    """One file. It has no rows, which is what blocks it."""
    (folder / "board.yml").write_text(TABLE, encoding="utf-8")
    return (Example(path=folder / "board.yml", part="2024-12-22--two", rows=0),)
