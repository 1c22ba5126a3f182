"""The gate of a bench: workspaces that nobody explains, controls one trial at a time, and what is not known of a figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench_data import bench, scored, sheet, trials_of
from denominator.faultbench.scoring import judge
from denominator.records.durability import FoundState, JournalFacts
from denominator.records.faults import Applied, Trial
from denominator.records.values import NotMeasured

EIGHT = tuple("abcdefgh")
UNKNOWN = NotMeasured("not taken")
STATE = FoundState(
    task_id="a", attempt=2, checkpoint="patch_drafted", expected="e1", found="f9", state="unknown_state", why="no row",
    where="rows.jsonl:3",
)  # fmt: skip


def judged(plan=None, changed=None, more=(), **over):
    """A bench with further trials, and other facts of its sheet."""
    plan = plan or bench(EIGHT)
    return judge(replace(sheet(plan, [*trials_of(plan, changed), *more]), **over)).judged


def said(found, rule):
    return [(str(one.severity), one.what) for one in found.findings if one.allow_name == rule]


def control(found, name):
    (one,) = [one for one in found.sheet.controls if one.name == name]
    return one.state, one.why


def foreign(**more):
    """A journal of another runner: no task, no trial and no control is owed."""
    plan = bench(EIGHT)
    return replace(sheet(plan, ()).terms, origin="journal", controls=(), **more)


def test_a_workspace_that_no_row_explains_stops_with_task_checkpoint_and_both_digests():
    found = judged(states=(STATE,))
    (one,) = [one for one in found.findings if one.allow_name == "unknown-bench-state"]
    assert one.what == (
        "unknown_state: a attempt 2, last checkpoint patch_drafted: the journal explains e1, the workspace is f9; no row"
    )
    assert (str(one.severity), found.verdict.status, found.verdict.exit) == ("block", "blocked", 5)
    assert one.where == "rows.jsonl:3"
    assert one.fix == "look at it; give it up as unscoreable (missing_artifact), or start it in a fresh tree"
    declared = judged(states=(replace(STATE, policy="start it in a fresh tree"),)).verdict
    assert any(line.endswith("unknown-bench-state: start it in a fresh tree") for line in declared.lifts)


def test_it_stops_with_the_same_exit_code_when_other_rules_block_too():
    found = judged(changed={"a#1": {"ended": "fail"}}, states=(STATE,))
    blocking = {one.allow_name for one in found.findings if str(one.severity) == "block"}
    assert blocking >= {"unknown-bench-state", "violated-bench-control"} and found.verdict.exit == 5


def test_a_workspace_of_which_nobody_can_tell_is_noted_and_lets_the_bench_pass():
    found = judged(states=(replace(STATE, state="cannot_tell", why="no digest"),))
    assert said(found, "unknown-bench-state") == [("note", "a attempt 2, last checkpoint patch_drafted: no digest")]
    assert found.verdict.exit == 0
    explained = judged(states=(replace(STATE, state="explained"),))
    assert [word for word, _ in said(explained, "unknown-bench-state")] == ["held"]


def test_a_foreign_journal_without_verdicts_and_controls_is_counts_and_says_what_is_missing():
    found = judged(terms=foreign(), journal=JournalFacts(unverdicted=("a", "b")))
    assert said(found, "unfinished-bench") == [("note", "no verdict says whether these were interrupted: a, b")]
    ((word, what),) = said(found, "missing-bench-control")
    assert (word, what) == ("note", "controls that nothing here shows: negative, positive, replay, silent; counts only")
    assert found.verdict.rung == "counts" and "Controls: none." in found.verdict.sentence
    assert found.verdict.lifts == ("GL081 missing-bench-control: run the bench with all four controls",)
    assert f"Manifest {found.sheet.terms.digest[:12]}." in found.verdict.sentence


@pytest.mark.parametrize(
    ("changed", "state", "why"),
    [
        ({"interrupted": True}, "violated", "it was interrupted although the faults were off"),
        ({"manual_edit": True}, "violated", "a person edited it"),
        ({"exits": (0,)}, "held", "faults off: every task ended in its expected verdict (8 trials)"),
        ({"exits": (1,)}, "held", "faults off: every task ended in its expected verdict (8 trials)"),
        ({"exits": (-15,)}, "inconclusive", "a#1: signal 15 ended it although the faults were off"),
        ({"applied": (Applied(workspace="w", times=1), Applied(workspace="v", times=2))}, "violated", "performed twice"),
        ({"applied": (Applied(workspace="w", times=UNKNOWN),)}, "held", "(8 trials)"),
        ({"ended": "fail", "expected": "fail"}, "held", "(8 trials)"),
    ],
)  # fmt: skip
def test_one_trial_with_the_faults_off_decides_the_positive_control(changed, state, why):
    found = control(judged(changed={"a#1": changed}), "positive")
    assert found[0] == state and why in found[1]


def test_trials_of_the_positive_control_are_counted_and_those_of_other_controls_are_not():
    plan = bench(EIGHT)
    clean = Trial(bench_id=plan.bench_id, task_id="a", repeat=2, ended="fail")
    for name, state in (("positive", "violated"), ("silent", "held")):
        assert control(judged(plan, more=[replace(clean, control=name)]), "positive")[0] == state


def test_tasks_without_a_trial_under_no_fault_are_named_where_they_were_planned():
    gone = {"a#1": None, "b#1": None}
    assert control(judged(changed=gone), "positive") == ("inconclusive", "no trial without a fault: a, b")
    none = dict.fromkeys([f"{task}#1" for task in EIGHT])
    assert control(judged(changed=none), "positive") == ("inconclusive", "no trial without a fault")
    trials = judged(changed=gone).sheet.trials
    of_others = judged(terms=replace(foreign(), controls=("positive",)), trials=trials)
    assert control(of_others, "positive")[0] == "held"
    terms = replace(judged().sheet.terms, tasks=NotMeasured("not stated"))
    assert control(judged(terms=terms), "positive")[0] == "held"


def test_twelve_trials_are_named_and_the_rest_is_counted():
    for repeats, tail in ((12, "#12: ended in fail, not pass"), (13, "; and 1 more")):
        changed = {f"a#{at}": {"ended": "fail"} for at in range(1, repeats + 1)}
        why = control(judged(bench(("a",), repeats=repeats), changed), "positive")[1]
        assert why.endswith(tail) and "a#13" not in why


def test_a_workspace_whose_first_digest_nobody_took_tells_nothing():
    found = control(judged(changed={"a#1 negative": {"tree_base": UNKNOWN}}), "negative")
    assert found == ("inconclusive", "a#1: the digests of the workspace were not taken")


def test_a_second_resume_counts_in_clean_trials_and_in_those_of_its_control_alone():
    changed = {"a#1 silent": {"second_resume_noop": False}}
    assert control(judged(changed=changed), "replay")[0] == "held"
    again = Trial(
        bench_id="b1", task_id="a", repeat=2, fault="tests_run:kill", control="replay", second_resume_noop=UNKNOWN
    )
    assert control(judged(more=[again]), "replay") == ("inconclusive", "a#2: it was not resumed a second time")


def quiet(**more):
    names = [f"{task}#1 {fault}" for task in EIGHT for fault in ("patch_drafted:kill", "patch_applied:kill")]
    return scored(bench(EIGHT), dict.fromkeys(names, {"interrupted": False} | more)).judged


def test_a_bench_that_interrupted_nothing_has_no_rate_and_no_cost():
    found = quiet()
    why = found.sheet.estimate("rsr").value.not_measured
    assert f"b1: no resume success rate: {why}." in found.verdict.sentence and why != "not measured"
    assert "Spent again" not in found.verdict.sentence
    nameless = judged(terms=replace(judged().sheet.terms, name="")).verdict.sentence
    assert nameless.startswith("This bench: 16 of 16 interrupted trials")


def test_without_a_single_trial_under_no_fault_nothing_is_said_of_the_pass_without_faults():
    found = judged(changed=dict.fromkeys([f"{task}#1" for task in EIGHT]), terms=foreign())
    assert "Without faults" not in found.verdict.sentence and "16 of 16 interrupted" in found.verdict.sentence


def test_effects_that_nobody_counted_are_a_least_number():
    found = judged(
        terms=foreign(), changed={"a#1 patch_applied:kill": {"applied": (Applied(workspace="w", times=UNKNOWN),)}}
    )
    assert "Applied twice: at least 0 of 16 trials." in found.verdict.sentence
    assert "Applied twice: 0 of 16 trials." in judged(terms=foreign()).verdict.sentence


def test_two_checkpoints_are_no_single_shot():
    for many, word in ((1, "note"), (2, "held")):
        terms = replace(judged().sheet.terms, checkpoints=("patch_drafted", "tests_run")[:many])
        assert [one for one, _ in said(judged(terms=terms), "single-shot-tasks")] == [word]


def test_what_is_noted_without_a_cap_lifts_nothing():
    found = judged(states=(replace(STATE, state="cannot_tell"),))
    assert found.verdict.rung == "rate_with_interval" and not any("GL082" in one for one in found.verdict.lifts)
