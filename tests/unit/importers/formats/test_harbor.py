"""Harbor: every ending through our own label rules, what was scheduled, and what is said of files that are not as they should be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.importers.formats.harbor import IMPORTER
from denominator.importers.formats.harbor import endings as ends
from denominator.records.values import NotMeasured
from denominator.wire.sources import open_source
from importer_examples import harbor as made
from unit.importers.formats.foreign_lab import judged, kinds, promised, read_all

ONE, ZERO = {"reward": 1.0}, {"reward": 0.0}
STANDS = {"should_retry": False, "should_grade": True, "has_valid_reward": True}
FALLS = {"should_retry": False, "should_grade": True, "has_valid_reward": False}


def one_trial(folder: Path, *args, **more):
    """(run, the only row) of a job of one trial."""
    root = folder / "job"
    made.write(root / "lock.json", made.job_lock(["alpha"]))
    made.write(root / "config.json", made.config(1))
    made.trial(root / "alpha__0000001", "alpha", *args, **more)
    run, rows = read_all(IMPORTER, root)
    return run, rows["alpha", 1]


def situations():
    """(line of the table, rewards, exception) for every line that a result.json can show."""
    yield ends.PASSED, ONE, ""
    yield ends.PASSED, {"score": 1}, ""
    yield ends.FAILED, ZERO, ""
    yield ends.OPEN, {"reward": 0.5}, ""
    yield ends.OPEN, {"reward": -1}, ""
    yield ends.OPEN, {"reward": 0.5}, "NonZeroAgentExitCodeError"
    yield ends.SEVERAL, {"style": 1, "speed": 0.2}, ""
    yield ends.UNREWARDED, None, ""
    yield ends.UNREWARDED, {}, ""
    for said, rewards in (("reward=1", ONE), ("reward=0", ZERO), ("", None)):
        yield ends.LATE[said], rewards, "AgentTimeoutError"
    for name in (*ends.REWARD_STANDS, *ends.REFUSALS):
        yield ends.STANDING[0], ONE, name
        yield ends.STANDING[1], ZERO, name
        yield ends.REFUSED if name in ends.REFUSALS else ends.UNJUDGED, None, name
    yield ends.UNKNOWN_STANDING[0], ONE, "ZeroDivisionError"
    yield ends.UNKNOWN_STANDING[1], ZERO, "ZeroDivisionError"
    for name, line in ends.INVALID.items():
        for rewards in (ONE, ZERO, None):
            yield line, rewards, name


SITUATIONS = list(situations())


@pytest.mark.parametrize(("line", "rewards", "exception"), SITUATIONS)
def test_our_rules_say_what_the_table_says(tmp_path, line, rewards, exception):
    run, found = one_trial(tmp_path, rewards, exception)
    assert judged(found, run.document["on_timeout"]) == promised(line)


def test_every_line_of_the_table_has_a_situation():
    shown = {id(line) for line, _, _ in SITUATIONS} | {id(ends.KILLED), id(ends.BROKEN), id(ends.OVERRIDDEN)}
    assert {id(line) for line in IMPORTER.endings} == shown
    assert len({line.word for line in IMPORTER.endings}) == len(IMPORTER.endings)


def test_a_reward_that_harbor_calls_invalid_is_kept_beside_the_row(tmp_path):
    _, found = one_trial(tmp_path, ONE, "ApiRateLimitError")
    assert found.row.grade == "none"
    assert json.loads(found.row.extra["rewards"]) == {"reward": "1.0"}


def test_a_timeout_is_marked_whatever_the_reward(tmp_path):
    _, found = one_trial(tmp_path, ONE, "AgentTimeoutError")
    assert found.row.after_cap is True
    assert found.row.killed_by == "budget_wall"


@pytest.mark.parametrize(("rewards", "blocks"), [(ONE, False), (ZERO, False), (None, True)])
def test_an_exception_that_nobody_knows_blocks_where_there_is_no_reward(tmp_path, rewards, blocks):
    run, found = one_trial(tmp_path, rewards, "SomethingNewError")
    assert [one.blocks for one in run.told.defects] == [blocks]
    assert found.row.key.task_id == "alpha"


def test_the_job_s_own_error_policy_goes_before_the_table(tmp_path):
    run, found = one_trial(tmp_path, ZERO, "ApiRateLimitError", policy=STANDS)
    assert found.row.grade == "red"
    assert kinds(run) == ["policy_override"]
    run, found = one_trial(tmp_path / "other", ZERO, "NonZeroAgentExitCodeError", policy=FALLS)
    assert judged(found) == promised(ends.OVERRIDDEN)


def test_where_late_work_is_not_graded_the_document_says_so(tmp_path):
    root = made.job(tmp_path / "job")
    made.write(
        root / "config.json", made.config(2, override_error_policy={"AgentTimeoutError": {"has_valid_reward": False}})
    )
    assert IMPORTER.read(open_source(root)).document["on_timeout"] == "fail"


def test_the_invalid_one_of_several_exceptions_decides(tmp_path):
    steps = [{"step_name": "s", "exception_info": {"exception_type": "ApiRateLimitError"}, "agent_result": None}]
    _, found = one_trial(tmp_path, ZERO, "AgentTimeoutError", step_results=steps)
    assert judged(found) == promised(ends.INVALID["ApiRateLimitError"])


def test_no_result_and_a_damaged_result_keep_their_draw(tmp_path):
    root = made.job(tmp_path / "job")
    (root / "alpha__0000001" / "result.json").unlink()
    (root / "beta__0000002" / "result.json").write_text('{"schema_version": 1, "task_name": "demo/beta", "trial_na')
    run, rows = read_all(IMPORTER, root)
    assert len(rows) == 4
    assert judged(rows["alpha", 2]) == promised(ends.KILLED)
    assert rows["alpha", 2].row.closed is False
    assert judged(rows["beta", 2]) == promised(ends.BROKEN)
    assert kinds(run, blocks=True) == ["broken_file"]


def test_repeats_follow_the_time_at_which_trials_began(tmp_path):
    _, rows = read_all(IMPORTER, made.job(tmp_path / "job"))
    assert {draw: one.row.grade for draw, one in rows.items()} == {
        ("alpha", 1): "green", ("alpha", 2): "red", ("beta", 1): "red", ("beta", 2): "green",
    }  # fmt: skip


def test_the_lock_says_what_was_scheduled_and_not_the_folders(tmp_path):
    root = made.job(tmp_path / "job")
    shutil.rmtree(root / "beta__0000002")
    shutil.rmtree(root / "beta__0000004")
    run, rows = read_all(IMPORTER, root)
    assert (run.declared.declared_n, len(rows)) == (4, 2)
    assert {task: one.repeats for one in run.declared.tasks for task in one.tasks} == {"alpha": 2, "beta": 2}


def test_without_a_lock_listed_tasks_are_the_plan_and_a_data_set_is_only_a_number(tmp_path):
    root = made.job(tmp_path / "job")
    (root / "lock.json").unlink()
    run, _ = read_all(IMPORTER, root)
    assert (run.declared.declared_n, run.declared.tasks) == (4, ())
    assert "harness_version" in run.unknown
    tasks = [{"path": "/x/alpha"}, {"path": "/x/beta"}]
    made.write(root / "config.json", made.config(2, datasets=[], tasks=tasks))
    run, _ = read_all(IMPORTER, root)
    assert [(one.tasks, one.repeats) for one in run.declared.tasks] == [(("alpha", "beta"), 2)]
    made.write(root / "config.json", made.config(2, datasets=[{"path": "/x", "task_names": ["al*"]}]))
    assert read_all(IMPORTER, root)[0].declared.tasks == ()


def test_a_trial_alone_has_no_plan(tmp_path):
    made.trial(tmp_path / "alpha__0000001", "alpha", ONE)
    run, rows = read_all(IMPORTER, tmp_path / "alpha__0000001")
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert rows["alpha", 1].row.grade == "green"


def test_several_jobs_are_several_runs_and_one_must_be_chosen(tmp_path):
    for name in ("one", "two"):
        made.job(tmp_path / name)
    source = open_source(tmp_path)
    assert [one.name for one in IMPORTER.recognise(source).parts] == ["one", "two"]
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(source)


def test_two_agents_of_one_job_are_two_runs(tmp_path):
    other = made.AGENT | {"name": "other"}
    root = made.job(tmp_path / "job")
    lock = [made.trial_lock(task, agent) for task in ("alpha", "beta") for agent in (made.AGENT, other)]
    made.write(root / "lock.json", made.job_lock([], trials=lock))
    made.write(root / "config.json", made.config(1, agents=[made.AGENT, other]))
    for name in ("alpha__0000003", "beta__0000004"):
        result = json.loads((root / name / "result.json").read_text())
        made.write(root / name / "result.json", result | {"config": result["config"] | {"agent": other}})
    names = [one.name for one in IMPORTER.recognise(open_source(root)).parts]
    assert names == ["job:coder__lab/model-1", "job:other__lab/model-1"]
    for name in names:
        run, rows = read_all(IMPORTER, root, name)
        assert (run.declared.declared_n, sorted(rows)) == (2, [("alpha", 1), ("beta", 1)])
        assert kinds(run) == []


def test_a_name_that_two_data_sets_share_gets_its_data_set(tmp_path):
    root = tmp_path / "job"
    entries = [made.trial_lock("alpha"), made.trial_lock("alpha")]
    entries[1]["task"] |= {"source": "others", "digest": made.DIGEST["beta"]}
    made.write(root / "lock.json", made.job_lock([], trials=entries))
    made.write(root / "config.json", made.config(1))
    made.trial(root / "alpha__0000001", "alpha", ONE)
    made.trial(root / "alpha__0000002", "alpha", ZERO, source="others")
    made.write(root / "alpha__0000002" / "lock.json", entries[1])
    run, rows = read_all(IMPORTER, root)
    assert sorted(rows) == [("others/alpha", 1), ("tasks/alpha", 1)]
    assert kinds(run) == []


def test_another_digest_of_a_task_blocks(tmp_path):
    root = made.job(tmp_path / "job")
    lock = made.trial_lock("alpha")
    lock["task"]["digest"] = made.DIGEST["beta"]
    made.write(root / "alpha__0000003" / "lock.json", lock)
    run, _ = read_all(IMPORTER, root)
    assert [(one.kind, one.keys, one.blocks) for one in run.told.defects] == [("mixed_content", ("alpha",), True)]


def test_trials_beyond_the_plan_block(tmp_path):
    root = made.job(tmp_path / "job")
    made.trial(root / "gamma__0000005", "gamma", ONE)
    made.trial(root / "alpha__0000006", "alpha", ONE, started="2026-11-29T12:00:00Z")
    run, rows = read_all(IMPORTER, root)
    assert kinds(run, blocks=True) == ["foreign_id", "beyond_plan"]
    assert ("gamma", 1) in rows


def test_a_total_that_is_not_the_plan_blocks(tmp_path):
    root = made.job(tmp_path / "job")
    made.write(root / "result.json", made.job_result(5))
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["plan_differs"]


def test_the_verifier_s_file_is_held_against_the_result(tmp_path):
    root = tmp_path / "alpha__0000001"
    made.trial(root, "alpha", ONE)
    (root / "verifier").mkdir()
    (root / "verifier" / "reward.txt").write_text("0\n")
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["reward_differs"]
    (root / "verifier" / "reward.json").write_text('{"reward": 1}')
    run, _ = read_all(IMPORTER, root)
    assert kinds(run) == ["two_reward_files"]


def test_what_a_job_prints_of_itself_is_published_and_not_used(tmp_path):
    run, _ = read_all(IMPORTER, made.job(tmp_path / "job"))
    told = {one.metric: (one.value, one.unit, one.role) for one in run.told.published}
    assert told["n_total_trials"] == ("4", "count", "scheduled")
    assert told["coder__lab/model-1__tasks: mean"] == ("0.5", "share", "rate")
    assert told["coder__lab/model-1__tasks: pass@2"] == ("1.0", "share", "other")
    assert "over 4 trials with a valid reward; 4 were scheduled" in run.told.notes[0]


def test_older_statistics_have_other_names(tmp_path):
    root = made.job(tmp_path / "job")
    made.write(root / "result.json", made.job_result(4, stats={"n_trials": 4, "n_errors": 1, "evals": {}}))
    told = {one.metric: one.value for one in read_all(IMPORTER, root)[0].told.published}
    assert (told["n_completed_trials"], told["n_errored_trials"]) == ("4", "1")


def test_an_interrupted_job_and_deleted_trials_are_told(tmp_path):
    root = made.job(tmp_path / "job")
    stats = {"n_completed_trials": 4, "n_retries": 3, "evals": {}}
    made.write(root / "result.json", made.job_result(4, finished_at=None, stats=stats))
    assert kinds(read_all(IMPORTER, root)[0], blocks=False) == ["interrupted", "retried_inside"]


def test_the_document_states_what_the_lock_records(tmp_path):
    document = read_all(IMPORTER, made.job(tmp_path / "job"))[0].document
    assert document["harness_version"] == "0.26.0"
    assert document["harness_commit"] == "c0ffee"
    assert (document["model_id"], document["agent_id"]) == ("lab/model-1", "coder")
    assert (document["retry_policy"], document["max_attempts"], document["repeats"]) == ("none", 1, 2)
    assert (document["agent_version"], document["name"]) == ("1.2", "tasks")
    assert len(document["task_slice_sha256"]) == 64
    assert "/home" not in json.dumps(document, default=str)


def test_times_and_tokens_are_facts(tmp_path):
    row = one_trial(tmp_path, ONE)[1].row
    assert (row.setup_ms, row.agent_ms, row.grade_ms) == (3000, 26000, 2000)
    assert row.started_at == "2026-11-29T10:00:00Z"
    assert (row.usage.prompt, row.usage.cached_read, row.usage.completion, row.usage.complete) == (900, 100, 50, True)
    assert row.own_account.cost == "0.25"
    cut = one_trial(tmp_path / "cut", ZERO, "AgentTimeoutError")[1].row
    assert isinstance(cut.usage.complete, NotMeasured)
    free = one_trial(tmp_path / "free", ONE, agent_result={"n_input_tokens": 5, "n_output_tokens": 1, "cost_usd": 0})[
        1
    ].row
    assert isinstance(free.own_account.cost, NotMeasured)


def test_tokens_of_steps_are_summed_unless_one_is_missing(tmp_path):
    told = {"n_input_tokens": 10, "n_output_tokens": 2}
    steps = [{"step_name": "a", "agent_result": told}, {"step_name": "b", "agent_result": told}]
    assert one_trial(tmp_path, ONE, agent_result=None, step_results=steps)[1].row.usage.prompt == 20
    steps[1] = {"step_name": "b", "agent_result": {"n_output_tokens": 2}}
    row = one_trial(tmp_path / "b", ONE, agent_result=None, step_results=steps)[1].row
    assert isinstance(row.usage.prompt, NotMeasured)


CALL = {"tool_call_id": "c", "function_name": "bash", "arguments": {"cmd": "ls"}}
STEP = {
    "source": "agent", "message": "", "model_name": "m", "tool_calls": [CALL], "llm_call_count": 1,
    "observation": {"results": [{"source_call_id": "c", "content": "x"}]},
}  # fmt: skip


def test_a_trajectory_tells_tool_calls_steps_and_models(tmp_path):
    root = tmp_path / "alpha__0000001"
    made.trial(root, "alpha", ONE, agent_result=None)
    final = {"total_prompt_tokens": 70, "total_completion_tokens": 7, "total_cost_usd": 0.5}
    steps = [{"step_id": 1, "source": "user", "message": "do"}, *({"step_id": n} | STEP for n in (2, 3))]
    atif = {
        "schema_version": "ATIF-v1.6",
        "agent": {"name": "a", "version": "1"},
        "steps": steps,
        "final_metrics": final,
    }
    made.write(root / "agent" / "trajectory.json", atif)
    row = read_all(IMPORTER, root)[1]["alpha", 1].row
    assert (row.tools.calls, row.tools.complete) == (2, True)
    assert (row.usage.prompt, row.usage.calls) == (70, 2)
    assert (row.own_account.source, row.own_account.cost) == ("harbor trajectory", "0.5")
    assert (row.extra["trajectory_steps"], row.extra["trajectory_models"]) == ("3", '["m"]')


def test_known_texts_of_the_verifier_are_words_and_never_hints(tmp_path):
    root = tmp_path / "alpha__0000001"
    made.trial(root, "alpha", ZERO)
    (root / "verifier").mkdir()
    (root / "verifier" / "test-stdout.txt").write_text("collecting\nERROR: Could not resolve host: example.invalid\n")
    found = read_all(IMPORTER, root)[1]["alpha", 1]
    assert [one.cause for one in found.row.words] == ["network_down"]
    assert found.row.hints == ()
    assert judged(found) == promised(ends.FAILED)


def test_a_long_task_name_is_found_by_the_plan_where_only_the_folder_is_left(tmp_path):
    root, name = tmp_path / "job", "a-task-with-a-name-of-more-than-32-characters"
    made.write(root / "lock.json", made.job_lock([name]))
    made.write(root / "config.json", made.config(1))
    (root / f"{name[:32]}__0000001").mkdir()
    (root / f"{name[:32]}__0000001" / "trial.log").write_text("began\n")
    run, rows = read_all(IMPORTER, root)
    assert list(rows) == [(name, 1)]
    assert judged(rows[name, 1]) == promised(ends.KILLED)
    assert kinds(run) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"results": []}', '{"trial": 1', "\x00\xff"])
def test_what_is_no_harbor_folder_is_not_taken(tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    (tmp_path / "config.json").write_text(text)
    assert IMPORTER.recognise(open_source(tmp_path)) is None


def test_a_number_of_attempts_that_cannot_be_meant_declares_nothing(tmp_path):
    root = made.job(tmp_path / "job")
    (root / "lock.json").unlink()
    made.write(root / "config.json", made.config(10**9, datasets=[], tasks=[{"path": "/x/alpha"}]))
    run, _ = read_all(IMPORTER, root)
    assert run.declared.tasks == ()
    assert kinds(run, blocks=True) == ["bad_plan"]


def test_a_copied_trial_folder_is_read_once_and_another_result_of_a_trial_blocks(tmp_path):
    root = made.job(tmp_path / "job")
    shutil.copytree(root / "alpha__0000001", root / "alpha__0000001 (copy)")
    run, rows = read_all(IMPORTER, root)
    assert (len(rows), kinds(run)) == (4, ["duplicate_rows"])
    result = json.loads((root / "alpha__0000001" / "result.json").read_text())
    made.write(
        root / "alpha__0000001 (copy)" / "result.json", result | {"verifier_result": {"rewards": {"reward": 0.0}}}
    )
    run, rows = read_all(IMPORTER, root)
    assert (len(rows), rows["alpha", 1].row.grade, kinds(run, blocks=True)) == (4, "green", ["conflicting_rows"])


def test_trials_that_grade_one_work_again_are_told_and_two_of_them_block(tmp_path):
    root = made.job(tmp_path / "job")
    for name in ("alpha__0000001", "alpha__0000003"):
        result = json.loads((root / name / "result.json").read_text())
        again = {"source_trial": {"type": "hub", "trial_id": "earlier", "action": "regrade"}}
        made.write(root / name / "result.json", result | {"config": result["config"] | again})
    assert [(one.kind, one.blocks) for one in read_all(IMPORTER, root)[0].told.defects] == [
        ("graded_again", True),
        ("regraded", False),
    ]


def test_the_files_of_a_job_without_its_trials_hold_no_row_and_block(tmp_path):
    root = made.job(tmp_path / "job")
    run, rows = read_all(IMPORTER, root / "result.json")
    assert (rows, kinds(run, blocks=True), run.declared.declared_n) == ({}, ["no_rows"], 4)


def test_a_trial_alone_states_what_it_records_itself(tmp_path):
    document = read_all(IMPORTER, made.trial(tmp_path / "alpha__0000001", "alpha", ONE, "AgentTimeoutError"))[
        0
    ].document
    assert (document["model_id"], document["agent_version"], document["on_timeout"]) == ("lab/model-1", "1.2", "grade")
    assert document["sandbox"] == "boxes:Box"


def test_agents_that_no_trial_tells_apart_block(tmp_path):
    root = made.job(tmp_path / "job")
    made.write(root / "config.json", made.config(2, agents=[made.AGENT, made.AGENT | {"skills": ["x"]}]))
    assert "same_agent_twice" in kinds(read_all(IMPORTER, root)[0], blocks=True)


def test_versions_of_an_agent_that_differ_between_trials_block(tmp_path):
    root = made.job(tmp_path / "job")
    result = json.loads((root / "alpha__0000003" / "result.json").read_text())
    made.write(root / "alpha__0000003" / "result.json", result | {"agent_info": {"name": "coder", "version": "1.3"}})
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["mixed_agents"]
