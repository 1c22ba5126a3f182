"""Two questions with two samples each. The format keeps no plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

QUESTIONS = (
    # question, graded, error codes
    ("abc301_a", [True, False], [{}, {"error_code": -2}]),
    ("2784", [False, False], [{"error_code": -3}, {"error_code": -5}]),
)


def examples(folder: Path) -> Sequence[Example]:
    """One file with the tool's own name."""
    found = [
        {
            "question_content": "..", "platform": "atcoder", "question_id": task, "contest_date": "2023-05-13T00:00:00",
            "difficulty": "easy", "output_list": ["x", "y"], "code_list": ["print(1)", "print(2)"], "graded_list": graded,
            "pass@1": sum(graded) / 2, "metadata": [json.dumps(one) for one in codes],
        }
        for task, graded, codes in QUESTIONS
    ]  # fmt: skip
    path = folder / "Scenario.codegeneration_2_0.2_eval_all.json"
    path.write_text(json.dumps(found, indent=4), encoding="utf-8")
    return (Example(path=path, rows=4),)
