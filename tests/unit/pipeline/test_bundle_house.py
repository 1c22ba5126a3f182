"""Rules of a house in a bundle: a verifier takes what they found as stated, and makes everything else again around it."""

from __future__ import annotations

from typing import Any

import pytest

from denominator.catalog import Entry
from denominator.errors import DenominatorError
from denominator.gate.house import admitted, broken
from denominator.gate.shape import Rule, block, note
from denominator.judge import judge
from denominator.pipeline.bundle_house import House, as_stated
from denominator.publish.card import make_card
from denominator.records.findings import Waiver
from denominator.wire.codec import to_json
from judging_data import by_outcome, ledger, terms

ENTRY = Entry("H001", "no-fridays", "1", "house", "Not on fridays.")
LINE = "H001 no-fridays@1 0123456789ab"


def says(*said: Any) -> Rule:
    return admitted(Rule(ENTRY, lambda _: said, "no friday"))


def card_of(house: House, **more: Any) -> Any:
    made, told = ledger(*by_outcome(**{"pass": 8, "fail": 2})), terms(**more)
    return to_json(make_card(made, told, judge(made, told, house.rules), house=house.lines))


WAIVER = Waiver(rule="no-fridays", why="a test of waivers", who="a tester", until="2999-01-01")
CASES: dict[str, tuple[Rule, dict[str, Any]]] = {
    "held": (says(), {}),
    "notes": (says(note("rows", "9 of 10 look alike"), note("rows", "and again")), {}),
    "blocks": (says(block("rows", "8 of 10 passed: 80.0 %", "wait")), {}),
    "blocks and is waived": (says(block("rows", "on a friday", "wait")), {"allow": (WAIVER,), "sealed_at": "2026-11-30T00:00:00Z"}),
    "cannot be loaded": (broken("H001", "no-fridays", "no module"), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_card_is_the_same_without_the_rules(name: str) -> None:
    rule, more = CASES[name]
    card = card_of(House((LINE,), (rule,)), **more)
    assert any(one["code"] == "H001" for one in card["verdict"]["findings"])
    assert card_of(as_stated(card), **more) == card


def test_what_they_withhold_stays_withheld_and_no_finding_of_ours_can_be_stated() -> None:
    card = card_of(House((LINE,), (CASES["blocks"][0],)))
    assert card["verdict"]["status"] == "blocked"
    card["verdict"]["findings"] = [one for one in card["verdict"]["findings"] if one["code"][0] == "H"]
    again = card_of(as_stated(card))
    assert again["verdict"]["status"] == "blocked" and len(again["verdict"]["findings"]) > 1


def test_without_a_house_nothing_is_stated() -> None:
    assert as_stated(card_of(House())) == House()


@pytest.mark.parametrize("line", ["GL010 x@1 y", "H1 x@1 y", "H001", ""])
def test_a_line_that_names_no_rule_of_a_house_is_refused(line: str) -> None:
    with pytest.raises(DenominatorError, match="names no rule"):
        as_stated({"house": [line]})
