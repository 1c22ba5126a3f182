"""An evaluation of two prompts over three tests, and a copy in which one row is gone and the plan is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

ASSERT = [{"type": "contains", "value": "a"}]


def examples(folder: Path) -> Sequence[Example]:
    """Three rows a column: held, failed, broke."""
    for name, left_out in (("whole", -1), ("thinned", 2)):
        (folder / name).mkdir()
        rows = [_row(test, column) for test in range(3) for column in range(2) if test != left_out]
        (folder / name / "output.json").write_text(json.dumps(_document(rows)), encoding="utf-8")
    whole, thinned = folder / "whole" / "output.json", folder / "thinned" / "output.json"
    return (
        Example(path=whole, part="column-0", rows=3, thinned=thinned),
        Example(path=whole, part="column-1", rows=3),
    )


def _document(rows: list[dict[str, object]]) -> dict[str, object]:
    prompts = [{"raw": f"Say {{{{x}}}} {n}", "label": f"prompt {n}", "provider": "openai:gpt-4o"} for n in range(2)]
    tests = [{"vars": {"x": f"value {test}"}, "assert": ASSERT} for test in range(3)]
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": prompts, "results": rows}
    return {
        "evalId": "eval-1",
        "results": results,
        "config": {"tests": tests},
        "metadata": {"promptfooVersion": "0.123.1"},
    }


def _row(test: int, column: int) -> dict[str, object]:
    given = {"x": f"value {test}"}
    response: dict[str, object] = {"output": "a", "cached": False}
    if test == 2:
        response = {"error": "too many requests", "metadata": {"http": {"status": 429}}}
    return {
        "id": f"row-{test}-{column}", "promptIdx": column, "testIdx": test, "testCase": {"vars": given, "assert": ASSERT},
        "promptId": f"p{column}", "provider": {"id": "openai:gpt-4o", "label": ""}, "vars": given, "response": response,
        "failureReason": test, "success": test == 0, "score": int(test == 0), "latencyMs": 12, "cost": 0.001,
        "tokenUsage": {"total": 10, "prompt": 7, "completion": 3, "numRequests": 1},
    }  # fmt: skip
