"""A waiver turns a block of its rule into a note that goes wherever the number goes; what defines the number stays."""

from __future__ import annotations

import pytest

from denominator.gate import RULES
from denominator.gate.waivers import WAIVABLE
from denominator.judge import judge
from denominator.publish import make_card, render_card
from denominator.records.findings import Waiver
from judging_data import by_outcome, ledger, own, run_control, terms

SEALED_AT = "2026-03-01T10:00:00Z"


def waiver(rule: str, until: str = "2026-04-01") -> Waiver:
    return Waiver(rule=rule, why="a rehearsal", who="the pack's owner", until=until)


def run(allow=(), state="inconclusive", name="must_fail"):
    rows = [own(f"t{n:02}") for n in range(10)]
    made = ledger(rows, [run_control("empty_patch_must_fail", "held"), run_control(name, state)], source="own")
    given = terms(origin="seal", allow=allow, sealed_at=SEALED_AT)
    judged = judge(made, given)
    return judged, make_card(made, given, judged)


def test_a_block_becomes_a_note_that_card_and_sentence_print():
    blocked, _ = run()
    assert blocked.verdict.status == "blocked"
    judged, card = run([waiver("inconclusive-control")])
    assert judged.verdict.status == "publishable"
    note = next(one for one in judged.findings if one.allow_name == "inconclusive-control")
    assert (note.severity, note.waiver) == ("note", waiver("inconclusive-control"))
    told = "waived: inconclusive-control (a rehearsal; the pack's owner, until 2026-04-01)"
    assert told[1:] in judged.verdict.sentence
    assert "waived: a rehearsal; the pack's owner, until 2026-04-01" in " ".join(render_card(card).split())


@pytest.mark.parametrize(("until", "status"), [("2026-03-01", "publishable"), ("2026-02-28", "blocked")])
def test_it_is_dated_by_the_seal(until, status):
    judged, _ = run([waiver("inconclusive-control", until)])
    assert judged.verdict.status == status


def test_a_waived_block_of_a_capping_rule_still_caps():
    rows, labels = by_outcome(**{"pass": 8, "fail": 2})
    given = terms(origin="seal", allow=[waiver("missing-controls")], sealed_at=SEALED_AT)
    judged = judge(ledger(rows, labels), given)
    assert (judged.verdict.status, judged.verdict.rung) == ("publishable", "counts")


@pytest.mark.parametrize("rule", ["violated-control", "unbalanced-ledger", "changed-seal", "missing-envelope-fields"])
def test_what_is_never_waived(rule):
    assert rule not in WAIVABLE
    judged, _ = run([waiver(rule)], state="held")
    assert judged.verdict.status == "blocked"
    assert [one.allow_name for one in judged.findings if one.severity == "block"] == ["unfit-waiver"]


def test_a_violated_control_stays_violated_beside_any_waiver():
    judged, _ = run([waiver(rule) for rule in WAIVABLE], state="violated")
    assert judged.split_hidden
    assert judged.verdict.status == "blocked"


def test_a_rule_that_crashed_is_not_waived():
    from denominator.gate import check_all
    from denominator.gate.shape import Rule

    def boom(_sheet):
        raise RuntimeError

    judged, _ = run([waiver("inconclusive-control")])
    broken = next(rule for rule in RULES if rule.entry.name == "inconclusive-control")
    (found,) = check_all(judged.sheet, [Rule(broken.entry, boom, "")])
    assert found.severity == "unknown"


def test_foreign_rows_have_no_waivers():
    given = terms(allow=[waiver("undeclared-retries")])
    rows, labels = by_outcome(**{"pass": 8, "fail": 2})
    judged = judge(ledger(rows, labels), given)
    assert any("ended on" in one.what for one in judged.findings if one.allow_name == "unfit-waiver")


def test_only_rules_of_the_gate_can_be_waived():
    assert set(WAIVABLE) < {rule.entry.name for rule in RULES}
