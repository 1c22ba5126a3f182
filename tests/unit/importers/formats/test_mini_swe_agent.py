"""mini-swe-agent: every ending through the rules, tries, contradictions, what is scheduled, broken members."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.crashes import CAUSES, CLIENT, CRASHES, OTHER, crash_of
from denominator.importers.formats.mini_swe_agent import IMPORTER
from denominator.importers.formats.mini_swe_agent import endings as lines
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.mini_swe_agent import LOG, PATCH, folder, trajectory

ONE_EACH = {
    "submitted": (("Submitted", PATCH), lines.SUBMITTED),
    "empty": (("Submitted", " \n"), lines.EMPTY),
    "limits": (("LimitsExceeded", ""), lines.LIMITS),
    "time": (("TimeExceeded", ""), lines.TIME),
    "format": (("RepeatedFormatError", ""), lines.FORMAT),
    "format-1": (("FormatError", ""), lines.FORMAT),
    "user": (("UserInterruption", ""), lines.USER),
    "unfinished": (("", ""), lines.UNFINISHED),
    "rate": (("RateLimitError", ""), crash_of("RateLimitError")),
    "rate-own-name": (("OpenRouterRateLimitError", ""), crash_of("RateLimitError")),
    "box": (("CalledProcessError", ""), crash_of("CalledProcessError")),
    "other": (("IndexError", ""), OTHER),
    "no-provider": (("FileNotFoundError", ""), OTHER),
    "window": (("ContextWindowExceededError", ""), crash_of("ContextWindowExceededError", 1)),
}


@pytest.mark.parametrize("name", ONE_EACH)
def test_each_ending_is_what_the_rules_say(tmp_path: Path, name: str):
    end, line = ONE_EACH[name]
    run, rows = read_all(IMPORTER, source(tmp_path, folder({name: end})))
    assert [ended(one) for one in rows] == [promised(line)]
    assert kinds(run) == []


@pytest.mark.parametrize("line", IMPORTER.endings, ids=lambda line: line.word[:40])
def test_every_line_of_the_table_is_reached(tmp_path: Path, line: Any):
    members: dict[str, Any]
    if line is lines.NO_TEXT:
        members = {"t/t.traj.json": trajectory("t", "Submitted", None)}
    elif line is lines.GLOBAL_CAP:
        text = "Global cost/call limit exceeded: $10.0000 / 99"
        members = {"t/t.traj.json": trajectory("t", "RuntimeError", "", exception_str=text)}
    elif line is lines.LOST:
        members = folder({"s": ("Submitted", PATCH)})
        members["preds.json"] |= {"t": {"model_name_or_path": "acme/m-1", "instance_id": "t", "model_patch": ""}}
    elif line in CRASHES:
        names = ("ContextWindowExceeded", "ZeroDivisionError", *CLIENT, *CAUSES)
        calls, name = next((n, one) for n in (1, 5) for one in names if crash_of(one, n) is line)
        stats = {"instance_cost": 0.25, "api_calls": calls}
        members = {"t/t.traj.json": trajectory("t", name, "", model_stats=stats)}
    else:
        end = next(end for end, one in ONE_EACH.values() if one is line)
        members = folder({"t": end})
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(by_task(rows)["t"]) == promised(line)
    assert "unknown_ending" not in kinds(run)


def test_a_patch_is_known_only_where_the_agent_submitted(tmp_path: Path):
    members = folder({"s": ("Submitted", PATCH), "e": ("Submitted", ""), "l": ("LimitsExceeded", "")})
    rows = by_task(read_all(IMPORTER, source(tmp_path, members))[1])
    assert rows["s"].row.patch.bytes == len(PATCH)
    assert rows["e"].row.patch.bytes == 0
    assert isinstance(rows["l"].row.patch, NotMeasured)


def test_the_text_of_an_exception_is_no_patch(tmp_path: Path):
    members = folder({"t": ("RateLimitError", "litellm.RateLimitError: 429 slow down")})
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert isinstance(rows[0].row.patch, NotMeasured)
    assert "text_as_patch" in kinds(run, blocks=False)
    assert "429" not in json.dumps(rows[0].row.extra)


def test_an_ending_that_nobody_listed_blocks_and_its_row_stays(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, folder({"t": ("went well!", "")})))
    assert kinds(run) == ["unknown_ending"]
    assert ended(rows[0])[:2] == ("unscoreable", "HARNESS")


def test_a_second_start_makes_attempts_in_the_order_of_its_files(tmp_path: Path):
    members = folder({"t": ("Submitted", PATCH)})
    newer = members.pop("exit_statuses_1764500000.0.yaml")
    members["exit_statuses_9.5.yaml"] = json.dumps({"instances_by_exit_status": {"RateLimitError": ["t"]}})
    members["exit_statuses_1764500000.0.yaml"] = newer
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert [(one.row.key.attempt, ended(one)[2]) for one in rows] == [(1, "provider_rate_limit"), (2, "")]
    assert isinstance(rows[0].row.patch, NotMeasured)
    assert "overwritten_attempt" in kinds(run, blocks=False)


def test_statuses_that_contradict_the_trajectory_or_themselves_block(tmp_path: Path):
    members = folder({"t": ("Submitted", PATCH), "u": ("Submitted", PATCH)})
    statuses = {"LimitsExceeded": ["t", "u"], "Submitted": ["u"]}
    members["exit_statuses_1764500000.0.yaml"] = json.dumps({"instances_by_exit_status": statuses})
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["conflicting_endings", "conflicting_endings"]
    assert ended(by_task(rows)["t"]) == promised(lines.SUBMITTED)


def test_a_container_that_never_started_has_a_row(tmp_path: Path):
    members = folder({"s": ("Submitted", PATCH), "t": ("CalledProcessError", "")})
    del members["t/t.traj.json"]
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert ended(by_task(rows)["t"]) == ("unscoreable", "HARNESS", "sandbox_config")
    assert any("no trajectory" in one.what for one in run.told.defects)


def test_a_trajectory_without_a_prediction_is_told(tmp_path: Path):
    members = folder({"s": ("Submitted", PATCH), "t": ("Submitted", PATCH)})
    del members["preds.json"]["t"]
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert len(rows) == 2
    assert any("no prediction" in one.what and one.keys == ("t",) for one in run.told.defects)


def test_a_prediction_that_is_not_what_was_submitted_blocks(tmp_path: Path):
    members = folder({"t": ("Submitted", PATCH)})
    members["preds.json"]["t"]["model_patch"] = PATCH + "\n-c\n"
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["patch_differs"]


@pytest.mark.parametrize(
    ("log", "n"),
    [
        (LOG, 3),
        (LOG + LOG.replace(" 3 ", " 1 "), None),
        ("x - minisweagent - INFO - Skipping 0 existing instances\n" + LOG, 3),
        ("x - minisweagent - INFO - Skipping 2 existing instances\n" + LOG, None),
        ("the agent printed: Running on 7 instances...\n", None),
        ("", None),
    ],
)
def test_the_number_of_draws_is_the_log_of_one_start(tmp_path: Path, log: str, n: int | None):
    members = folder({"t": ("Submitted", PATCH)}) | {"minisweagent.log": log}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert run.declared.tasks == ()
    assert (run.declared.declared_n == n) if n else isinstance(run.declared.declared_n, NotMeasured)


def test_what_the_answers_used_and_what_the_agent_counts(tmp_path: Path):
    one = trajectory("t", "Submitted", PATCH, model_stats={"instance_cost": 0.25, "api_calls": 2})
    _, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj.json": one}))
    row = rows[0].row
    assert (row.usage.prompt, row.usage.completion, row.usage.cached_read, row.usage.calls) == (100, 10, 40, 2)
    assert row.usage.complete is False
    assert (row.own_account.cost, row.own_account.calls) == ("0.25", 2)
    assert row.started_at == "2025-11-30T10:53:20.500Z"


def test_replies_that_were_billed_and_not_counted_make_the_cost_unknown(tmp_path: Path):
    one = trajectory("t", "Submitted", PATCH, model_stats={"instance_cost": 1.0, "api_calls": 3})
    one["messages"] += [{"role": "user", "content": "format", "extra": {"cost": cost}} for cost in (0.75, 1, 1)]
    run, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj.json": one}))
    assert "3.00 dollars, it counts 1.0" in rows[0].row.own_account.cost.not_measured
    assert "accounting_anomaly" in kinds(run, blocks=False)


def test_a_cost_of_0_is_unknown(tmp_path: Path):
    one = trajectory("t", "Submitted", PATCH, model_stats={"instance_cost": 0, "api_calls": 1})
    one["messages"][2]["extra"].pop("cost")
    run, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj.json": one}))
    assert isinstance(rows[0].row.own_account.cost, NotMeasured)
    assert "unknown_cost" in kinds(run, blocks=False)


def test_conditions_are_what_all_trajectories_say(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(tmp_path, folder({"s": ("Submitted", PATCH), "t": ("Submitted", PATCH)})))
    told = run.document
    assert (told["model_id"], told["agent_version"], told["turn_cap"]) == ("acme/m-1", "2.4.6", 250)
    assert (str(told["cost_cap_usd"]), told["sandbox"], told["tool_timeout_s"]) == ("3.0", "DockerEnvironment", 60)
    assert not any("/" in str(value) for name, value in told.items() if name != "model_id")


def test_several_models_and_limits_block(tmp_path: Path):
    members = folder({"s": ("Submitted", PATCH), "t": ("Submitted", PATCH)})
    config = json.loads(json.dumps(members["t/t.traj.json"]["info"]["config"]))
    config["model"]["model_name"], config["agent"]["step_limit"] = "acme/m-2", 0
    members["t/t.traj.json"]["info"]["config"] = config
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["limits_differ", "several_models"]
    assert "model_id" not in run.document
    assert "turn_cap" in run.unknown


def test_a_prediction_of_another_model_blocks(tmp_path: Path):
    members = folder({"t": ("Submitted", PATCH)})
    members["preds.json"]["t"]["model_name_or_path"] = "acme/m-2"
    assert kinds(read_all(IMPORTER, source(tmp_path, members))[0]) == ["several_models"]


def test_a_bare_list_of_messages_has_no_ending_of_its_own(tmp_path: Path):
    talk = [{"role": "system", "content": "s"}, {"role": "assistant", "content": "a"}]
    _, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj.json": talk}))
    assert ended(rows[0]) == promised(lines.UNFINISHED)
    assert rows[0].row.closed is False


def test_a_broken_trajectory_keeps_its_row_by_the_exit_status(tmp_path: Path):
    members = folder({"s": ("Submitted", PATCH), "t": ("LimitsExceeded", "")})
    members["t/t.traj.json"] = '{"info": {"exit_status": "Lim'
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["broken_file"]
    assert ended(by_task(rows)["t"]) == promised(lines.LIMITS)


def test_an_evaluation_beside_it_is_named_and_not_read(tmp_path: Path):
    members = folder({"t": ("Submitted", PATCH)})
    members["logs/run_evaluation/r/m/t/report.json"] = {"t": {"resolved": True}}
    members["m.r.json"] = {"total_instances": 1, "submitted_instances": 1}
    files = source(tmp_path, members)
    found = IMPORTER.recognise(files)
    assert found is not None
    assert found.sure is False
    run, rows = read_all(IMPORTER, files)
    assert rows[0].row.grade == "none"
    assert "import swebench" in run.told.files["m.r.json"]


def test_several_runs_are_parts(tmp_path: Path):
    one = folder({"t": ("Submitted", PATCH)})
    members = {f"{run}/{name}": content for run in ("x/out", "y/out", "z") for name, content in one.items()}
    found = IMPORTER.recognise(source(tmp_path, members))
    assert found is not None
    assert sorted(part.name for part in found.parts) == ["x/out", "y/out", "z"]
    with pytest.raises(InputError, match="holds 3 runs"):
        IMPORTER.read(source(tmp_path, members))


def test_two_trajectories_of_one_id_block(tmp_path: Path):
    one = trajectory("t", "Submitted", PATCH)
    run, rows = read_all(IMPORTER, source(tmp_path, {"t/t.traj.json": one, "t.traj.json": one}))
    assert (len(rows), kinds(run)) == (1, ["duplicate_trajectory"])


@pytest.mark.parametrize(
    "members",
    [
        {"preds.json": {"t": {"model_patch": ""}}},
        {"t/t.traj": {"trajectory": [], "info": {"exit_status": "submitted"}}},
        {"t.traj.json": {"trajectory": [], "history": [], "info": {"exit_status": "submitted"}}},
        {"x.json": [1]},
    ],
)
def test_what_is_something_else_is_not_taken(tmp_path: Path, members: dict[str, Any]):
    assert IMPORTER.recognise(source(tmp_path, members)) is None


WHOLE = json.dumps(trajectory("t", "Submitted", PATCH)).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(broken(WHOLE), st.sampled_from(("t/t.traj.json", "preds.json", "exit_statuses_1764500000.0.yaml")))
def test_broken_members_are_words_or_defects(data: bytes, member: str):
    with TemporaryDirectory() as place:
        members = folder({"s": ("Submitted", PATCH), "t": ("LimitsExceeded", "")})
        assert read_or_refused(IMPORTER, source(Path(place), members | {member: data})) >= 1
