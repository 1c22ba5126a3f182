"""Words that foreign ledgers keep in place of events: what each of them makes of a row, and which facts a rule quotes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import denominator
from denominator.labels import FAMILIES, explain_row, label_row
from denominator.records.words import RunnerEnding, StopReason
from judging_data import row_of, said, terms

GRADER = ("unscoreable", "HARNESS", "grader_error", "censored")
WORDS = {
    "pass": ("pass", "MODEL", "", "pass"),
    "tests_red": ("fail", "MODEL", "", "test_fail"),
    "no_patch": ("abstain", "MODEL", "", "no_patch"),
    "apply_error": ("unscoreable", "HARNESS", "apply_error", "censored"),
    "forbidden_path": ("fail", "MODEL", "", "over_edit"),
    "timeout": ("fail", "MODEL", "", "timeout"),
    "budget": ("fail", "MODEL", "", "timeout"),
    "transport": ("unscoreable", "INFRA", "provider_error", "censored"),
    "infra": ("unscoreable", "INFRA", "env_flake", "censored"),
    "harness": ("unscoreable", "HARNESS", "no_verdict", "censored"),
}
ENDINGS = {
    "passed": ("pass", "MODEL", "", "pass"),
    "assertion_failed": ("fail", "MODEL", "", "test_fail"),
    "errors_only": GRADER,
    "collection_error": GRADER,
    "internal_error": GRADER,
    "usage_error": GRADER,
    "nothing_ran": GRADER,
    "all_skipped": GRADER,
    "all_xfailed": GRADER,
    "build_failed": GRADER,
    "test_timeout": ("fail", "MODEL", "", "test_fail"),
    "worker_crashed": ("unscoreable", "HARNESS", "", "unresolved"),
    "signal": ("unscoreable", "HARNESS", "", "unresolved"),
    "command_missing": GRADER,
    "incomplete": GRADER,
    "disagrees": GRADER,
    "unknown": ("pass", "MODEL", "", "pass"),
}


def judged(table, source_says=None):
    """(outcome, origin, reason, class) of a row."""
    imported = {axis: said("t", axis, value) for axis, value in (source_says or {}).items()}
    labels = label_row(row_of(table), terms(origin="seal"), imported)
    found = {label.axis: str(label.value) for label in labels}
    return tuple(found.get(axis, "") for axis in ("outcome", "origin", "reason", "failure_class"))


def test_every_word_is_in_the_tables():
    assert set(WORDS) == {str(one) for one in StopReason} and set(ENDINGS) == {str(one) for one in RunnerEnding}


@pytest.mark.parametrize("word", WORDS)
def test_the_word_that_a_foreign_row_stopped_with(word):
    assert judged({"stop_reason": word}) == WORDS[word]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_runner_that_came_to_no_verdict_denies_the_word_pass(ending):
    assert judged({"runner_ending": ending, "stop_reason": "pass"}) == ENDINGS[ending]


@pytest.mark.parametrize(
    ("status", "outcome"), [(137, "unscoreable"), (143, "unscoreable"), (136, "fail"), (139, "fail")]
)
def test_only_signals_that_come_from_outside_leave_open_who_ended_the_runner(status, outcome):
    """KILL and TERM of an unknown sender are nobody's; a crash of the code is the model's where the tests run without it."""
    row = {"runner_ending": "signal", "verify_exit": status, "baseline_collects": True}
    assert judged(row)[0] == outcome
    by_record = {"runner_ending": "signal", "verify_signal": status - 128, "baseline_collects": True}
    assert judged(by_record)[0] == outcome


def test_a_red_reference_patch_explains_a_row_without_verdict_only_where_nothing_else_does():
    bad_task = ("unscoreable", "HARNESS", "bad_task", "censored")
    assert judged({"gold_now": "red"}) == bad_task
    assert judged({"own": True, "grade": "none", "gold_now": "red"}) == bad_task
    assert judged({"gold_now": "red", "stop_reason": "timeout"})[0] == "fail"


def test_an_agent_that_left_a_control_alone_was_silent_unless_the_control_is_green():
    control = {"slice": "negative", "control": "must_fail", "patch": "empty", "own": True}
    assert judged(control | {"grade": "red"})[0] == "abstain"
    assert judged(control | {"grade": "green"})[0] == "pass"


def test_an_agent_that_left_a_tree_alone_where_nothing_was_to_do_did_not_abstain():
    control = {"slice": "negative", "patch": "empty", "own": True, "grade": "red"}
    assert judged(control | {"control": "noop_must_stay_green"})[0] == "fail"
    assert judged(control | {"control": "must_stay_red"})[0] == "abstain"


def test_the_order_in_which_a_report_lists_its_tests_decides_nothing():
    tests = {"expected": ["t::a", "t::b"], "passed": ["t::b", "t::a"]}
    assert judged({"own": True, "tests": tests})[0] == "pass"
    assert judged({"own": True, "tests": tests | {"passed": ["t::b", "t::c"]}})[0] == "fail"


def test_the_source_may_say_whose_failure_it_was():
    assert judged({}, {"outcome": "unscoreable", "origin": "INFRA"})[:2] == ("unscoreable", "INFRA")
    assert judged({}, {"outcome": "unscoreable"})[:2] == ("unscoreable", "HARNESS")
    assert judged({}, {"outcome": "fail"})[:2] == ("fail", "MODEL")


@pytest.mark.parametrize(("grade", "ending"), [("green", "assertion_failed"), ("red", "passed")])
@pytest.mark.parametrize("word", ["pass", "fail"])
def test_where_grade_and_runner_contradict_each_other_the_word_of_the_source_is_no_verdict_either(grade, ending, word):
    row = {"grade": grade, "runner_ending": ending}
    assert judged(row, {"outcome": word}) == GRADER
    evicted = ("unscoreable", "INFRA", "evicted", "censored")
    assert judged(row | {"failure": {"cause": "evicted"}}, {"outcome": word}) == evicted


CASES = Path(denominator.__file__).parent / "data" / "selfcheck" / "labels"
QUOTED = Path(__file__).with_name("quoted.toml")


def quoted():
    """Which facts each rule quotes, over its shipped cases: where it holds, and where it says no."""
    found = {}
    for rule in (rule for family in FAMILIES for rule in family.rules):
        name = rule.entry.name
        holds, no = set(), set()
        for case in tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))["case"]:
            given = terms(**({"origin": "seal"} | case.get("terms", {})))
            imported = {axis: said("t", axis, value) for axis, value in case.get("source_says", {}).items()}
            for one in explain_row(row_of(case["row"]), given, imported):
                if one.rule == rule:
                    fields = {field for each in one.said for field in each.fields}
                    holds |= fields
                    no |= {"event" if each.kind == "event" else each.ref for each in one.evidence if not one.said}
        found[name] = {"holds": sorted(holds), "no": sorted(no)}
    return found


def test_each_rule_quotes_the_facts_that_it_stands_on():
    """A label without its evidence is an opinion: who takes a fact from a rule's evidence takes it from this list too."""
    found = quoted()
    lost = {
        (name, kind): sorted(set(facts) - set(found[name][kind]))
        for name, kinds in tomllib.loads(QUOTED.read_text(encoding="utf-8")).items()
        for kind, facts in kinds.items()
    }
    assert {place: facts for place, facts in lost.items() if facts} == {}
