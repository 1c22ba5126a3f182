"""The limits of the methods: every rule that a refusal names exists, every method has some, cards print those that apply."""

from __future__ import annotations

import re

import pytest

from denominator.gate import RULES
from denominator.gate.durability import BENCH_RULES
from denominator.gate.probing import PROBE_RULES
from denominator.judge import judge
from denominator.pipeline.catalog import find_entries
from denominator.publish.limits import LIMITS, limits_of
from judging_data import foreign, ledger, own, run_control, said, terms

RULE_NAME = re.compile(r"[a-z]+(-[a-z]+)+\Z")
NAMES = {rule.entry.name for rule in (*RULES, *BENCH_RULES, *PROBE_RULES)}


def codes(rows, **over):
    labels = [run_control("empty_patch_must_fail", "held"), *(said(row.key.task_id, "outcome", "pass") for row in rows)]
    sheet = judge(ledger(rows, labels), terms(**over)).sheet
    return {line.split()[0] for line in limits_of(sheet)}


def test_all_fifteen_methods_are_there_once():
    assert [one.code for one in LIMITS] == [f"M{n}" for n in range(1, 16)]
    assert len({one.name for one in LIMITS}) == 15


def test_a_refusal_names_a_gate_rule_or_says_what_else_enforces_it():
    rules = [rule for one in LIMITS for _, rule in one.refuses]
    named = [rule for rule in rules if RULE_NAME.match(rule)]
    assert set(named) <= NAMES
    assert len(named) >= len(rules) - 2


@pytest.mark.parametrize("one", LIMITS, ids=lambda one: one.code)
def test_explain_prints_every_limit(one):
    (entry,) = [found for found in find_entries(one.code.lower()) if found.family == "methods"]
    assert all(text in entry.doc for text in (*(text for text, _ in one.refuses), *one.says_not))
    assert one.refuses or one.says_not


def test_a_card_prints_the_limits_of_the_methods_that_it_uses():
    assert codes([foreign("a")], hidden_tests=False) == {"M10"}
    repeated = [own("a"), own("n", "red", slice="negative", control="must_fail")]
    assert codes(repeated, origin="seal", repeats=3) == {"M1", "M6", "M9", "M10", "M12", "M15"}
    assert "M13" in codes([foreign("a", seed=7)])


def test_limits_do_not_tell_who_passed():
    control = own("n", "green", slice="negative", control="must_fail")
    assert codes([own("a", "green"), control], origin="seal") == codes([own("a", "red"), control], origin="seal")
