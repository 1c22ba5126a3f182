"""What labels of people do to a row, and what they never do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.judge import judge
from denominator.records.labels import Evidence, Label
from denominator.records.rows import Failure
from denominator.review.deciding import label_id
from judging_data import foreign, key, ledger, own, said, terms

DIED = Failure(seq=4, cause="gremlins", writer="harness", phase="agent")
QUOTE = Evidence(kind="event", ref="17", quote="the host lost its disk")


def by(name, task, axis, value, **over):
    made = {"key": key(task), "axis": axis, "value": value, "by": f"person:{name}", "why": "read it", "sheet": "s" * 64}
    return Label(**(made | over))


def settled(name, task, axis, value, *evidence):
    return by(name, task, axis, value, sheet="adjudication", evidence=evidence)


def judged(rows, *labels):
    return judge(ledger(list(rows), list(labels)), terms())


def axes(result, task="t1"):
    draw = next(one for one in result.sheet.draws if one.draw.task_id == task)
    return draw.exit, draw.origin, draw.reason, draw.failure_class, draw.mix


def lost(task="t1"):
    """A row without a verdict that nothing explains."""
    return own(task, "none", stop_reason="harness", first_unrecovered=DIED)


def both(task, axis, value):
    return by("ann", task, axis, value), by("bob", task, axis, value)


def test_two_people_who_agree_decide_and_are_quoted():
    result = judged([lost()], *both("t1", "origin", "INFRA"), *both("t1", "reason", "evicted"))
    assert axes(result)[:4] == ("unscoreable", "INFRA", "evicted", "censored")
    label = next(one for one in result.labels if one.axis == "origin" and one.by == "people@1")
    assert {one.quote for one in label.evidence} == {"person:ann: INFRA", "person:bob: INFRA"}
    assert {one.ref for one in label.evidence} == {label_id(one) for one in both("t1", "origin", "INFRA")}
    assert "ann and bob agreed: INFRA; the rules said HARNESS" in label.why
    assert (len(result.sheet.people.decided), len(result.sheet.people.changed)) == (1, 1)


def test_one_person_alone_decides_nothing_and_is_listed():
    before = axes(judged([lost()]))
    result = judged([lost()], by("ann", "t1", "origin", "INFRA"), by(" Ann ", "t1", "origin", "INFRA"))
    assert axes(result) == before
    (dispute,) = result.sheet.people.disputes
    assert (dispute.stands, dispute.values, "one person alone" in dispute.why) == ("HARNESS", ("INFRA",), True)


def test_a_third_who_differs_makes_it_disputed_until_somebody_settles_it():
    people = (*both("t1", "reason", "evicted"), by("cat", "t1", "reason", "disk_full"))
    result = judged([lost()], *people)
    assert axes(result)[2] != "evicted"
    assert result.sheet.people.disputes[0].why.startswith("people differ")
    assert axes(judged([lost()], *people, settled("dee", "t1", "reason", "evicted")))[2] == "evicted"


def test_two_adjudications_that_differ_settle_nothing_until_one_replaces_the_other():
    first, second = (settled("dee", "t1", "reason", value) for value in ("evicted", "disk_full"))
    assert axes(judged([lost()], first, second))[2] == axes(judged([lost()]))[2]
    assert axes(judged([lost()], first, replace(second, supersedes=label_id(first))))[2] == "disk_full"


def test_a_later_label_of_a_person_replaces_the_earlier_one_of_that_person_only():
    ann, bob = both("t1", "reason", "evicted")
    ann_again = by("ann", "t1", "reason", "disk_full", supersedes=label_id(ann))
    assert axes(judged([lost()], ann, bob, ann_again))[2] == axes(judged([lost()]))[2]
    thief = by("eve", "t1", "reason", "evicted", supersedes=label_id(ann_again))
    result = judged([lost()], ann, bob, ann_again, thief)
    assert axes(result)[2] != "evicted"


def test_not_the_models_needs_a_reason_that_people_agree_on():
    result = judged([lost()], *both("t1", "origin", "INFRA"))
    assert axes(result) == axes(judged([lost()]))
    assert "no reason" in result.sheet.people.disputes[0].why


def test_a_row_without_a_verdict_given_to_the_model_is_a_fail():
    result = judged([lost()], *both("t1", "origin", "MODEL"), *both("t1", "failure_class", "compile_fail"))
    assert axes(result)[:4] == ("fail", "MODEL", "", "compile_fail")
    assert axes(result)[4]


@pytest.mark.parametrize("grade", ["green", "red", "tampered"])
def test_a_verdict_outranks_two_people(grade):
    labels = (*both("t1", "origin", "INFRA"), *both("t1", "reason", "evicted"))
    result = judged([own("t1", grade)], *labels)
    assert axes(result) == axes(judged([own("t1", grade)]))
    assert result.sheet.people.disputes


@pytest.mark.parametrize("quotes, moves", [((), False), ((Evidence(kind="sheet", ref="x"),), False), ((QUOTE,), True)])
def test_a_graded_row_moves_by_an_adjudication_that_quotes_an_event(quotes, moves):
    labels = (settled("dee", "t1", "origin", "INFRA", *quotes), settled("dee", "t1", "reason", "evicted", *quotes))
    assert (axes(judged([own("t1", "red")], *labels))[0] == "unscoreable") == moves
    result = judged([own("t1", "tampered")], *labels)
    assert axes(result)[0] == "fail"


def test_a_verdict_that_a_source_states_counts_as_one():
    labels = (*both("t1", "origin", "INFRA"), *both("t1", "reason", "evicted"))
    result = judged([foreign("t1")], said("t1", "outcome", "fail"), *labels)
    assert axes(result)[:2] == ("fail", "MODEL")


@pytest.mark.parametrize(
    "axis, value",
    [("outcome", "pass"), ("mix", "PASS_CONTRACT"), ("failure_class", "pass"), ("tag", "x"), ("origin", "GREMLINS")],
)
@pytest.mark.parametrize("row", [lost(), own("t1", "red"), own("t1", "tampered")], ids=["lost", "red", "tampered"])
def test_nobody_makes_a_pass(axis, value, row):
    labels = (*both("t1", axis, value), settled("dee", "t1", axis, value, QUOTE))
    result = judged([row], *labels)
    assert axes(result) == axes(judged([row]))
    assert result.sheet.people.disputes


def test_green_tests_that_the_baseline_takes_back_are_not_given_to_the_model():
    row = own("t1", "green", green_without_agent=True)
    assert axes(judged([row]))[0] == "unscoreable"
    result = judged([row], *both("t1", "origin", "MODEL"))
    assert axes(result) == axes(judged([row]))
    assert "only tests make a pass" in result.sheet.people.disputes[0].why


def test_a_bucket_and_a_class_fit_the_outcome():
    result = judged([own("t1", "red")], *both("t1", "mix", "ASSUME_API"), *both("t1", "failure_class", "compile_fail"))
    assert axes(result)[3:] == ("compile_fail", "ASSUME_API")
    assert axes(judged([own("t1")], *both("t1", "mix", "PASS_WEAK")))[4] == "PASS_WEAK"
    assert axes(judged([own("t1")], *both("t1", "mix", "TOOL_LOOP")))[0] == "pass"


def test_agreeing_with_the_rules_is_counted_and_changes_nothing():
    result = judged([own("t1", "red")], *both("t1", "origin", "MODEL"))
    assert axes(result) == axes(judged([own("t1", "red")]))
    people = result.sheet.people
    assert (len(people.decided), people.changed, people.disputes) == (1, (), ())
    outcome = next(one for one in result.labels if one.axis == "outcome")
    assert outcome.by != "people@1"


def test_labels_without_their_row_are_listed():
    result = judged([own("t1", "red")], *both("gone", "origin", "MODEL"))
    assert "no row" in result.sheet.people.disputes[0].why


def test_a_reason_of_the_house_is_a_reason():
    labels = (*both("t1", "origin", "INFRA"), *both("t1", "reason", "moon_phase"))
    made = ledger([lost()], list(labels))
    assert axes(judge(made, terms(house_reasons=("moon_phase",))))[2] == "moon_phase"
    assert axes(judge(made, terms()))[2] != "moon_phase"


def test_a_violated_control_is_not_talked_away():
    row = own("t1", "green", slice="negative", control="must_fail")
    labels = (settled("dee", "t1", "origin", "HARNESS", QUOTE), settled("dee", "t1", "reason", "grader_error", QUOTE))
    before, after = judged([row]), judged([row], *labels)
    assert [one.state for one in (*before.controls, *after.controls)] == ["violated", "violated"]
    assert after.split_hidden
    assert "nobody talks away" in after.sheet.people.disputes[0].why


def test_a_control_that_held_is_judged_by_what_people_leave_of_its_outcome():
    row = own("t1", "red", slice="negative", control="must_fail")
    labels = (settled("dee", "t1", "origin", "HARNESS", QUOTE), settled("dee", "t1", "reason", "grader_error", QUOTE))
    before, after = judged([row]), judged([row], *labels)
    assert [one.state for one in (*before.controls, *after.controls)] == ["held", "inconclusive"]
