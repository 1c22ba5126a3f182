"""Who ended a row, and what that makes of it: the order of decisions, one situation per line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.labels import FAMILIES, label_row
from denominator.labels.causes import DEFAULT_CAUSES, REASON_ORIGIN, cause_rule
from denominator.records.labels import Label
from denominator.records.rows import Failure, Tally
from denominator.records.rows import TestIds as Ids
from denominator.records.seals import CauseRule
from denominator.records.values import NotMeasured
from denominator.records.words import Reason
from judging_data import EMPTY, PATCH, foreign, own, said, terms

SEALED = terms(origin="seal")
GRADE_LATE = terms(origin="seal", on_timeout="grade")
NO_POLICY = terms(origin="seal", on_timeout="")


def failure(cause: str, phase: str = "agent") -> Failure:
    return Failure(seq=5, cause=cause, writer="harness", phase=phase)


def judged(row, given=SEALED, imported=()):
    axes: dict[str, list[str]] = {}
    for label in label_row(row, given, {one.axis: one for one in imported}):
        axes.setdefault(label.axis, []).append(label.value)
    return axes


def core(row, given=SEALED, imported=()):
    axes = judged(row, given, imported)
    return tuple(axes.get(axis, [""])[0] for axis in ("outcome", "origin", "reason", "failure_class", "mix"))


SLIP = replace(PATCH, outside=("ci/run.sh",))
ENDINGS = {
    "every clause holds": (own("t"), ("pass", "MODEL", "", "pass", "")),
    "red": (own("t", "red"), ("fail", "MODEL", "", "test_fail", "SCORER_RED")),
    "tampered": (own("t", "tampered"), ("fail", "MODEL", "", "test_fail", "SCORER_RED")),
    "a verdict outranks a failure": (
        own("t", "red", first_unrecovered=failure("provider_error")),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "green outranks a failure": (
        own("t", first_unrecovered=failure("provider_error")),
        ("pass", "MODEL", "", "pass", ""),
    ),
    "nothing was changed because the provider refused": (
        own("t", "red", patch=EMPTY, first_unrecovered=failure("provider_rate_limit")),
        ("unscoreable", "INFRA", "provider_rate_limit", "censored", ""),
    ),
    "green with a slip": (own("t", patch=SLIP), ("fail", "MODEL", "", "over_edit", "SCOPE_SLIP")),
    "green with a canary": (own("t", canary_hits=("tok",)), ("fail", "MODEL", "", "test_fail", "SCORER_RED")),
    "green by a guess": (own("t", required_missing=("k",)), ("fail", "MODEL", "", "test_fail", "MISSING_ASK")),
    "a sentinel passed": (
        own("t", sentinels=Tally(expected=1, failed=0)),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "an id that nobody expected": (
        own("t", tests=Ids(expected=("a",), passed=("a",), other=("b",))),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "an expected id is missing": (
        own("t", tests=Ids(expected=("a", "b"), passed=("a",))),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "our own row without a patch": (
        own("t", patch=NotMeasured("lost")),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "asked": (own("t", "red", asked=True), ("abstain", "MODEL", "", "no_patch", "SCORER_RED")),
    "asked and green is no pass": (own("t", asked=True), ("abstain", "MODEL", "", "no_patch", "SCORER_RED")),
    "silent": (own("t", "red", patch=EMPTY), ("abstain", "MODEL", "", "no_patch", "SCORER_RED")),
    "crashed without a patch": (
        own("t", "red", patch=EMPTY, agent_exit=1),
        ("fail", "MODEL", "", "no_patch", "SCORER_RED"),
    ),
    "green without a patch": (own("t", patch=EMPTY), ("unscoreable", "HARNESS", "bad_task", "censored", "")),
    "green with the agent off": (
        own("t", green_without_agent=True),
        ("unscoreable", "HARNESS", "bad_task", "censored", ""),
    ),
    "its own budget": (
        own("t", "none", killed_by="budget_wall", after_cap=True),
        ("fail", "MODEL", "", "timeout", "TIMEOUT"),
    ),
    "its own tokens": (own("t", "none", killed_by="budget_tokens"), ("fail", "MODEL", "", "timeout", "TIMEOUT")),
    "its own budget, then a broken verifier": (
        own("t", "none", killed_by="budget_wall", first_unrecovered=failure("grader_error", "verify")),
        ("fail", "MODEL", "", "timeout", "TIMEOUT"),
    ),
    "a failure, then its budget": (
        own("t", "none", killed_by="budget_wall", first_unrecovered=failure("provider_error")),
        ("unscoreable", "INFRA", "provider_error", "censored", ""),
    ),
    "the provider's pauses ate the wall clock": (
        own("t", "none", killed_by="budget_wall", paused_ms=2618, working_ms=82),
        ("unscoreable", "INFRA", "provider_pause", "censored", ""),
    ),
    "green after the cap": (
        own("t", killed_by="budget_wall", after_cap=True),
        ("fail", "MODEL", "", "timeout", "TIMEOUT"),
    ),
    "the run's cap": (
        own("t", "none", run_cap_cut=True),
        ("unscoreable", "INFRA", "quota_exhausted", "censored", ""),
    ),
    "the grader is broken": (
        own("t", "none", first_unrecovered=failure("grader_error", "verify")),
        ("unscoreable", "HARNESS", "grader_error", "censored", ""),
    ),
    "the solution crashed its grading": (
        own("t", "none", grade_stage="collected"),
        ("fail", "MODEL", "", "test_fail", "SCORER_RED"),
    ),
    "the tests could not be collected": (
        own("t", "red", grade_stage="runner_started"),
        ("fail", "MODEL", "", "compile_fail", "SCORER_RED"),
    ),
    "the sandbox ran out of memory": (
        own("t", "none", killed_by="kernel_oom", oom=True),
        ("unscoreable", "INFRA", "oom_sandbox", "censored", ""),
    ),
    "memory ran out in a tool call": (own("t", "red", oom=True), ("fail", "MODEL", "", "test_fail", "SCORER_RED")),
    "the harness stopped it": (
        own("t", "none", killed_by="harness_stop"),
        ("unscoreable", "HARNESS", "harness_killed", "censored", ""),
    ),
    "never closed": (own("t", "none", closed=False), ("unscoreable", "HARNESS", "", "unresolved", "")),
    "nothing explains it": (own("t", "none"), ("unscoreable", "HARNESS", "", "unresolved", "")),
    "a cause that no table knows": (
        own("t", "none", first_unrecovered=failure("gremlins")),
        ("unscoreable", "HARNESS", "", "unresolved", ""),
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_ending(name):
    row, expected = ENDINGS[name]
    assert core(row) == expected


def test_a_flaky_baseline_censors_only_a_row_with_a_verdict():
    flaky = terms(origin="seal", flaky_tasks=("t",))
    assert core(own("t", "red"), flaky)[:3] == ("unscoreable", "FLAKY_TEST", "env_flake")
    died = own("t", "none", first_unrecovered=failure("disk_full"))
    assert core(died, flaky)[:3] == ("unscoreable", "INFRA", "disk_full")


def test_green_after_the_cap_depends_on_the_sealed_policy_and_on_nothing_else():
    late = own("t", killed_by="budget_wall", after_cap=True)
    assert core(late, GRADE_LATE)[0] == "pass"
    assert core(late, SEALED)[0] == "fail"
    assert core(late, NO_POLICY)[0] == "unknown"
    assert core(replace(late, grade="red"), NO_POLICY)[0] == "fail"


@pytest.mark.parametrize(
    ("row", "tags"),
    [
        (own("t", "red", asked=True), ["asked"]),
        (own("t", "red", patch=EMPTY), ["silent"]),
        (own("t", "tampered"), ["tampered"]),
        (own("t", patch=SLIP), ["scorer_green", "scope_slip"]),
        (own("t", "red", oom=True), ["oom_in_tool"]),
        (own("t", "red", provider_retries=3), ["provider_retried"]),
        (
            own("t", "none", killed_by="budget_wall", first_unrecovered=failure("grader_error", "verify")),
            ["verifier_error"],
        ),
        (own("t", "none", first_unrecovered=failure("apply_error", "apply")), ["apply_error"]),
    ],
)
def test_tags_stand_beside_the_exit(row, tags):
    assert judged(row).get("tag", []) == tags


@pytest.mark.parametrize(
    ("control", "row", "state"),
    [
        ("must_fail", own("c", "red"), "held"),
        ("must_fail", own("c", "red", patch=EMPTY), "held"),
        ("must_fail", own("c"), "violated"),
        ("known_bad_must_fail", own("c"), "violated"),
        ("must_stay_red", own("c"), "violated"),
        ("gold_must_pass", own("c"), "held"),
        ("gold_must_pass", own("c", "red"), "violated"),
        ("noop_must_stay_green", own("c", patch=EMPTY), "held"),
        ("noop_must_stay_green", own("c"), "violated"),
        ("noop_must_stay_green", own("c", "red", patch=EMPTY), "violated"),
        ("must_ask", own("c", "red", abstained=True), "held"),
        ("must_ask", own("c", "red", patch=EMPTY), "held"),
        ("must_ask", own("c", "red"), "violated"),
        ("must_ask", own("c"), "violated"),
        ("must_ask", own("c", "none", patch=EMPTY, killed_by="budget_wall"), "inconclusive"),
        ("canary", own("c"), "held"),
        ("canary", own("c", patch=NotMeasured("lost")), "inconclusive"),
        ("canary", foreign("c", grade="green"), "inconclusive"),
        ("canary", foreign("c", grade="green", canary_searched=True), "held"),
        ("must_fail", own("c", patch=EMPTY), "violated"),
        ("noop_must_stay_green", foreign("c", grade="green"), "inconclusive"),
        ("must_ask", foreign("c", grade="red"), "inconclusive"),
        ("must_ask", foreign("c", grade="green"), "violated"),
        ("canary", own("c", canary_hits=("x",)), "violated"),
        ("floor", own("c", "red"), "held"),
        ("floor", own("c", "none"), "inconclusive"),
        ("must_fail", own("c", "none", first_unrecovered=failure("disk_full")), "inconclusive"),
        ("invented", own("c"), "inconclusive"),
    ],
)
def test_control(control, row, state):
    slice_ = control if control in ("canary", "floor") else "negative"
    assert judged(replace(row, control=control, slice=slice_))["control"] == [state]


def test_an_edited_noop_is_the_harnesss_until_explained():
    row = own("c", control="noop_must_stay_green", slice="negative")
    assert core(row)[:2] == ("fail", "HARNESS")


def test_imported_judgements_count_only_where_facts_are_missing():
    given = terms()
    says_pass = [said("t", "outcome", "pass")]
    assert core(foreign("t"), given, says_pass)[:2] == ("pass", "MODEL")
    assert core(foreign("t", grade="red"), given, says_pass)[:2] == ("fail", "MODEL")
    lost = [said("t", "outcome", "unscoreable"), said("t", "reason", "evicted")]
    assert core(foreign("t"), given, lost) == ("unscoreable", "INFRA", "evicted", "censored", "")
    labels = label_row(foreign("t"), given, {"outcome": says_pass[0]})
    assert {label.confidence for label in labels if label.axis == "outcome"} == {"low"}


def test_a_word_that_is_no_outcome_is_unknown():
    assert core(foreign("t"), terms(), [said("t", "outcome", "skipped")])[0] == "unknown"


@pytest.mark.parametrize(
    ("facts", "bucket"),
    [
        ({}, ""),
        ({"tests_hidden": True}, ""),
        ({"tests_hidden": False, "tests_written_by_agent": True}, "PASS_WEAK"),
        ({"tests_hidden": NotMeasured("x"), "tests_written_by_agent": False}, "PASS_CONTRACT"),
        ({"tests_hidden": True, "tests_written_by_agent": True}, "PASS_CONTRACT"),
        ({"tests_hidden": True, "tests_written_by_agent": False}, "PASS_CONTRACT"),
        ({"tests_hidden": False, "tests_written_by_agent": False}, ""),
        ({"tests_hidden": NotMeasured("x"), "tests_written_by_agent": True}, ""),
    ],
)
def test_a_pass_gets_a_bucket_only_from_what_is_known_of_who_wrote_the_tests(facts, bucket):
    assert core(own("t", **facts))[4] == bucket


def test_a_contract_pass_says_that_no_tool_log_was_judged():
    label = next(one for one in label_row(own("t", tests_written_by_agent=False), SEALED) if one.axis == "mix")
    assert (label.value, label.confidence) == ("PASS_CONTRACT", "medium")
    assert "tool log" in label.would_change


SAYS_PASS, SAYS_FAIL = [said("t", "outcome", "pass")], [said("t", "outcome", "fail")]
GRADES = terms(on_timeout="grade")


@pytest.mark.parametrize(
    ("row", "given", "says", "ending"),
    [
        (foreign("t", stop_reason="budget"), terms(), SAYS_PASS, ("unknown", "MODEL")),
        (foreign("t", stop_reason="budget"), terms(on_timeout="fail"), SAYS_PASS, ("fail", "MODEL")),
        (foreign("t", stop_reason="budget"), GRADES, SAYS_PASS, ("pass", "MODEL")),
        (foreign("t", stop_reason="budget"), terms(), SAYS_FAIL, ("fail", "MODEL")),
        (foreign("t", stop_reason="timeout"), terms(), [], ("fail", "MODEL")),
        (foreign("t", after_cap=True), terms(), SAYS_PASS, ("unknown", "MODEL")),
        (foreign("t", run_cap_cut=True), terms(), SAYS_FAIL, ("unscoreable", "INFRA")),
        (foreign("t", patch=SLIP), terms(), SAYS_PASS, ("fail", "MODEL")),
        (foreign("t", canary_hits=("patch: plain",)), terms(), SAYS_PASS, ("fail", "MODEL")),
        (foreign("t", required_missing=("k",)), terms(), SAYS_PASS, ("fail", "MODEL")),
        (foreign("t", patch=EMPTY), terms(), SAYS_PASS, ("unscoreable", "HARNESS")),
        (foreign("t", patch=EMPTY), terms(), SAYS_FAIL, ("abstain", "MODEL")),
        (foreign("t", first_unrecovered=failure("provider_error")), terms(), SAYS_FAIL, ("unscoreable", "INFRA")),
        (foreign("t", first_unrecovered=failure("provider_error")), terms(), SAYS_PASS, ("pass", "MODEL")),
        (
            foreign("t", first_unrecovered=failure("grader_error", "verify")),
            terms(),
            SAYS_PASS,
            ("unscoreable", "HARNESS"),
        ),
        (foreign("t"), terms(flaky_tasks=("t",)), SAYS_FAIL, ("unscoreable", "FLAKY_TEST")),
        (foreign("t"), terms(expired_tasks=("t",)), SAYS_FAIL, ("unscoreable", "HARNESS")),
        (foreign("t"), terms(bad_tasks=("t",)), SAYS_PASS, ("unscoreable", "HARNESS")),
        (foreign("t"), terms(), [*SAYS_PASS, said("t", "tag", "ASSUME_API")], ("fail", "MODEL")),
    ],
)
def test_a_judgement_of_the_source_is_held_against_the_facts_that_the_row_has(row, given, says, ending):
    assert core(row, given, says)[:2] == ending


@pytest.mark.parametrize("bucket", ["TOOL_LOOP", "ASSUME_API", "MISSING_ASK", "SCOPE_SLIP"])
def test_a_bucket_that_the_source_names_counts_where_facts_are_missing(bucket):
    says = [*SAYS_FAIL, said("t", "mix", bucket)]
    assert core(foreign("t"), terms(), says)[4] == bucket
    assert core(own("t", killed_by="budget_wall"), SEALED, says)[4] == "TIMEOUT"


def test_a_guess_on_a_control_is_named_and_an_expected_abstain_has_no_bucket():
    asks = {"slice": "negative", "control": "must_ask", "required_missing": ("key.pem",)}
    assert core(own("t", **asks))[4] == "MISSING_ASK"
    assert core(own("t", "red", asked=True, **asks))[4] == ""


def test_a_crashed_rule_says_unknown_names_itself_and_nobody_guesses_after_it():
    def boom(view):
        raise RuntimeError("no")

    first, *rest = FAMILIES[0].rules
    crashed = replace(FAMILIES[0], rules=(replace(first, judge=boom), *rest))
    labels = label_row(own("t"), SEALED, families=(crashed, *FAMILIES[1:]))
    unknown = [label for label in labels if label.by == first.by]
    assert [(label.axis, label.value) for label in unknown] == [
        ("outcome", "unknown"),
        ("origin", "unknown"),
        ("reason", "unknown"),
    ]
    assert "RuntimeError" in unknown[0].why
    assert [label.axis for label in labels].count("outcome") == 1
    assert [label.value for label in labels if label.axis == "failure_class"] == ["unresolved"]


def test_every_label_names_a_rule_and_quotes_the_row():
    for label in label_row(own("t", "red", oom=True), SEALED):
        assert isinstance(label, Label)
        assert label.by.endswith("@1")
        assert label.why
        assert label.evidence
        assert all(one.kind == "row" for one in label.evidence)


def test_a_seal_may_add_a_cause_but_not_move_an_origin():
    house = (
        CauseRule(cause="gpu_reset", origin="INFRA", may_rerun=True, reason="gpu_reset"),
        CauseRule(cause="grader_error", origin="MODEL", may_rerun=True, reason=""),
    )
    assert cause_rule("gpu_reset", house).origin == "INFRA"
    assert cause_rule("grader_error", house).origin == "HARNESS"


def test_the_last_cause_is_the_strict_unknown_one():
    last = DEFAULT_CAUSES[-1]
    assert (last.cause, last.origin, last.may_rerun, last.reason) == ("unknown", "HARNESS", False, "")
    assert cause_rule("unknown").reason == ""


def test_every_listed_reason_has_an_origin():
    assert set(REASON_ORIGIN) == {str(reason) for reason in Reason}
    assert {rule.reason for rule in DEFAULT_CAUSES} - {""} <= set(REASON_ORIGIN)
