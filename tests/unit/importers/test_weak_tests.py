"""A foreign row whose patch is at hand: what its own tests rest on, where no hidden tests ran."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.judge import judge

TEST = ["from unittest.mock import Mock", "def test_get():", "    client = Mock()", "    client.get()", "    {}"]
WEAK, STRONG = "client.get.assert_called_once()", "assert bills.total() == 3"


def diff(line: str) -> str:
    body = "".join(f"+{text.format(line)}\n" for text in TEST)
    head = (
        "diff --git a/tests/test_a.py b/tests/test_a.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/test_a.py\n"
    )
    return f"{head}@@ -0,0 +1,{len(TEST)} @@\n{body}"


@pytest.mark.parametrize(
    ("hidden", "line", "weak", "mix"),
    [
        (None, WEAK, ("mock",), "PASS_WEAK"),
        (None, STRONG, (), ""),
        ({"passed": 3, "failed": 0}, WEAK, (), "PASS_CONTRACT"),
    ],
)
def test_weak_tests_of_a_patch(hidden: Any, line: str, weak: tuple[str, ...], mix: str) -> None:
    row = {"task_id": "a", "exit_code": 0, "hidden_tests": hidden, "patch": diff(line), "tool_calls": []}
    row |= {} if hidden is None else {"written_tests": True}
    imported = import_rows([("rows.jsonl", json.dumps(row).encode() + b"\n")])
    assert imported.ledger.rows[0].weak_tests == weak
    assert judge(imported.ledger, imported.terms).sheet.draws[0].mix == mix
