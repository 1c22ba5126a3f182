"""Every declared draw is one test case, in the state that says whose ending it was."""

from __future__ import annotations

import pytest

from denominator.judge import judge
from denominator.publish.findings import cases_of
from denominator.publish.findings.draws import state_of
from denominator.records.judgements import JudgedDraw
from denominator.records.keys import DrawKey
from judging_data import by_outcome, foreign, key, ledger, own, said, terms


def draw(exit_, origin="", mix="", failure_class=""):
    return JudgedDraw(
        draw=DrawKey("t"), slice="solvable", control="", stratum="", exit=exit_, origin=origin, mix=mix,
        failure_class=failure_class,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "state"),
    [
        (draw("pass", "MODEL", "PASS_CONTRACT"), ("passed", "")),
        (draw("fail", "MODEL", "SCORER_RED"), ("failure", "SCORER_RED")),
        (draw("fail", "MODEL", "", "test_fail"), ("failure", "test_fail")),
        (draw("fail"), ("failure", "fail")),
        (draw("abstain", "MODEL", "MISSING_ASK"), ("failure", "abstain")),
        (draw("unscoreable", "INFRA"), ("error", "INFRA")),
        (draw("unscoreable", "HARNESS"), ("error", "HARNESS")),
        (draw("unscoreable", "FLAKY_TEST"), ("skipped", "FLAKY_TEST")),
        (draw("unscoreable"), ("error", "unscoreable")),
        (draw("never_started"), ("error", "never_started")),
        (draw("unknown"), ("error", "unknown")),
    ],
)
def test_states(given, state):
    assert state_of(given) == state


def test_nothing_is_dropped_and_repeats_are_told_apart():
    rows = [foreign("t", n, key=key("t", n)) for n in (1, 2)]
    labels = [said("t", "outcome", word, key=key("t", n)) for n, word in ((1, "pass"), (2, "fail"))]
    cases = cases_of(judge(ledger(rows, labels, declared=5), terms(repeats=2)))
    assert [(one.name, one.state) for one in cases] == [
        ("t r1", "passed"), ("t r2", "failure"), ("draws without id", "error"),
    ]  # fmt: skip
    assert "3 declared draws" in cases[-1].text
    assert cases[0].place == "rows.jsonl:1"


def test_controls_have_their_state_and_a_violated_one_hides_the_split():
    rows = [own("neg", slice="negative", control="must_fail"), own("a"), own("b", "red"), own("c", wall_ms=1234)]
    by_name = {one.name: one for one in cases_of(judge(ledger(rows), terms(origin="seal")))}
    assert (by_name["neg"].state, by_name["neg"].kind) == ("failure", "control_violated")
    assert {by_name[name].state for name in "abc"} == {"skipped"}
    assert {by_name[name].kind for name in "abc"} == {"hidden"}
    assert by_name["c"].seconds == "1.234"


def test_counts_by_exit_are_no_secret_while_only_a_rate_is_withheld():
    rows, labels = by_outcome(**{"pass": 3, "fail": 1, "unscoreable": 8})
    judged = judge(ledger(rows, labels), terms())
    assert judged.verdict.status == "blocked"
    assert sum(one.state == "passed" for one in cases_of(judged)) == 3
