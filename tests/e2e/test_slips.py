"""Slips as a user types them: by hand and of an import; listed, shown, revoked; and what is no slip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.runs import edit

DOCS = Path(__file__).parents[2] / "docs" / "formats"
HAND = """
metric = "pass_rate"
k = 10
n = 14
raw = "run.log"
printed = "71.4%"
days = ["2026-11-02"]
owner = "otto"
[harness]
folder = "harness"
[model]
id = "big"
[model.sampling]
temperature = "0"
[budget]
tokens_used = 900
tokens_limit = 1000
[box]
here = true
cgroup_version = "v2"
cgroup_cpu_limit = "unlimited"
cgroup_memory_limit = "unlimited"
git_commit = "c0ffee"
"""


@pytest.fixture
def by_hand(here):
    (here / "harness").mkdir()
    (here / "harness" / "main.py").write_text("print(1)\n")
    (here / "run.log").write_text("10 of 14\n")
    (here / "hand.toml").write_text(HAND)
    return here


def test_a_slip_by_hand(cli, by_hand):
    said = cli("slip", "new", "--hand", "hand.toml", "--json")
    assert said.code == 0, said.err
    slip = said.json["slip"]
    assert said.json["tier"]["tier"] == "external" and said.json["copy"].startswith("71.4% (10/14) [slip:")
    assert slip["raw"]["path"] == "../run.log" and slip["numbers"][0]["declared"] is True
    shown = cli("slip", "show", said.json["id"][:8])
    assert f"lines (head): 0 {said.json['id']}" in " ".join(shown.out.split())
    assert shown.code == 0 and "declared by hand" in shown.out and "box.shared: nobody declared it" in shown.out
    listed = cli("slip", "list")
    assert listed.code == 0 and "71.4% (10/14)" in listed.out


def test_a_slip_by_hand_goes_through_all_three_roles(cli, by_hand):
    slip_id = cli("slip", "new", "--hand", "hand.toml", "--json").json["id"][:8]
    early = cli("slip", "signoff", slip_id, "--who", "bea")
    assert (early.code, "no score keeper has given a verdict yet" in early.err) == (1, True)
    high = cli("slip", "verdict", slip_id, "--tier", "quotable", "--caveat", "14 tasks", "--who", "ann")
    assert (high.code, "computed and never typed" in high.err) == (1, True)
    assert cli("slip", "verdict", slip_id, "--tier", "external", "--caveat", "14 tasks", "--who", "ann").code == 0
    assert cli("slip", "signoff", slip_id, "--who", "bea").code == 0
    shown = cli("slip", "show", slip_id, "--json").json
    assert (shown["signed_off"], shown["tier"]["tier"], shown["slip"]["owner"]) == (True, "external", "otto")
    roles = [(one["role"], one["who"]) for one in shown["lines"]]
    assert roles == [("score_keeper", "ann"), ("quote_reviewer", "bea")]
    no = cli("slip", "signoff", slip_id, "--reject", "model.snapshot", "--who", "bea")
    assert no.code == 0, no.err
    assert cli("slip", "show", slip_id, "--json").json["tier"]["tier"] == "internal"


def test_the_example_of_the_page_makes_a_slip(cli, by_hand):
    page = (DOCS / "slip.md").read_text(encoding="utf-8")
    (by_hand / "hand.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    said = cli("slip", "new", "--hand", "hand.toml", "--json")
    assert said.code == 0, said.err
    assert said.json["tier"]["tier"] in ("internal", "external")  # internal where this machine lacks a field of the box


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('raw = "run.log"', 'raw = "gone.log"', "no such file"),
        ('raw = "run.log"', "", "raw"),
        ('raw = "run.log"', 'raw = "empty.log"', "is empty"),
        ("k = 10", "k = 11", "71.4% is not 11 of 14"),
        ("n = 14", "n = 0.5", "n"),
        ("n = 14", 'n = 14\nmertic = "x"', "mertic"),
        ('folder = "harness"', 'folder = "nothing"', "is no folder"),
        ("[model]", "[model", "TOML"),
        ('days = ["2026-11-02"]', 'days = ["2026-02-30"]', "days"),
    ],
)
def test_bad_hand_files_in_words(cli, by_hand, old, new, word):
    (by_hand / "empty.log").write_text("")
    edit(by_hand / "hand.toml", old, new)
    said = cli("slip", "new", "--hand", "hand.toml")
    assert said.code == 2 and word in said.err and said.out == ""
    assert not (by_hand / "slips").exists()


def test_a_setting_that_is_neither_yes_nor_no(cli, by_hand):
    (by_hand / "denominator.toml").write_text('box_shared = "maybe"\n')
    said = cli("slip", "new", "--hand", "hand.toml")
    assert said.code == 2 and "neither yes nor no" in said.err


def test_an_import_gives_a_slip_with_its_gaps_and_a_blocked_one_none(cli, here):
    rows = [{"task_id": f"t{n:02}", "passed": n < 8} for n in range(10)]
    (here / "outcomes.json").write_text(json.dumps(rows))
    assert cli("import", "rows", "outcomes.json", "-o", "kept").code in (0, 1)
    said = cli("slip", "new", "kept")
    assert "NOT KNOWN" in said.out and "box.host: not stated" in said.out and "model.id: not stated" in said.out
    shown = cli("card", "kept", "--json").json
    blocked = shown["verdict"]["status"] == "blocked"
    assert said.code == (1 if blocked else 0)
    assert ("tier      none" in said.out) is blocked and ("slip:" in said.out) is not blocked


@pytest.mark.parametrize("typed", ["zz", "abc", "0123456789abcdef", "../x", ""])
def test_bad_ids_in_words(cli, by_hand, typed):
    for verb in (("show", typed), ("check", typed, typed), ("signoff", typed, "--who", "bea")):
        said = cli("slip", *verb)
        assert said.code == 2 and said.out == "" and ("id" in said.err or "short" in said.err)


def test_the_guide_names_roles_steps_rule_and_scope(cli, here):
    said = cli("slip", "guide")
    assert said.code == 0 and all(f"{word}\n" in said.out for word in ("ROLES", "STEPS", "RULE", "SCOPE"))
    assert "never a contract, an SLA or a price" in said.out and len(said.out.splitlines()) < 60


def test_an_empty_store_is_listed_as_empty(cli, here):
    assert cli("slip", "list").code == 0 and cli("slip", "list", "--json").json == {"slips": [], "broken": []}


def test_revoked_slips_stay_listed(cli, by_hand):
    slip_id = cli("slip", "new", "--hand", "hand.toml", "--json").json["id"][:8]
    assert cli("slip", "verdict", slip_id, "--revoke", "", "--who", "ann").code == 2
    assert cli("slip", "verdict", slip_id, "--revoke", "x", "--tier", "none", "--who", "ann").code == 2
    assert cli("slip", "verdict", slip_id, "--revoke", "wrong log", "--who", "ann").code == 0
    said = cli("slip", "list")
    assert "revoked" in said.out and "71.4%" not in said.out
