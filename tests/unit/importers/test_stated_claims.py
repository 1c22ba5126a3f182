"""What a foreign manifest prints about its own result, which task a row calls a control, which card fields are pinned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.judge import judge


def read(rows: list[dict[str, Any]], manifest: dict[str, Any], **more: list[dict[str, Any]]) -> Any:
    files = {"runs.jsonl": rows, **{f"{name}.jsonl": lines for name, lines in more.items()}}
    told = [(name, "".join(json.dumps(row) + "\n" for row in lines).encode()) for name, lines in files.items()]
    return import_rows([*told, ("manifest.json", json.dumps(manifest).encode())])


def outcomes(passes: int, n: int) -> list[dict[str, Any]]:
    return [
        {"run_id": "r", "task_id": f"t{k:02}", "attempt": 1, "outcome": "pass" if k < passes else "fail"}
        for k in range(n)
    ]


@pytest.mark.parametrize(
    ("stated", "printed"),
    [
        ({"claim": "we reach 71 % on x40"}, ("71%",)),
        ({"claim": "71,4 % von x40, davor 68%"}, ("71.4%", "68%")),
        ({"abstract": "71 percent of the tasks"}, ("71%",)),
        ({"anything": "67,5%"}, ("67.5%",)),
        ({"pass_rate": "0.70"}, ("70%",)),
        ({"score_pct": 71.4}, ("71.4%",)),
        ({"claim": "95 % confidence interval, 95% CI"}, ()),
        ({"claim": "seventy of the 40"}, ()),
        ({"notes": "a jitter of 50 % was used"}, ()),
        ({"published_threshold": "at least 50 % of tasks"}, ()),
        ({"sentence": "we will say so above 50 %"}, ()),
        ({"max_cpu_pct": 250}, ()),
        ({"accuracy": 0.7}, ()),
    ],
)
def test_percentages_that_a_document_prints(stated: dict[str, Any], printed: tuple[str, ...]) -> None:
    found = read(outcomes(27, 40), {"task_count": 40, **stated})
    assert sorted(found.terms.printed_percents) == sorted(printed)


def test_what_a_row_calls_negative_is_a_control_whoever_lists_its_id() -> None:
    rows = [
        {"task_id": task, "slice": "negative" if task == "neg" else "positive", "outcome": outcome, "seed": seed}
        for seed in (1, 2)
        for task, outcome in (("p1", "pass"), ("p2", "test_fail"), ("neg", "test_fail"))
    ]
    found = read(rows, {"task_ids": ["p1", "p2", "neg"], "seeds": [1, 2]})
    assert {one.draw.task_id: (one.slice, one.control) for one in found.ledger.declared} == {
        "p1": ("solvable", ""),
        "p2": ("solvable", ""),
        "neg": ("negative", "must_fail"),
    }
    headline = next(one for one in judge(found.ledger, found.terms).estimates if one.metric == "headline")
    assert headline.denominator == 4


def test_one_row_that_calls_a_task_a_control_takes_every_draw_of_it_out() -> None:
    rows = [
        {"task_id": "t1", "slice": "positive", "outcome": "pass", "seed": 1},
        {"task_id": "t1", "slice": "negative", "outcome": "pass", "seed": 2},
        {"task_id": "t2", "slice": "positive", "outcome": "pass", "seed": 1},
        {"task_id": "t2", "slice": "positive", "outcome": "pass", "seed": 2},
    ]
    found = read(rows, {"task_ids": ["t1", "t2"], "seeds": [1, 2]})
    assert {one.draw.task_id: one.slice for one in found.ledger.declared} == {"t1": "negative", "t2": "solvable"}


def test_two_limits_for_one_task_pin_none() -> None:
    def row(task: str, attempt: int, limit: int) -> dict[str, Any]:
        return {"task_id": task, "attempt": attempt, "stop_reason": "pass", "timeout_s": limit, "token_budget": 9}

    rows = [row("t1", 1, 180), row("t1", 2, 360), row("t2", 1, 180), row("t2", 2, 180)]
    found = read(rows, {"task_ids": ["t1", "t2"], "max_attempts": 2, "retry_policy": "one more"})
    assert ("t1", "timeout_s") in found.terms.unpinned and ("t2", "timeout_s") not in found.terms.unpinned
    assert ("t1", "token_budget") not in found.terms.unpinned


def test_two_agent_off_results_are_said_to_be_too_few() -> None:
    off = [{"task_id": task, "agent": None, "status": "fail"} for task in ("t00", "t00", "t01", "t01", "t01")]
    notes = read(outcomes(1, 2), {"task_count": 2}, baseline=off).report.notes
    assert any("takes 3" in one and "t00 (2 agent-off results)" in one and "t01" not in one for one in notes)
