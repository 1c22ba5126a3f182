"""The order in which endings are decided: two things hold of one row, and the one that must win does."""

from __future__ import annotations

import pytest

from denominator.labels import FAMILIES, explain_row
from denominator.labels.classes import CLASSES
from denominator.labels.endings import ENDINGS
from denominator.labels.mixes import MIXES
from denominator.labels.shape import Rule
from judging_data import row_of, said, terms

NAMES = [rule.entry.name for rule in ENDINGS]
DISK = {"cause": "disk_full", "phase": "verify"}
PROVIDER = {"cause": "provider_error"}
TEXT = [{"cause": "disk_full", "stream": "harness/err"}]
OWN = {"own": True}
RED = {**OWN, "grade": "red"}
NONE = {**OWN, "grade": "none"}

PAIRS = [
    ("tampered-report", {**OWN, "grade": "tampered", "failure": PROVIDER}, {}),
    ("made-its-own-verdict", {**RED, "tampering": ["runner"]}, {"flaky_tasks": ["t"]}),
    ("failed-before-any-change", {**RED, "patch": "empty", "failure": PROVIDER}, {"flaky_tasks": ["t"]}),
    ("flaky-baseline", RED, {"flaky_tasks": ["t"], "expired_tasks": ["t"], "bad_tasks": ["t"]}),
    ("pack-expired", RED, {"expired_tasks": ["t"], "bad_tasks": ["t"]}),
    ("flaky-baseline", {**RED, "killed_by": "budget_wall", "after_cap": True}, {"flaky_tasks": ["t"]}),
    ("own-budget", {**NONE, "killed_by": "budget_wall"}, {"flaky_tasks": ["t"]}),
    ("gold-is-red-here", {**RED, "gold_now": "red", "failure": PROVIDER}, {}),
    ("asked-or-abstained", {**RED, "asked": True, "patch": "empty"}, {}),
    ("verdict-after-its-cap", {**OWN, "after_cap": True, "patch": {"outside": ["x"]}}, {}),
    ("red", {**RED, "failure": PROVIDER, "hints": TEXT}, {}),
    ("every-clause-holds", {**OWN, "failure": DISK, "hints": TEXT}, {}),
    ("failed-before-grading", {**NONE, "failure": PROVIDER, "killed_by": "budget_wall"}, {}),
    ("failed-before-grading", {**NONE, "failure": PROVIDER, "killed_by": "kernel_oom"}, {}),
    ("own-budget", {**NONE, "killed_by": "budget_wall", "failure": DISK}, {}),
    ("provider-pause", {**NONE, "killed_by": "budget_wall", "paused_ms": 9, "working_ms": 1, "failure": DISK}, {}),
    ("failed-in-grading", {"failure": DISK, "runner_ending": "collection_error", "runner_blames_patch": True}, {}),
    ("out-of-memory", {"oom": True, "runner_ending": "signal", "verify_exit": 137, "baseline_collects": True}, {}),
    ("stopped-by-harness", {"killed_by": "harness_stop", "runner_ending": "nothing_ran"}, {}),
    ("tests-not-collected", {"runner_ending": "collection_error", "runner_blames_patch": True, "hints": TEXT}, {}),
    ("text-hint", {"hints": TEXT, "stop_reason": "infra"}, {}),
    ("text-hint", {"runner_ending": "internal_error", "hints": [{"cause": "disk_full", "stream": "verify/err"}]}, {}),
    ("runner-broke", {"runner_ending": "internal_error", "hints": TEXT}, {}),
]


@pytest.mark.parametrize(("wins", "row", "given"), PAIRS, ids=[f"{n}-{name}" for n, (name, _, _) in enumerate(PAIRS)])
def test_what_comes_first_wins(wins, row, given):
    asked = [one for one in explain_row(row_of(row), terms(**({"origin": "seal"} | given))) if one.axis == "ending"]
    assert [one.rule.entry.name for one in asked if one.said] == [wins]
    assert [one.rule.entry.name for one in asked] == NAMES[: NAMES.index(wins) + 1]


def test_a_word_of_the_source_comes_after_every_fact_and_text():
    says = {"outcome": said("t", "outcome", "unscoreable")}
    for row, wins in (
        ({"hints": TEXT}, "text-hint"),
        ({"failure": DISK}, "failed-in-grading"),
        ({}, "word-of-the-source"),
    ):
        asked = explain_row(row_of(row), terms(), says)
        assert [one.rule.entry.name for one in asked if one.axis == "ending" and one.said] == [wins]


def test_a_reason_that_the_source_states_outranks_a_text():
    says = {"outcome": said("t", "outcome", "unscoreable"), "reason": said("t", "reason", "evicted")}
    asked = explain_row(row_of({"hints": TEXT}), terms(), says)
    assert [one.rule.entry.name for one in asked if one.axis == "ending" and one.said] == ["word-of-the-source"]


def test_buckets_and_classes_are_asked_in_the_order_of_the_method():
    assert [rule.entry.name for rule in MIXES] == [
        "mix-pass-weak", "mix-pass-contract", "mix-timeout", "mix-tool-loop", "mix-assume-api", "mix-missing-ask",
        "mix-scope-slip", "mix-scorer-red",
    ]  # fmt: skip
    assert [rule.entry.name for rule in CLASSES][-2:] == ["class-censored", "class-unresolved"]


def test_the_last_ending_and_the_last_class_always_hold():
    nothing = explain_row(row_of({}), terms())
    assert {one.rule.entry.name for one in nothing if one.said} >= {"no-verdict", "class-unresolved"}


def test_codes_and_names_are_unique_and_tell_their_family():
    rules: list[Rule] = [rule for family in FAMILIES for rule in family.rules]
    assert len({rule.entry.code for rule in rules}) == len({rule.entry.name for rule in rules}) == len(rules)
    for family, hundred in zip(FAMILIES, ("LB1", "LB2", "LB4", "LB5", "LB3"), strict=True):
        assert all(rule.entry.code.startswith(hundred) and rule.axis == family.axis for rule in family.rules)


def test_every_ending_and_every_bucket_says_what_would_have_changed_it():
    assert all(rule.would_change for rule in (*ENDINGS, *MIXES, *CLASSES))
