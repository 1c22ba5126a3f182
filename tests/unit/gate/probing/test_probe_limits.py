"""Limits of the gate of endpoint benches: one less is too few, the number itself is enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.gate.probing import PROBE_RULES, Level, judge_probe
from denominator.records.values import NotMeasured
from probing_data import DECLARED, attempts, score, window


def said(made, level, rule):
    """(severity, what) of one rule."""
    found = judge_probe(made, Level(level), PROBE_RULES).findings
    return [(str(one.severity), one.what) for one in found if one.allow_name == rule]


def severities(made, level, rule):
    return {severity for severity, _ in said(made, level, rule)}


@pytest.mark.parametrize(("level", "least"), [("prototype", 12), ("ci", 30), ("internal", 30)])
def test_attempts_that_say_something(level, least):
    few = said(score(attempts=attempts(least - 1)), level, "few-probe-attempts")
    assert few == [("block", f"{least - 1} attempts of good requests say something; {level} asks for {least}")]
    assert severities(score(attempts=attempts(least)), level, "few-probe-attempts") == {"held"}


def test_cases_where_a_team_decides():
    for decides, word in ((True, "block"), (NotMeasured("not declared"), "note"), (False, "held")):
        use = replace(DECLARED, team_decision=decides)
        assert severities(score(cases=19, use=use), "internal", "few-probe-cases") == {word}
        assert severities(score(cases=20, use=use), "internal", "few-probe-cases") == {"held"}


@pytest.mark.parametrize(("made", "word"), [(2, "held"), (3, "block")])
def test_three_attempts_without_a_pass_are_a_promise_that_is_never_kept(made, word):
    none = (*score().attempts, *attempts(made, group="tools", cls="tool_call_miss", reason="tool_choice_ignored"))
    assert severities(score(attempts=none), "ci", "promise-never-kept") == {word}


def test_a_window_that_is_too_near_is_named_with_why_and_the_first_is_not():
    near = score(windows=(window(1), window(2, independent=False, why="12 minutes after the first")))
    ((_, what),) = said(near, "ci", "one-window")
    assert what == "ci asks for two windows two hours apart; window 2: 12 minutes after the first"
    ((_, alone),) = said(score(windows=(window(1),)), "ci", "one-window")
    assert alone.endswith("; there is one")


def test_five_missing_attempts_are_named_and_the_sixth_is_counted():
    names = tuple(f"strict_json-{at}" for at in range(6))
    ((_, five),) = said(score(missing=names[:5]), "prototype", "unfinished-probe")
    ((_, six),) = said(score(missing=names), "prototype", "unfinished-probe")
    assert names[4] in five and names[4] in six and names[5] not in six and six.startswith("6 planned attempts")


def test_a_p95_is_no_promise_below_fifty_nine_answers():
    for answers, word in ((58, "note"), (59, "held")):
        assert severities(score(attempts=attempts(answers)), "ci", "slow-for-the-job") == {word}


def test_the_p95_must_be_under_the_timeout_of_the_job():
    for ms, word in ((29_999, "held"), (30_000, "block")):
        assert severities(score(attempts=attempts(60, ms=ms)), "ci", "slow-for-the-job") == {word}
