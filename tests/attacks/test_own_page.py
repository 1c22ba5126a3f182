"""The page of our own attacks is what a whole run of them said. Runs last of `test_own*.py`."""

import os

import pytest

from attacks import own_bench, own_page


def test_the_evidence_is_current():
    if own_page.ROWS.keys() != own_bench.attacks().keys():
        pytest.skip("not every attack ran in this process")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        own_page.EVIDENCE.write_text(own_page.page())
    assert own_page.EVIDENCE.read_text() == own_page.page()


def test_every_attack_stands_on_the_page():
    page, attacks = own_page.EVIDENCE.read_text(), own_bench.attacks()
    assert [name for name in attacks if f"| {name} | {attacks[name]['title']} |" not in page] == []
    assert {one["task"] for one in attacks.values()} == {*own_bench.TASKS, "agent"}
    assert sum(one["task"] in own_page.PARTS[0][1] for one in attacks.values()) >= 25
