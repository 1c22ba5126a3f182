"""What a foreign manifest prints about its own result, which task a row calls a control, which card fields are pinned."""

from __future__ import annotations

import hashlib
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


IDS = [f"t{k:02}" for k in range(12)]


def digest(ids: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()


@pytest.mark.parametrize(
    ("told", "blocks"),
    [
        ({"task_count": 12, "ids_digest": digest(IDS)}, False),
        ({"task_count": 12, "ids_digest": "sha256:" + digest(IDS)}, False),
        ({"task_count": 12, "ids_digest": digest([*IDS[:11], "other"])}, True),
        ({"task_count": 13, "ids_digest": digest([*IDS, "other"])}, False),
    ],
    ids=["same", "prefixed", "other tasks", "not all there"],
)
def test_a_digest_of_ids_that_nobody_lists_is_held_against_the_rows(told: dict[str, Any], blocks: bool) -> None:
    found = read(outcomes(8, 12), {"dataset": told})
    assert any(one.kind == "ids_digest_mismatch" for one in found.ledger.defects) is blocks


def test_controls_beside_the_dataset_are_not_in_its_digest() -> None:
    rows = [*outcomes(8, 12), {"run_id": "r", "task_id": "neg", "attempt": 1, "outcome": "fail"}]
    told = {
        "dataset": {"task_count": 12, "ids_digest": digest(IDS)},
        "controls": [{"task_id": "neg", "expected": "fail"}],
    }
    assert not any(one.kind == "ids_digest_mismatch" for one in read(rows, told).ledger.defects)


@pytest.mark.parametrize(
    ("columns", "known"),
    [
        ({"prompt_tokens": 0, "completion_tokens": 0, "response_words": 300}, False),
        ({"prompt_tokens": 0, "completion_tokens": 5}, False),
        ({"prompt_tokens": 0, "completion_tokens": 0}, True),
        ({"prompt_tokens": 0, "completion_tokens": 0, "response_words": 0}, True),
        ({"usage": {"input_tokens": 0, "cache_read_input_tokens": 9, "output_tokens": 2}}, True),
    ],
)
def test_an_answer_cannot_have_taken_no_input(columns: dict[str, Any], known: bool) -> None:
    row = {"task_id": "t1", "arm": "A", "attempt": 1, "wall_ms": 5, "accepted": True, **columns}
    (made,) = read([row], {"task_ids": ["t1"]}).ledger.rows
    assert isinstance(made.usage.prompt, int) is known
    assert made.usage.complete is known


def test_an_answer_cannot_have_given_no_output() -> None:
    row = {"task_id": "t1", "attempt": 1, "prompt_tokens": 9, "completion_tokens": 0, "accepted": True}
    (made,) = read([row], {"task_ids": ["t1"]}).ledger.rows
    assert (made.usage.prompt, made.usage.complete) == (9, False)
    assert "lost its usage" in str(made.usage.completion)


def test_a_row_with_a_verdict_and_the_status_of_its_call_is_a_call_too() -> None:
    rows = [
        {"task_id": "t1", "attempt": 1, "status": 429, "latency_s": 0.5, "passed": None},
        {"task_id": "t1", "attempt": 2, "status": 200, "latency_s": 2.5, "passed": True},
        {"task_id": "t2", "attempt": 1, "status": 0, "latency_s": 30.0, "passed": False},
        {"task_id": "t3", "attempt": 1, "status": "ok", "latency_s": 1.0, "passed": True},
        {"task_id": "t4", "attempt": 1, "status": 200, "passed": True},
    ]
    found = read(rows, {"task_ids": ["t1", "t2", "t3", "t4"], "max_attempts": 2, "retry_policy": "429: 1"}).ledger
    assert [(one.key.task_id, one.key.attempt, one.status, one.last_byte_ms) for one in found.calls] == [
        ("t1", 1, 429, 500), ("t1", 2, 200, 2500), ("t2", 1, 0, 30000),
    ]  # fmt: skip
    assert [dict(one.invalid_calls) for one in found.rows] == [{"rate_limited": 1}, {}, {"no_answer": 1}, {}, {}]


def test_a_row_that_stopped_at_a_forbidden_path_is_an_over_edit() -> None:
    rows = [
        {"task_id": "t1", "attempt": 1, "stop_reason": "forbidden_path"},
        {"task_id": "t2", "attempt": 1, "stop_reason": "pass"},
    ]
    found = read(rows, {"task_ids": ["t1", "t2"]})
    draws = {one.draw.task_id: one for one in judge(found.ledger, found.terms).sheet.draws}
    assert (draws["t1"].exit, draws["t1"].failure_class, draws["t1"].mix) == ("fail", "over_edit", "SCOPE_SLIP")


def test_a_claim_keeps_the_n_that_it_names() -> None:
    found = read(outcomes(8, 12), {"task_count": 12, "claim": "68 % of 40, 71% out of 100; 50 % of them"})
    assert sorted(found.terms.printed_percents) == ["50%", "68% of 40", "71% of 100"]


def in_files(rows: list[dict[str, Any]], manifest: dict[str, Any], name: str, text: str) -> Any:
    return import_rows([(name, text.encode()), ("manifest.json", json.dumps(manifest).encode())])


def test_of_two_rows_under_one_key_the_same_one_is_kept_in_any_order() -> None:
    rows = [*outcomes(8, 12), {**outcomes(8, 12)[0], "outcome": "fail"}]
    turned = [dict(reversed(row.items())) for row in reversed(rows)]
    found = [read(some, {"task_count": 12}) for some in (rows, turned)]
    kept = [
        {row.key.task_id: one.value for row in some.ledger.rows for one in some.ledger.labels if one.key == row.key}
        for some in found
    ]
    assert kept[0] == kept[1]
    assert all(
        any(one.kind == "conflicting_rows" and one.keys == ("t00",) for one in some.ledger.defects) for some in found
    )


def test_a_list_may_begin_with_what_describes_the_run() -> None:
    told = [
        {"_fingerprint": {"model": "m", "harness_commit": "abc"}},
        *({"task_id": f"t{k}", "passed": True} for k in range(3)),
    ]
    found = in_files(told, {"task_ids": ["t0", "t1", "t2"]}, "results.json", json.dumps(told))
    assert not any(one.blocks for one in found.ledger.defects) and len(found.ledger.rows) == 3
    assert any(one.name == "harness_commit" and one.value == '"abc"' for one in found.terms.conditions)


@pytest.mark.parametrize("listed", [[3, 1, 2], None])
def test_repeats_of_seed_logs_follow_the_header_else_the_seeds(listed: list[int] | None) -> None:
    rows = [{"task_id": "p1", "slice": "positive", "outcome": "pass", "seed": seed} for seed in (2, 10, 3, 1)]
    told = {"task_ids": ["p1"], "repeats": 4} if listed is None else {"task_ids": ["p1"], "seeds": listed}
    for some in (rows, rows[::-1]):
        found = {row.seed: row.key.repeat for row in read(some, told).ledger.rows}
        assert found == ({1: 1, 2: 2, 3: 3, 10: 4} if listed is None else {3: 1, 1: 2, 2: 3, 10: 4})


def test_numbers_in_csv_are_numbers() -> None:
    seeds = "task_id,slice,outcome,seed\np1,positive,pass,7\np1,positive,test_fail,11\n"
    found = in_files([], {"task_ids": ["p1"], "seeds": [7, 11]}, "log.csv", seeds)
    assert {row.seed: row.key.repeat for row in found.ledger.rows} == {7: 1, 11: 2}
    calls = "task_id,attempt,status,latency_s\nt1,1,503,1.5\nt1,2,200,1.0\n"
    found = in_files([], {"task_ids": ["t1"], "max_attempts": 2}, "calls.csv", calls)
    assert [one.status for one in found.ledger.calls] == [503, 200]


@pytest.mark.parametrize("said", [{"repeats": 1}, {"repeats": 1, "draws": {f"t{n}": 5 for n in range(10)}}, {}])
def test_a_manifest_that_says_one_repeat_makes_no_independent_draws_of_five(said):
    rows = [
        {"task_id": f"t{n}", "repeat": k, "outcome": "pass" if n < 5 else "fail"}
        for n in range(10)
        for k in range(1, 6)
    ]
    found = read(rows, {"declared_n": 50, **said})
    assert found.terms.repeats == 5
    (headline,) = [one for one in judge(found.ledger, found.terms).sheet.estimates if one.metric == "headline"]
    assert not headline.method.startswith("Wilson score interval")


CONTROL = {"controls": [{"task_id": "neg", "expected": "fail"}]}
NEG = {"run_id": "r", "task_id": "neg", "attempt": 1, "outcome": "fail"}


@pytest.mark.parametrize(
    "dataset",
    [{"task_count": 12}, {"task_ids": IDS}, {"task_ids": [*IDS, "neg"]}, {"task_count": 13}],
    ids=["beside a number", "beside ids", "inside ids", "inside a number"],
)
def test_controls_stand_beside_the_tasks_or_inside_and_in_no_rate(dataset: dict[str, Any]) -> None:
    found = read([*outcomes(8, 12), NEG], {"dataset": dataset, **CONTROL})
    result = judge(found.ledger, found.terms)
    headline = next(one for one in result.estimates if one.metric == "headline")
    assert (headline.numerator, headline.denominator, found.ledger.declared_n) == (8, 12, 13)
    assert not any(one.severity == "block" for one in result.findings)


def test_a_control_that_is_listed_has_a_row_or_the_ledger_does_not_balance() -> None:
    found = read(outcomes(8, 12), {"dataset": {"task_ids": IDS}, **CONTROL})
    assert judge(found.ledger, found.terms).verdict.status == "blocked"


def test_a_control_does_not_make_room_for_another_task() -> None:
    found = read([*outcomes(8, 13), NEG], {"dataset": {"task_count": 12}, **CONTROL})
    assert judge(found.ledger, found.terms).verdict.status == "blocked"


def test_provenance_in_a_table_of_its_own_is_the_provenance() -> None:
    nested = read(
        outcomes(1, 2), {"task_count": 2, "provenance": {"run_id": "r", "runner": "box", "provider_region": "eu"}}
    )
    flat = read(outcomes(1, 2), {"task_count": 2, "run_id": "r", "runner": "box", "provider_region": "eu"})
    assert nested.terms.conditions == flat.terms.conditions and nested.ledger.run_id == flat.ledger.run_id == "r"
