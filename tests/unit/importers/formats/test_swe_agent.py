"""SWE-agent: every ending through the rules, both facts of a late submission, tries of the retry agent, broken members."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.importers.crashes import CAUSES, CLIENT, CRASHES, class_in, crash_of
from denominator.importers.formats.swe_agent import IMPORTER
from denominator.importers.formats.swe_agent import endings as lines
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.swe_agent import ARGS, PATCH, folder, trajectory

EACH = {
    "submitted": ("submitted", PATCH, lines.SUBMITTED),
    "empty": ("submitted", None, lines.EMPTY),
    "blank": ("submitted", "\n", lines.EMPTY),
    "late-cost": ("submitted (exit_cost)", PATCH, lines.LATE),
    "late-context": ("submitted (exit_context)", PATCH, lines.LATE),
    "late-format": ("submitted (exit_format)", PATCH, lines.LATE),
    "late-time": ("submitted (exit_total_execution_time)", PATCH, lines.LATE),
    "late-commands": ("submitted (exit_command_timeout)", PATCH, lines.LATE),
    "cost": ("exit_cost", None, lines.COST),
    "late-nothing": ("submitted (exit_cost)", "\n", lines.COST),
    "context": ("exit_context", None, crash_of("ContextWindowExceeded", 2)),
    "time": ("exit_total_execution_time", None, lines.TOTAL_TIME),
    "commands": ("exit_command_timeout", None, lines.COMMANDS),
    "format": ("exit_format", None, lines.FORMAT),
    "forfeit": ("exit_forfeit", None, lines.FORFEIT),
    "late-forfeit": ("submitted (exit_forfeit)", PATCH, lines.FORFEIT),
    "exit": ("exit_command", None, lines.EXIT),
    "box": ("exit_environment_error", None, lines.BOX),
    "early": ("early_exit", None, lines.BOX),
    "late-box": ("submitted (exit_environment_error)", PATCH, lines.BOX),
    "api": ("exit_api", None, lines.API),
    "late-api": ("submitted (exit_api)", PATCH, lines.API),
    "error": ("exit_error", None, lines.ERROR),
    "late-error": ("submitted (exit_error)", PATCH, lines.ERROR),
    "skip": ("skipped", None, lines.SKIPPED),
    "null": (None, None, lines.UNFINISHED),
}


@pytest.mark.parametrize("name", EACH)
def test_each_ending_is_what_the_rules_say(tmp_path: Path, name: str):
    status, patch, line = EACH[name]
    run, rows = read_all(IMPORTER, source(tmp_path, folder({name: (status, patch)})))
    assert [ended(one) for one in rows] == [promised(line)]
    assert kinds(run) == []


@pytest.mark.parametrize("line", [one for one in CRASHES if "Context" not in one.word], ids=lambda line: line.word[:40])
def test_what_was_caught_nowhere_is_named_by_its_class(tmp_path: Path, line: Any):
    name = next(one for one in (*CLIENT, *CAUSES, "ZeroDivisionError") if crash_of(one) is line)
    members = folder({"s": ("submitted", PATCH)})
    members["run_batch_exit_statuses.yaml"] = json.dumps({"instances_by_exit_status": {f"Uncaught {name}": ["t"]}})
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(by_task(rows)["t"]) == promised(line)
    assert kinds(run) == []


def test_every_line_of_the_table_has_a_case():
    cases = [line for _, _, line in EACH.values()]
    assert [line for line in IMPORTER.endings if line not in cases and line not in CRASHES] == [lines.LOST]


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        (
            "Exit due to retry error: RetryError[<Future at 0x7 state=finished raised RateLimitError>]",
            "provider_rate_limit",
        ),
        ("Exit due to unknown error: litellm.AuthenticationError: no key", "provider_refused"),
        ("Exit due to runtime error: boom", "provider_error"),
        ("I saw error: litellm.AuthenticationError: in the log", "provider_error"),
    ],
)
def test_a_class_in_the_message_of_the_harness_names_the_cause(tmp_path: Path, message: str, cause: str):
    one = trajectory("exit_api", None)
    one["trajectory"][-1] = {"response": message, "thought": message}
    _, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj": one}))
    assert rows[0].row.first_unrecovered.cause == cause


def test_a_class_is_read_in_fixed_places_only():
    assert class_in("the test says RateLimitError: 429") == ""
    assert class_in("litellm.RateLimitError: slow down") == "RateLimitError"


def test_a_late_submission_keeps_both_facts(tmp_path: Path):
    members = folder({"c": ("submitted (exit_cost)", PATCH), "e": ("submitted (exit_error)", PATCH)})
    rows = by_task(read_all(IMPORTER, source(tmp_path, members))[1])
    assert (rows["c"].row.after_cap, rows["c"].row.patch.bytes) == (True, len(PATCH))
    assert (rows["e"].row.first_unrecovered.cause, rows["e"].row.patch.bytes) == ("harness_error", len(PATCH))
    assert rows["c"].row.extra["submitted_after"] == "true"


def test_a_context_that_was_too_small_at_once_is_nobodys_answer(tmp_path: Path):
    info = trajectory("exit_context", None)["info"] | {"model_stats": {"api_calls": 0}}
    _, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj": trajectory("exit_context", None, info=info)}))
    assert ended(rows[0]) == ("unscoreable", "HARNESS", "sandbox_config")


def test_the_tries_of_a_retry_agent_are_one_row_and_counted_once(tmp_path: Path):
    tries = [trajectory("submitted (exit_cost)", PATCH), trajectory("submitted", PATCH)]
    config = json.loads(tries[0]["replay_config"])
    agent = config["agent"]
    config["agent"] = {
        "type": "retry", "agent_configs": [agent],
        "retry_loop": {"type": "score", "max_attempts": 3, "cost_limit": 6.0},
    }  # fmt: skip
    total = {"instance_cost": 1.2, "tokens_sent": 2100, "tokens_received": 100, "api_calls": 5}
    info = tries[1]["info"] | {"model_stats": total, "best_attempt_idx": 1, "rloop_model_stats": {"instance_cost": 0.2}}
    one = tries[1] | {"info": info, "attempts": tries, "replay_config": json.dumps(config)}
    members = {"t/t.traj": one, "t/attempt_0/t.traj": tries[0], "t/attempt_1/t.traj": tries[1]}
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert len(rows) == 1
    row = rows[0].row
    assert (row.own_account.prompt, row.own_account.cost, row.usage.calls) == (2100, "1.2", 5)
    assert json.loads(row.extra["tries"]) == ["submitted (exit_cost)", "submitted"]
    assert row.extra["chosen_try"] == "1"
    assert run.document["selection"] == "the agent's own score chooses among up to 3 tries"
    assert str(run.document["cost_cap_usd"]) == "6.0"
    assert "chosen_tries" in kinds(run, blocks=False)


def test_a_retry_agent_that_died_has_no_ending(tmp_path: Path):
    _, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj": {"attempts": [trajectory("submitted", PATCH)]}}))
    assert ended(rows[0]) == promised(lines.UNFINISHED)
    assert rows[0].row.closed is False


def test_an_instance_that_was_only_begun_has_a_row(tmp_path: Path):
    members = folder({"s": ("submitted", PATCH)}) | {"t/t.config.yaml": "'{}'"}
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(by_task(rows)["t"]) == promised(lines.LOST)


def test_a_submission_whose_files_are_gone_is_not_an_empty_one(tmp_path: Path):
    members = folder({"s": ("submitted", PATCH), "t": ("submitted", PATCH)})
    for name in ("t/t.traj", "t/t.pred"):
        del members[name]
    del members["preds.json"]["t"]
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(by_task(rows)["t"]) == promised(lines.LOST)
    assert isinstance(by_task(rows)["t"].row.patch, NotMeasured)


def test_a_status_of_a_later_start_is_the_old_one(tmp_path: Path):
    members = folder({"t": ("submitted", PATCH)})
    members["run_batch_exit_statuses.yaml"] = json.dumps({"instances_by_exit_status": {"skipped (submitted)": ["t"]}})
    assert kinds(read_all(IMPORTER, source(tmp_path, members))[0]) == []


def test_contradictions_block(tmp_path: Path):
    members = folder({"t": ("submitted", PATCH), "u": ("submitted", PATCH)})
    members["run_batch_exit_statuses.yaml"] = json.dumps({"instances_by_exit_status": {"exit_cost": ["t"]}})
    members["preds.json"]["u"]["model_patch"] = "diff --git a/y b/y\n"
    members["u/u.pred"]["model_patch"] = PATCH
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == [
        "conflicting_endings",
        "patch_differs",
        "patch_differs",
    ]  # between two files, and with the trajectory


def test_two_predictions_of_one_id_block_and_the_last_one_counts(tmp_path: Path):
    lines_ = [{"instance_id": "t", "model_patch": "diff --git a/y b/y\n"}, {"instance_id": "t", "model_patch": PATCH}]
    members = {"trajs/t.traj": trajectory("submitted", PATCH), "all_preds.jsonl": "\n".join(map(json.dumps, lines_))}
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["duplicate_predictions"]
    assert rows[0].row.patch.bytes == len(PATCH)


def test_a_prediction_of_another_id_blocks(tmp_path: Path):
    members = folder({"t": ("submitted", PATCH)})
    members["t/t.pred"]["instance_id"] = "u"
    assert kinds(read_all(IMPORTER, source(tmp_path, members))[0]) == ["id_mismatch"]


def test_a_prediction_that_was_not_merged_is_told(tmp_path: Path):
    members = folder({"s": ("submitted", PATCH), "t": ("exit_cost", None)})
    del members["preds.json"]["t"]
    del members["t/t.pred"]["model_patch"]
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert any("leaves out" in one.what and one.keys == ("t",) for one in run.told.defects)
    assert ended(by_task(rows)["t"]) == promised(lines.COST)


def test_settings_are_conditions_and_nothing_else_is_carried(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(tmp_path, folder({"t": ("submitted", PATCH)})))
    told = run.document
    assert (told["model_id"], told["harness_commit"], told["agent_version"]) == ("acme/m-1", "a" * 40, "1.1.0")
    assert (told["tool_timeout_s"], told["call_cap"], told["sandbox"]) == (30, "none", "docker")
    assert "problems" not in json.dumps(told, default=str)


def test_settings_of_versions_0_are_in_their_own_file(tmp_path: Path):
    old = {"trajectory": [], "info": {"exit_status": "submitted", "submission": PATCH}, "environment": "swe_main"}
    run, _ = read_all(IMPORTER, source(tmp_path, {"r/t.traj": old, "r/args.yaml": json.dumps(ARGS)}))
    assert (run.document["model_id"], run.name) == ("m-0", "r")


def test_a_selection_is_told_and_is_no_plan(tmp_path: Path):
    config = {"instances": {"type": "swe_bench", "subset": "lite", "split": "dev", "filter": ".*", "slice": ":3"}}
    members = folder({"t": ("submitted", PATCH)}) | {"run_batch.config.yaml": json.dumps(json.dumps(config))}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert "subset lite, split dev" in run.declared.declared_n.not_measured


def test_a_hosted_report_is_published_and_not_read(tmp_path: Path):
    report = {
        "total_instances": 2, "submitted_instances": 1, "resolved_instances": 1, "resolved_ids": ["t"],
        "unresolved_ids": [], "error_ids": [],
    }  # fmt: skip
    run, rows = read_all(IMPORTER, source(tmp_path, folder({"t": ("submitted", PATCH)}) | {"results.json": report}))
    assert ("resolved_instances", "1") in {(one.metric, one.value) for one in run.told.published}
    assert rows[0].row.grade == "none"
    assert "import swebench" in run.told.files["results.json"]


def test_a_broken_trajectory_keeps_its_row_by_the_exit_status(tmp_path: Path):
    members = folder({"s": ("submitted", PATCH), "t": ("exit_cost", None)}) | {"t/t.traj": "{"}
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["broken_file"]
    assert ended(by_task(rows)["t"]) == promised(lines.COST)


def test_an_unknown_status_blocks_and_its_row_stays(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, folder({"t": ("exit_mars", None)})))
    assert (len(rows), kinds(run)) == (1, ["unknown_ending"])


@pytest.mark.parametrize(
    "members",
    [{"t.traj": {"messages": []}}, {"preds.json": {}}, {"t/t.traj.json": {"info": {"exit_status": "Submitted"}}}],
)
def test_what_is_something_else_is_not_taken(tmp_path: Path, members: dict[str, Any]):
    assert IMPORTER.recognise(source(tmp_path, members)) is None


WHOLE = json.dumps(trajectory("submitted", PATCH)).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    broken(WHOLE),
    st.sampled_from(("t/t.traj", "t/t.pred", "preds.json", "run_batch_exit_statuses.yaml", "run_batch.config.yaml")),
)
def test_broken_members_are_words_or_defects(data: bytes, member: str):
    with TemporaryDirectory() as place:
        members = folder({"s": ("submitted", PATCH), "t": ("exit_cost", None)})
        assert read_or_refused(IMPORTER, source(Path(place), members | {member: data})) >= 1
