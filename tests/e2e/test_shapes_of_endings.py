"""Every shape in which the formats write that something went wrong, and whose failure it is, typed at the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from e2e.public_reports import CRITIC, ODD, ONE_TRY, PATCH, evaluation, lines, named, ran, verdicts
from foreign_data import written
from importer_examples import aider
from importer_examples import mini_swe_agent as mini
from importer_examples import swe_agent as swea
from importer_examples import swebench as swe
from importer_examples import terminal_bench as tb
from importer_examples.swebench import wrapped

BUDGET, EMPTY = ("fail", "MODEL", ""), ("abstain", "MODEL", "")
THROTTLED, PROVIDER = ("unscoreable", "INFRA", "provider_rate_limit"), ("unscoreable", "INFRA", "provider_error")


def one_of(report: dict[str, Any], state: str = "unresolved", **members: Any) -> dict[str, Any]:
    """A run of ten with one odd instance."""
    return evaluation({"report.json": wrapped(ODD, report), "patch.diff": PATCH} | members, state=state)


def lost(state: str = "error", **members: Any) -> dict[str, Any]:
    """The same, without a report."""
    return evaluation(
        {name.replace("__", "."): held for name, held in members.items()} | {"patch.diff": PATCH}, state=state
    )


def board(flag: bool | None, mode: str) -> dict[str, Any]:
    """Two trials of Terminal-Bench, one of which ended so."""
    table = tb.results({("alpha", 1): True}, "run-1")
    table["results"].append(tb.trial("alpha", 2, flag, mode))
    table |= {"n_resolved": 1 + (flag is True), "n_unresolved": int(flag is not True)}
    table["resolved_ids"] = ["alpha"] * (1 + (flag is True))
    table["unresolved_ids"] = ["alpha"] * (flag is not True)
    return {"results.json": table, "run_metadata.json": tb.metadata("run-1", task_ids=["alpha"], dataset_size=1)}


def hosted_cell(reason: int) -> dict[str, Any]:
    """One row of promptfoo that ended so."""
    row = {
        "id": "r", "promptIdx": 0, "testIdx": 0, "promptId": "p", "vars": {"x": 1}, "success": False, "score": 0,
        "testCase": {"vars": {"x": 1}, "assert": [{"type": "contains", "value": "a"}]}, "failureReason": reason, "error": "x",
        "provider": {"id": "acme:m-1", "label": ""}, "response": {"error": "x"},
    }  # fmt: skip
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": [], "results": [row]}
    return {"out.json": {"evalId": "e", "results": results, "config": {}, "metadata": {"promptfooVersion": "0.123.1"}}}


def metr(ended: str | None) -> dict[str, Any]:
    """A run of METR that somebody ended."""
    run = {
        "run_id": "s", "task_id": "fam/main", "score": 0, "time_limit": 1800, "started_at": 1734070031112, "alias": "a",
        "completed_at": 1734070091112, "task_family": "fam", "model": "m", "fatal_error_from": ended, "score_binarized": 0,
    }  # fmt: skip
    return {"all_runs.jsonl": lines([run])}


def code(error: int) -> dict[str, Any]:
    """A question of LiveCodeBench with one sample."""
    one = {
        "question_id": "q1", "platform": "atcoder", "contest_date": "2023-05-13T00:00:00", "difficulty": "easy",
        "output_list": ["x"], "code_list": ["print(1)"], "graded_list": [False], "pass@1": 0.0,
        "metadata": [json.dumps({"error_code": error})],
    }  # fmt: skip
    return {"Scenario.codegeneration_1_0.2_eval_all.json": json.dumps([one])}


def exercise(row: dict[str, Any]) -> dict[str, Any]:
    """An exercise of aider's benchmark and its record."""
    top = "2026-01-02--demo/python/exercises/practice"
    solved = {"testdir": f"tmp/{top}/clock", "testcase": "clock", **aider.RESULT, "tests_outcomes": [True]}
    return {
        f"{top}/bowling/instructions.md": "do it", f"{top}/bowling/.aider.results.json": row,
        f"{top}/clock/instructions.md": "do it", f"{top}/clock/.aider.results.json": solved,
    }  # fmt: skip


def index(resolved: bool | None) -> dict[str, Any]:
    """A table of OpenHands' index."""
    return {
        "m-1/instance_results/bench.json": {
            "a": {"resolved": True, "cost": 0.5},
            "b": {"resolved": resolved, "cost": None},
        }
    }


SHAPES: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "a test that must pass failed": (one_of(swe.report(False)), ("fail", "MODEL", "")),
    "only a test that passed before failed": (one_of(swe.report(False, failed=[swe.OLD])), ("fail", "MODEL", "")),
    "mini: submitted, and empty": (mini.folder({"t": ("Submitted", "")}), EMPTY),
    "swe-agent: submitted, and null": (swea.folder({"t": ("submitted", None)}), EMPTY),
    "mini: limits": (mini.folder({"t": ("LimitsExceeded", "")}), BUDGET),
    "mini: time": (mini.folder({"t": ("TimeExceeded", "")}), BUDGET),
    "swe-agent: exit_cost": (swea.folder({"t": ("exit_cost", None)}), BUDGET),
    "swe-agent: exit_context": (swea.folder({"t": ("exit_context", None)}), BUDGET),
    "mini: a class of exception": (mini.folder({"t": ("RateLimitError", "")}), THROTTLED),
    "swe-agent: exit_api": (swea.folder({"t": ("exit_api", None)}), PROVIDER),
    "swe-agent: exit_environment_error": (
        swea.folder({"t": ("exit_environment_error", None)}), ("unscoreable", "INFRA", "env_flake"),
    ),
    "swe-agent: exit_error": (swea.folder({"t": ("exit_error", None)}), ("unscoreable", "HARNESS", "no_verdict")),
    "error_ids, and the patch did not apply": (
        lost(run_instance__log=swe.STAMP + ">>>>> Patch Apply Failed:\nerror: corrupt patch at line 3"), ("fail", "MODEL", ""),
    ),
    "error_ids, and the tests ran out of time": (
        lost(test_output__txt="x\n\n\nTimeout error: 1800 seconds exceeded."), ("unscoreable", "HARNESS", "harness_timeout"),
    ),
    "error_ids, and an empty report": (lost(report__json=""), ("unscoreable", "HARNESS", "missing_artifact")),
    "infra_failure": (
        one_of(swe.bare() | {"infra_failure": True, "infra_failure_reason": "out_of_memory"}),
        ("unscoreable", "INFRA", "oom_sandbox"),
    ),
    "no report, and a name could not be resolved": (
        lost(run_instance__log=swe.STAMP.replace("INFO", "ERROR") + f"Error in evaluating model for {ODD}: {swe.TEXTS['network_down']}\n"),
        ("unscoreable", "INFRA", "env_flake"),
    ),
    "terminal-bench: parse_error": (board(None, "parse_error"), ("unscoreable", "HARNESS", "grader_error")),
    "terminal-bench: test_timeout": (board(None, "test_timeout"), ("unscoreable", "HARNESS", "harness_timeout")),
    "terminal-bench: agent_timeout, failed": (board(False, "agent_timeout"), ("fail", "MODEL", "")),
    "aider: an exception": (exercise({"exception": "Traceback ..."}), ("unscoreable", "HARNESS", "no_verdict")),
    "livecodebench: -5": (code(-5), ("unscoreable", "HARNESS", "grader_error")),
    "metr: usageLimits": (metr("usageLimits"), BUDGET),
    "openhands index: null": (index(None), ("unscoreable", "HARNESS", "")),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_whose_failure_a_shape_is(cli, here, shape):
    members, whose = SHAPES[shape]
    run = cli("audit", written(here / "in", members), "--json").json["run"]
    assert whose in {(one["outcome"], one["origin"], one["reason"]) for one in run["endings"]}, run["endings"]
    assert sum(one["n"] for one in run["endings"]) >= 1


@pytest.mark.parametrize(
    ("members", "whose"),
    [
        (board(None, "unknown_agent_error"), ("INFRA", "HARNESS")),
        (board(None, "agent_installation_failed"), ("INFRA", "HARNESS")),
        (hosted_cell(2), ("INFRA", "HARNESS")),
    ],
    ids=["terminal-bench: unknown_agent_error", "terminal-bench: agent_installation_failed", "promptfoo: failureReason 2"],
)  # fmt: skip
def test_no_failure_of_the_model(cli, here, members, whose):
    run = cli("audit", written(here / "in", members), "--json").json["run"]
    odd = [one for one in run["endings"] if one["outcome"] != "pass"]
    assert odd
    assert {one["origin"] for one in odd} <= {*whose}
    assert {one["outcome"] for one in odd} == {"unscoreable"}


def test_an_agent_that_ran_out_of_time_can_have_passed(cli, here):
    run = cli("audit", written(here / "in", board(True, "agent_timeout")), "--json").json["run"]
    assert run["passes"] == 2


def test_an_id_of_the_manifest_that_stands_in_no_file_counts(cli, here):
    chosen = ONE_TRY | {"selected_instances_file": "chosen.txt"}
    members = {CRITIC: lines(ran(named(9))), "metadata.json": chosen, "chosen.txt": "\n".join(named(10))}
    said = cli("audit", written(here / "in", members | verdicts(named(10), resolved=named(9))), "--json")
    counts = {one["name"]: one["n"] for one in said.json["run"]["counts"]}
    assert (said.code, counts["scheduled"], counts["with a record"]) == (1, 10, 9)


def test_an_outcome_that_nobody_knows_blocks_a_percent(cli, here):
    said = cli("audit", written(here / "in", index(None)), "--json")
    assert said.code == 1
    assert "GL013" in {one["code"] for one in said.json["run"]["verdict"]["findings"] if one["severity"] == "block"}
