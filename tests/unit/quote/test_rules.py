"""Each rule says what it forbids, with a document that breaks it alone and one that does not; suppression; audiences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import denominator.quote.rules as rules
from denominator.quote.rules import QUOTE_ENTRIES, RULES
from denominator.records.documents import QuoteIgnore, QuoteSettings
from denominator.records.slips import SlipBox, SlipGate, SlipLine, SlipPack
from denominator.records.values import NotMeasured
from quote_data import FOOT, GOOD, OTHER, SLIPS, SlipTable, a_p, checked, codes, pptx, shape, slip_id, standing

SENTENCE = "It passes 71.4% (10/14) [slip:ab12cd34]."
TAG = "slip:ab12cd34"


def of(slip, text=SENTENCE, name="README.md", **settings):
    return codes(text, name, SlipTable([slip]), QuoteSettings(**settings))


def test_every_rule_is_listed_with_a_page():
    files = {path.stem for path in Path(rules.__file__).parent.glob("q0*.py")}
    assert files == {rule.check.__module__.rpartition(".")[2] for rule in RULES}
    assert [entry.code for entry in QUOTE_ENTRIES] == [f"Q{number:03}" for number in range(1, 14)]
    for entry in QUOTE_ENTRIES:
        assert all(word in entry.doc for word in ("Why it matters:", "Bad:", "Good:", "Fix:")), entry.code


@pytest.mark.parametrize(
    ("tag", "what"),
    [
        ("slip:ab12", "malformed"), ("slip:xyzxyzxyz", "malformed"), ("[slip:]", None), ("slip:" + "a" * 65, "malformed"),
        ("slip:00000000", "unknown"), ("slip:abababab", "ambiguous"), ("slip:AB12CD34", None), ("cmp:ab12cd34", "malformed"),
        ("slip:" + slip_id("ab12cd34"), None), ("the slip: see below", None),
    ],
)  # fmt: skip
def test_q002_a_tag_leads_to_one_slip(tag, what):
    slips = SlipTable([GOOD, standing("abababab1"), standing("abababab2")])
    found = [one for one in checked(f"A text with {tag}", slips=slips).noted if one.code == "Q002"]
    assert ([one.said.what.partition(":")[0] for one in found] or [None]) == [what]


def test_q002_a_comment_cites_nothing():
    assert codes("It passes 71.4% (10/14). <!-- slip:ab12cd34 -->") == [
        ("Q001", "71.4%"), ("Q001", "10/14"), ("Q002", TAG),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tier", "audience", "right"),
    [
        ("none", "internal", False), ("internal", "internal", True), ("internal", "external", False),
        ("external", "external", True), ("external", "deck", False), ("quotable", "deck", True), ("odd", "internal", False),
    ],
)  # fmt: skip
def test_q004_the_tier_fits_the_audience(tier, audience, right):
    found = of(standing(tier=tier), audiences={"**/*.md": audience})
    assert (found == []) is right and {code for code, _ in found} <= {"Q004"}


def test_the_most_demanding_audience_holds():
    text = "---\naudience: internal\n---\n" + SENTENCE
    assert of(standing(tier="internal"), text) == []
    assert of(standing(tier="internal"), text, audiences={"*.md": "external"}) == [("Q004", TAG)]
    assert checked(text).audience == "internal" and checked("x").audience == "external"


@pytest.mark.parametrize(
    ("slip", "most", "right"),
    [
        (standing(made="2026-09-01"), 90, True), (standing(made="2026-08-31"), 90, False), (standing(made="2020-01-01"), 0, True),
        (standing(revoked="a bug"), 0, False), (standing(superseded_by="f" * 64), 0, False), (standing(made="never"), 90, False),
    ],
)  # fmt: skip
def test_q005_a_stale_slip(slip, most, right):
    assert of(slip, max_age_days=most) == ([] if right else [("Q005", TAG)])


def test_q006_counts_stand_in_reach():
    assert codes("It passes 71.4% [slip:ab12cd34].") == [("Q006", "71.4%")]
    table = "| arm | pass rate | tasks | slip |\n|---|---|---|---|\n| a | 71.4% | {} | slip:ab12cd34 |\n"
    assert codes(table.format("10/14")) == [] and codes(table.format("")) == [("Q006", "71.4%")]


def test_q006_a_slip_that_allows_counts_only_is_quoted_in_counts():
    few = standing(slip={"gate": SlipGate(status="publishable", rung="counts")})
    assert of(few) == [("Q006", "71.4%")] and of(few, "It passes 10/14 [slip:ab12cd34].") == []
    (one,) = checked("It passes 9/14 [slip:ab12cd34].", slips=SlipTable([few])).noted
    assert "71.4" not in one.line and "10/14" in one.line


def test_what_nobody_may_see_is_not_told_by_a_finding():
    secret = standing(tier="none")
    for text in ("It passes 62% (9/14) [slip:ab12cd34].", "It beats it by 3 pp [cmp:ef56ef56..ab12cd34]."):
        got = checked(text, slips=SlipTable([secret, OTHER]))
        assert got.noted and not any(
            "71.4" in one.line or "10/14" in one.line or "14.3" in one.line for one in got.noted
        )


def test_the_footnote_that_a_deck_asks_for_is_no_quote_itself():
    foot = f"{FOOT}, as of 2026-11-30; lineage 666666666666, runs a and b, re-run spread 12.500000 points over 8 tasks and 2 passes"
    slide = [shape("Text", a_p(SENTENCE), a_p(foot))]
    assert of(standing(footnote=foot), pptx(slide), "deck.pptx") == []
    assert of(GOOD, f"{SENTENCE} The pass rate moved 12.5 points.") == [("Q008", "12.5 points")]


def test_q007_the_footnote_stands_in_the_document():
    slip = standing(footnote=FOOT)
    assert of(slip) == [("Q007", TAG)]
    assert of(slip, f"{SENTENCE}\n\nRun with {FOOT}.") == []
    assert of(slip, f"{SENTENCE}\n\nTokens 81000/100000, harness 0a1b2c3d4e5f,\nMODEL m-1.") == []
    assert of(slip, f"{SENTENCE}\n\nTokens 81001/100000, harness 0a1b2c3d4e5f, model m-1.") == [("Q007", TAG)]
    assert of(slip, f'{SENTENCE}\n\n[slip:ab12cd34]: slips/ab12cd34.md "10/14; {FOOT}"\n') == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It beats the other one.", []), ("It passes more and beats the other one.", ["Q008"]), ("It is better, +12 pp.", ["Q008"]),
        ("Pass rate up 12 percentage points.", ["Q008"]), ("It is better to read the docs.", []),
        ("The win rate is 71.4% (10/14) [slip:ab12cd34].", []),
        ("It beats it [cmp:ef56ef56..ab12cd34].", []), ("It gains +14.3 pp [cmp:ef56ef56..ab12cd34].", []),
        ("It gains +14.2 pp [cmp:ef56ef56..ab12cd34].", ["Q008"]), ("It gains -14.3 pp [cmp:ef56ef56..ab12cd34].", ["Q008"]),
        ("It loses −14.3 pp of pass rate [cmp:ab12cd34..ef56ef56].", []), ("Its pass rate moved +14% [cmp:ef56ef56..ab12cd34].", []),
        ("Its pass rate moved +14%.", ["Q008"]), ("57.1% to 71.4% pass [cmp:ef56ef56..ab12cd34].", []),
        ("57.2% to 71.4% pass [cmp:ef56ef56..ab12cd34].", ["Q003"]), ("It beats it [cmp:ab12cd34..00000000].", ["Q002"]),
    ],
)  # fmt: skip
def test_q008_an_order_needs_a_pair(text, expected):
    assert [code for code, _ in codes(text)] == expected


@pytest.mark.parametrize(
    "moved",
    [
        {"pack": SlipPack(digest="9" * 64, task_ids_sha256="5" * 64, tasks=14, repeats=1)},
        {"pack": SlipPack(digest="4" * 64, task_ids_sha256=NotMeasured("x"), tasks=14, repeats=1)},
        {"box": replace(GOOD.slip.box, cgroup_cpu_limit="4")}, {"box": SlipBox()},
        {"harness": replace(GOOD.slip.harness, digest="b" * 12)}, {"budget": replace(GOOD.slip.budget, tokens_limit=1)},
    ],
)  # fmt: skip
def test_q008_what_moved_makes_a_pair_of_no_use(moved):
    slips = SlipTable([GOOD, standing("ef56ef56", k=8, slip=moved)])
    assert codes("It beats it [cmp:ef56ef56..ab12cd34].", slips=slips) == [("Q008", "cmp:ef56ef56..ab12cd34")]


def test_q009_a_broken_slip_or_bundle():
    damaged = SlipTable([], [slip_id("ab12cd34")])
    assert codes(SENTENCE, slips=damaged) == [("Q009", TAG)]
    bundle = SlipTable([GOOD], problems={GOOD.id: ("ledger.jsonl: changed",)})
    assert codes(SENTENCE, slips=bundle) == [("Q009", TAG)]


def test_q012_and_q013_ask_for_people():
    assert of(standing(lines=())) == [("Q012", TAG)]
    reviewed = SlipLine(what="signoff", slip="x", role="quote_reviewer", who="r", at="2026-11-20")
    assert of(standing(lines=(reviewed,))) == [("Q012", TAG)]
    assert of(standing(signed_off=False)) == []
    assert of(standing(signed_off=False), audiences={"*.md": "deck"}) == [("Q013", TAG)]


def test_q011_images_that_speak_of_results_are_not_checked_and_say_so():
    got = checked("![pass rate of both](a.png)\n\n![a cat](cat.png)\n\n![](score.png)\n")
    assert [(one.code, str(one.said.severity)) for one in got.noted] == [("Q011", "note"), ("Q011", "note")]
    assert got.seen["images"] == 3


def test_a_suppression_names_rule_and_reason_and_is_counted():
    got = checked("<!-- quote-ignore Q001: an invented number -->\nIt passes 50%.\n\nIt passes 60%.\n")
    assert [(one.code, one.said.subject) for one in got.noted] == [("Q001", "60%")] and got.ignored == 1
    for bad in ("quote-ignore Q001", "quote-ignore Q001:", "quote-ignore: because", "quote-ignore Q001: x"):
        assert codes(f"<!-- {bad} -->\nIt passes 50%.") == [("Q002", bad), ("Q001", "50%")], bad
    assert codes("<!-- quote-ignore Q003: wrong rule -->\nIt passes 50%.") == [("Q001", "50%")]
    for table in ("| pass rate |\n|---|\n| 50% |\n", "<table><tr><td>pass rate<tr><td>50%</table>\n"):
        assert codes(table) == [("Q010", "50%")] and codes(
            f"<!-- quote-ignore Q010: invented -->\n{table}\nIt passes 4%."
        ) == [("Q001", "4%")], table
    beside = "- it passes 50% <!-- quote-ignore Q001: invented -->\n- it passes 60%\n"
    assert codes(beside) == [("Q001", "60%")]


def test_a_glob_of_the_settings_suppresses_with_a_reason():
    settings = QuoteSettings(ignore=(QuoteIgnore(paths="old/**", rules=("Q001",), reason="kept as they were"),))
    assert codes("It passes 50%.", "old/a/b.md", settings=settings) == []
    assert codes("It passes 50%.", "new/b.md", settings=settings) == [("Q001", "50%")]


def test_it_says_what_it_looked_for_and_how_many_it_saw():
    got = checked(f"{SENTENCE}\n\n```\n90% pass\n```\n\n| pass rate |\n|---|\n| 62% |\n\nhttps://example.org/50%\n")
    assert (got.seen["rate in percent"], got.seen["fraction k/n"], got.seen["in table cells"], got.seen["tags"]) == (
        2,
        1,
        1,
        1,
    )
    assert got.seen["in charts"] == 0 and got.skipped["code fences"] == 1 and got.skipped["URLs"] == 1


def test_a_caption_speaks_for_its_table_and_one_with_two_tags_for_none():
    table = "\n\n| arm | pass rate | n |\n|---|---|---|\n| a | 71.4% | 10/14 |\n"
    assert codes("Table 1: pass rate [slip:ab12cd34]" + table) == []
    assert codes(table.strip() + "\n\nTable 1: pass rate [slip:ab12cd34]") == []
    two = codes("Table 1: pass rate [slip:ab12cd34] [slip:ef56ef56]" + table)
    assert [code for code, _ in two] == ["Q010", "Q010"]
    assert codes("A text about it [slip:ab12cd34]." + table) == [("Q010", "71.4%")]


def test_ambiguous_store_answers_are_not_guessed():
    assert codes(SENTENCE, slips=SlipTable([GOOD, standing("ab12cd34f")])) == [("Q002", TAG)]
    assert SLIPS.find("ab12cd34") is GOOD
