"""OpenHands benchmarks: every ending through the rules, attempts before the filtered file, whose verdict it is, the plan."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.crashes import CAUSES, CLIENT, CRASHES, crash_of
from denominator.importers.formats.openhands import IMPORTER
from denominator.importers.formats.openhands import endings as ends
from denominator.importers.swebench import endings as graded
from denominator.pipeline.foreign import import_foreign
from denominator.records.values import NotMeasured
from foreign_data import broken as damaged
from foreign_data import by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.openhands import METADATA, PATCH, broken, lines, report, row

ATTEMPT = "output.critic_attempt_{}.jsonl".format
FLAGS = dict.fromkeys(("empty_generation", "resolved", "failed_apply_patch", "error_eval", "test_timeout"), False)


def flagged(**over: bool) -> dict[str, Any]:
    return {"git_patch": PATCH, "report": FLAGS | over}


ROWS = {
    "patch": (row("t"), ends.PATCH),
    "empty": (row("t", ""), ends.EMPTY),
    "nothing": (row("t", None), ends.NOTHING),
    "iterations": (broken("t", "ConversationRunError: MaxIterationsReached: Agent reached"), ends.ITERATIONS),
    "timeout": (broken("t", "Instance did not complete within 14400s timeout"), ends.TIMED_OUT),
    "bare-timeout": (row("t", None, error="Timed out"), ends.TIMED_OUT),
    "error": (broken("t", "503"), ends.ERROR),
    "odd-error": (row("t", None, error={"a": 1}), ends.ERROR),
    "rate": (broken("t", "litellm.RateLimitError: slow"), crash_of("RateLimitError")),
    "flags-yes": (row("t", test_result=flagged(resolved=True)), ends.SCORED),
    "flags-no": (row("t", test_result=flagged()), ends.NOT_SCORED),
    "flags-apply": (row("t", test_result=flagged(failed_apply_patch=True)), ends.BAD_PATCH),
    "flags-eval": (row("t", test_result=flagged(error_eval=True)), ends.BAD_EVALUATION),
    "flags-timeout": (row("t", test_result=flagged(test_timeout=True)), graded.TIMED_OUT),
    "flags-empty": (row("t", test_result=flagged(empty_generation=True) | {"git_patch": ""}), ends.EMPTY),
    "resolved": (row("t", test_result={"resolved": True}), ends.SCORED),
    "score": (row("t", test_result={"score": 0.0}), ends.NOT_SCORED),
    "tests": (row("t", test_result={"eval_result": {"num_passed": 3, "num_tests": 3}}), ends.ALL_TESTS),
    "some-tests": (row("t", test_result={"eval_result": {"num_passed": 2, "num_tests": 3}}), ends.SOME_TESTS),
}


@pytest.mark.parametrize("name", ROWS)
def test_each_ending_is_what_the_rules_say(tmp_path: Path, name: str):
    one, line = ROWS[name]
    run, rows = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([one])}))
    assert [ended(one) for one in rows] == [promised(line)]
    assert kinds(run) == []


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("resolved", replace(graded.SAID_RESOLVED, origin="MODEL")),
        ("unresolved", graded.SAID_UNRESOLVED),
        ("error", graded.ERROR),
    ],
)
def test_the_report_judges_what_was_handed_in(tmp_path: Path, state: str, line: Any):
    members = {ATTEMPT(1): lines([row("t")]), "output.jsonl": lines([row("t")])}
    members["output.report.json"] = report(["t"], **{state: ["t"]})
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert [ended(one) for one in rows] == [promised(line)]
    assert kinds(run) == []


@pytest.mark.parametrize("line", graded.OF_REASONS, ids=lambda line: line.word[:40])
def test_marks_of_the_harness_are_read_as_everywhere(tmp_path: Path, line: Any):
    found = report(["t"], unresolved=["t"])
    every = {**graded.ENVIRONMENT, **graded.AMBIGUOUS}
    reason = next((name for name, one in every.items() if one is line), "")
    found["ambiguous_failure_ids" if reason in graded.AMBIGUOUS else "infra_failure_ids"] = ["t"]
    found["failure_reasons"] = {"t": reason} if reason else {}
    members = {ATTEMPT(1): lines([row("t")]), "output.jsonl": lines([row("t")]), "output.report.json": found}
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(rows[0]) == promised(line)


def test_every_line_of_the_table_has_a_case():
    cases = [line for _, line in ROWS.values()]
    left = [line for line in IMPORTER.endings if line not in cases and line not in (*ends.OF_REPORTS, *CRASHES)]
    assert left == [ends.UNKNOWN]


@pytest.mark.parametrize("line", [one for one in CRASHES if one.word not in ("", "TotalCostLimitExceededError")])
def test_classes_in_the_message_of_an_error(tmp_path: Path, line: Any):
    names = [name for name in (*CLIENT, *CAUSES) if crash_of(name) is line and name.endswith(("Error", "Timeout"))]
    for name in names:
        _, rows = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([broken("t", f"x.{name}: y")])}))
        assert ended(rows[0]) == promised(line)


def test_attempts_of_the_critic_are_attempts_and_the_first_completed_one_counts(tmp_path: Path):
    first = [row("a"), row("b", ""), broken("c", "boom"), broken("e", "MaxIterationsReached: limit")]
    second = [row("b", attempt=2), broken("c", "boom"), row("e", attempt=2)]
    best = [row("a"), row("b", attempt=2), row("e", attempt=2)]
    members = {
        ATTEMPT(1): lines(first), ATTEMPT(2): lines(second), "output.jsonl": lines(best), "metadata.json": METADATA,
        "output.report.json": report("abcde", resolved="abe"),
    }  # fmt: skip
    found = import_foreign(IMPORTER, source(tmp_path, members))
    draws = {one.draw.task_id: (one.exit, one.outcomes) for one in found.result.judged.sheet.draws}
    assert draws == {
        "a": ("pass", ("pass",)), "b": ("abstain", ("abstain", "pass")), "c": ("unscoreable", ("unscoreable",) * 2),
        "d": ("never_started", ()), "e": ("fail", ("fail", "pass")),
    }  # fmt: skip
    run = found.run
    assert kinds(run) == []
    later = next(one for one in run.told.defects if one.kind == "later_verdict")
    assert later.keys == ("b", "e")
    assert "(2 of them resolved)" in later.what
    assert run.document["max_attempts"] == 2
    assert ("resolved_instances", "3") in {(one.metric, one.value) for one in run.told.published}


def test_attempts_that_nobody_declared_block(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a", "")]), ATTEMPT(2): lines([row("a", attempt=2)])}
    members["output.jsonl"] = lines([row("a", attempt=2)])
    found = import_foreign(IMPORTER, source(tmp_path, members))
    assert kinds(found.run) == ["best_of_attempts"]
    assert "GL019" in {one.code for one in found.result.judged.findings if one.severity == "block"}


def test_more_attempts_than_were_declared_block(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a", "")]), ATTEMPT(2): lines([row("a")]), "output.jsonl": lines([row("a")])}
    run, _ = read_all(IMPORTER, source(tmp_path, members | {"metadata.json": METADATA | {"n_critic_runs": 1}}))
    assert "best_of_attempts" in kinds(run)


def test_the_patch_finds_the_attempt_where_rows_number_all_of_them_1(tmp_path: Path):
    other = PATCH.replace("+b", "+c")
    members = {
        ATTEMPT(1): lines([row("a")]), ATTEMPT(2): lines([row("a", other)]), "output.jsonl": lines([row("a", other)]),
        "output.report.json": report("a", resolved="a"), "metadata.json": METADATA,
    }  # fmt: skip
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert [(one.row.key.attempt, ended(one)[0]) for one in rows] == [(1, "unscoreable"), (2, "pass")]
    assert kinds(run) == []


def test_a_verdict_on_a_row_that_is_no_attempt_blocks(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a")]), "output.jsonl": lines([row("a", PATCH + "\n")])}
    run, rows = read_all(IMPORTER, source(tmp_path, members | {"output.report.json": report("a", resolved="a")}))
    assert (len(rows), ended(rows[0])[0], kinds(run)) == (1, "unscoreable", ["unmatched_output"])


def test_rows_of_unknown_events_and_one_error_are_all_read(tmp_path: Path):
    rows_ = [row(f"t-{n}", "") for n in range(164)]
    members = {ATTEMPT(1): lines([*rows_, broken("t-e", "boom")]), "output.jsonl": ""}
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert len(rows) == 165


def test_rows_that_only_the_output_or_the_errors_hold_are_read(tmp_path: Path):
    members = {
        ATTEMPT(1): lines([row("a", "")]), "output.jsonl": lines([row("a", ""), row("b", "")]),
        "output_errors.jsonl": lines([broken("a", "boom"), broken("c", "boom")]),
    }  # fmt: skip
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert {task: ended(one)[0] for task, one in by_task(rows).items()} == {
        "a": "abstain",
        "b": "abstain",
        "c": "unscoreable",
    }


@pytest.mark.parametrize("name", [ATTEMPT(1), "output.jsonl"])
def test_a_run_that_wrote_no_row_is_no_0_percent(tmp_path: Path, name: str):
    files = source(tmp_path, {name: "", "metadata.json": METADATA | {"eval_limit": 5}})
    assert IMPORTER.recognise(files) is not None
    run, rows = read_all(IMPORTER, files)
    assert (rows, run.declared.declared_n, kinds(run)) == ([], 5, ["no_rows"])


def test_broken_lines_of_the_output_are_told(tmp_path: Path):
    run, _ = read_all(
        IMPORTER, source(tmp_path, {ATTEMPT(1): lines([row("a")]), "output.jsonl": lines([row("a")]) + "{x}\n"})
    )
    assert kinds(run) == ["bad_line"]


def test_an_older_evaluation_judges_the_rows_of_its_output(tmp_path: Path):
    capped = row("b", error="RuntimeError: Agent reached maximum iteration. Current iteration: 100")
    members = {
        "output.jsonl": lines([row("a"), capped, row("c")]),
        "output.swebench_eval.jsonl": lines(
            [row("a", test_result=flagged(resolved=True)), row("b", test_result=flagged(resolved=True))]
        ),
    }
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    found = by_task(rows)
    assert [ended(found[task])[0] for task in "abc"] == ["pass", "unknown", "unscoreable"]
    assert found["b"].row.after_cap is True
    assert ended(found["b"], on_timeout="grade")[0] == "pass"


def test_the_plan_is_the_dataset_of_the_report(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a")]), "output.report.json": report("abc", resolved="a")}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert (run.declared.declared_n, run.declared.tasks[0].tasks) == (3, ("a", "b", "c"))


@pytest.mark.parametrize(("limit", "n"), [(2, 2), (9, 3)])
def test_a_limit_is_a_number_without_ids(tmp_path: Path, limit: int, n: int):
    members = {ATTEMPT(1): lines([row("a")]), "output.report.json": report("abc", resolved="a")}
    run, _ = read_all(IMPORTER, source(tmp_path, members | {"metadata.json": METADATA | {"eval_limit": limit}}))
    assert (run.declared.declared_n, run.declared.tasks) == (n, ())


def test_a_selection_file_beside_it_is_the_plan(tmp_path: Path):
    metadata = METADATA | {"selected_instances_file": "/home/someone/pick.txt"}
    members = {ATTEMPT(1): lines([row("a")]), "metadata.json": metadata}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert "/home" not in str(run.declared.declared_n)
    run, _ = read_all(IMPORTER, source(tmp_path, members | {"pick.txt": "a\nb\n\nb\n"}))
    assert run.declared.tasks[0].tasks == ("a", "b")


def test_two_gradings_that_differ_block_and_the_first_is_taken(tmp_path: Path):
    members = {
        ATTEMPT(1): lines([row("a"), row("b")]), "output.jsonl": lines([row("a"), row("b")]),
        "output.report.json": report("ab", resolved="a", unresolved="b"), "again.report.json": report("ab", resolved="ab"),
    }  # fmt: skip
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["conflicting_gradings"]
    assert ended(by_task(rows)["b"])[0] == "fail"


def test_resolved_and_empty_is_a_contradiction(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a", "")]), "output.jsonl": lines([row("a", "")])}
    run, _ = read_all(IMPORTER, source(tmp_path, members | {"output.report.json": report("a", resolved="a")}))
    assert kinds(run) == ["contradiction"]


def test_handed_in_and_not_graded_is_told(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a"), row("b")]), "output.jsonl": lines([row("a"), row("b")])}
    run, rows = read_all(IMPORTER, source(tmp_path, members | {"output.report.json": report("ab", resolved="a")}))
    assert kinds(run) == ["not_evaluated"]
    assert ended(by_task(rows)["b"]) == promised(ends.PATCH)


def test_usage_costs_and_starts(tmp_path: Path):
    free = row("b") | {"metrics": row("b")["metrics"] | {"accumulated_cost": 0.0}}
    runs = [{"runtime_id": "r", "critic_attempt": 1, "retry": 1, "started_at": "2026-01-01T00:00:00Z"}] * 2
    again = row("c", runtime_runs=runs, test_result={"git_patch": PATCH, "proxy_cost": 0.75})
    again["metrics"] = {
        "accumulated_cost": 0,
        "accumulated_token_usage": {"prompt_tokens": 5},
        "token_usages": [{}, {}],
    }
    run, rows = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([row("a"), free, again])}))
    a, b, c = (by_task(rows)[task].row for task in "abc")
    assert (a.usage.prompt, a.usage.cached_read, a.own_account.cost) == (1000, 900, "0.5")
    assert isinstance(b.own_account.cost, NotMeasured)
    assert (c.usage.calls, c.usage.complete, c.own_account.cost) == (2, False, "0.75")
    assert (c.started_at, c.extra["box_starts"]) == ("2026-01-01T00:00:00Z", "2")
    assert isinstance(c.queue_wait_ms, NotMeasured)
    assert next(one for one in run.told.defects if one.kind == "unknown_cost").keys == ("b",)


def test_settings_are_conditions_without_keys_addresses_and_paths(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([row("a")]), "metadata.json": METADATA}))
    told = run.document
    assert (told["model_id"], told["turn_cap"], told["dataset"]) == ("acme/m-1", 100, {"name": "acme/bench"})
    text = json.dumps(told, default=str)
    assert not any(word in text for word in ("***", "https", "/home"))
    assert "AgentFinishedCritic" in told["selection"]


def test_costs_are_published(tmp_path: Path):
    costs = {
        "directory": "/home/someone",
        "summary": {"total_cost": 1.5, "sum_critic_files": 1.5, "average_duration": 3.0},
    }
    run, _ = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([row("a")]), "cost_report.jsonl": costs}))
    assert {(one.metric, one.value, one.role) for one in run.told.published} == {
        ("total_cost", "1.5", "cost"),
        ("sum_critic_files", "1.5", "cost"),
    }


def test_broken_lines_are_told_and_the_rest_is_read(tmp_path: Path):
    text = lines([row("a", "")]) + "{bad}\n[1]\n" + lines([row("../x", ""), row("b", "")]) + '{"instance_id": "c", "te'
    run, rows = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): text}))
    assert sorted(by_task(rows)) == ["a", "b"]
    assert kinds(run) == ["bad_line", "bad_row", "refused_id"]
    assert "torn_tail" in kinds(run, blocks=False)


def test_one_attempt_byte_for_byte_again_counts_once(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, {ATTEMPT(1): lines([row("a"), row("a")])}))
    assert (len(rows), kinds(run)) == (1, [])
    assert "duplicate_rows" in kinds(run, blocks=False)


def test_one_attempt_twice_is_no_choice_of_ours(tmp_path: Path):
    members = {ATTEMPT(1): lines([row("a"), row("a", "")])}
    found = import_foreign(IMPORTER, source(tmp_path, members))
    assert any(one.kind == "conflicting_rows" and one.blocks for one in found.result.judged.defects)


TABLE = {
    "a": {"resolved": True, "cost": 0.5},
    "b": {"resolved": False, "cost": 0},
    "c": {"resolved": None, "cost": None},
}


def test_a_table_of_the_index(tmp_path: Path):
    scores = [
        {"benchmark": "bench", "score": 66.7, "metric": "accuracy", "cost_per_instance": 0.25, "agent_version": "v1.2"},
        {"benchmark": "other", "score": 1, "metric": "accuracy"},
    ]
    files = source(tmp_path, {"m/instance_results/bench.json": TABLE, "m/scores.json": scores})
    run, rows = read_all(IMPORTER, files, "m/bench")
    assert [ended(one) for one in rows] == [promised(line) for line in (ends.SCORED, ends.NOT_SCORED, ends.UNKNOWN)]
    assert kinds(run) == ["unknown_outcome"]
    assert [(one.metric, one.value, one.role) for one in run.told.published] == [
        ("accuracy", "66.7", "rate"),
        ("cost_per_instance", "0.25", "cost"),
    ]
    assert run.document["agent_version"] == "v1.2"
    assert isinstance(by_task(rows)["b"].row.own_account.cost, NotMeasured)


def test_several_tables_and_folders_are_parts(tmp_path: Path):
    members = {
        "m/instance_results/bench.json": TABLE,
        "n/instance_results/bench.json": TABLE,
        "out/" + ATTEMPT(1): lines([row("a")]),
    }
    files = source(tmp_path, members)
    found = IMPORTER.recognise(files)
    assert found is not None
    assert [one.name for one in found.parts] == ["out", "m/bench", "n/bench"]
    with pytest.raises(InputError, match="holds 3 runs"):
        IMPORTER.read(files)


@pytest.mark.parametrize(
    "members",
    [
        {"output.jsonl": '{"a": 1}\n'},
        {"metadata.json": METADATA},
        {"results.json": TABLE},
        {"x.jsonl": lines([row("a")])},
    ],
)
def test_what_is_something_else_is_not_taken(tmp_path: Path, members: dict[str, Any]):
    assert IMPORTER.recognise(source(tmp_path, members)) is None


WHOLE = lines([row("a"), broken("b", "boom")]).encode()
MEMBERS = (ATTEMPT(1), ATTEMPT(2), "output.jsonl", "output.report.json", "metadata.json", "output.swebench_eval.jsonl")


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from((*MEMBERS, "cost_report.jsonl", "instance_results/x.json", "scores.json")))
def test_broken_members_are_words_or_defects(data: st.DataObject, member: str):
    whole: dict[str, Any] = {
        ATTEMPT(1): lines([row("a"), row("b", "")]), "output.jsonl": lines([row("a")]), "metadata.json": METADATA,
        "output.report.json": report("ab", resolved="a"),
    }  # fmt: skip
    text = whole.get(member, WHOLE)
    bytes_ = text if isinstance(text, bytes) else (text if isinstance(text, str) else json.dumps(text)).encode()
    with TemporaryDirectory() as place:
        read_or_refused(IMPORTER, source(Path(place), whole | {member: data.draw(damaged(bytes_))}))
