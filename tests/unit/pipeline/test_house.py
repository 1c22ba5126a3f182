"""Rules of the house: found by entry point, able to add findings and nothing else, named on the card."""

from __future__ import annotations

import sys

import pytest

from denominator.catalog import Entry
from denominator.gate.house import admitted, broken, quieted, rule_problem
from denominator.gate.shape import Rule, Said, block, note
from denominator.judge import judge
from denominator.pipeline import house
from denominator.pipeline.auditing import of_result
from denominator.pipeline.results import judge_ledger
from denominator.pipeline.sides import side_of
from denominator.publish import render_card
from denominator.records.envelopes import Clause
from denominator.records.words import Severity
from judging_data import by_outcome, ledger, terms

SOURCE = """
from denominator.catalog import Entry
from denominator.gate.shape import Rule, block

def check(sheet):
    if sheet.count(lambda draw: draw.exit == "fail") > 3:
        yield block("rows", "more than 3 failed: 60.0 % passed, 6 of 10", "fix the agent")

RULE = Rule(Entry("H001", "no-fridays", "1", "house", "Not on fridays."), check, "no friday", hides_split=True)
NOT_A_RULE = 7
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package with entry points, as a wheel would."""

    def call(text, source=SOURCE):
        (tmp_path / "house_of_tests.py").write_text(source)
        info = tmp_path / "house_of_tests-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house-of-tests\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{house.GROUP}]\n{text}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        clear()

    yield call
    sys.modules.pop("house_of_tests", None)
    monkeypatch.undo()
    clear()


def clear():
    for cached in (house.house_rules, house.house_lines, house._loaded):
        cached.cache_clear()


def made(**counts):
    rows, labels = by_outcome(**counts)
    return ledger(rows, labels)


def finding(judged, code):
    return next(one for one in judged.findings if one.code == code)


def test_nothing_is_installed_here():
    assert house.house_rules() == () == house.house_lines()


def test_a_rule_of_the_house_is_asked_and_named_on_the_card(install):
    install("fridays = house_of_tests:RULE")
    result = judge_ledger(made(**{"pass": 8, "fail": 2}), terms())
    assert result.judged.verdict.status == "publishable"
    assert finding(result.judged, "H001").severity == "held"
    (line,) = result.card.house
    assert line.startswith("H001 no-fridays@1 ") and len(line.split()[-1]) == 12
    assert line in " ".join(render_card(result.card).split())


def test_it_blocks_and_no_number_is_in_its_words_then(install):
    install("fridays = house_of_tests:RULE")
    judged = judge_ledger(made(**{"pass": 6, "fail": 4}), terms()).judged
    assert (judged.verdict.status, judged.split_hidden) == ("blocked", False)
    said = finding(judged, "H001")
    assert said.severity == "block"
    assert "60.0" not in said.what and "6 of 10" not in said.what
    assert said.what.startswith("more than [withheld] failed")


@pytest.mark.parametrize("fails", [2, 4])
def test_what_it_says_is_known_wherever_findings_are_sorted(install, fails):
    """A table of several runs and a side of a comparison sort the findings again: those of the house too."""
    install("fridays = house_of_tests:RULE")
    result = judge_ledger(made(**{"pass": 10 - fails, "fail": fails}), terms())
    of, side = of_result("a", result, ()), side_of("a", result)
    assert any("H001" in one for one in of.blocked_by) is (fails > 3)
    assert of.verdict.status == side.verdict.status == result.judged.verdict.status


def test_what_cannot_be_loaded_is_unknown_and_unknown_never_passes(install):
    install("a = house_of_tests:NOT_A_RULE\nb = house_of_tests:MISSING\nc = no_such_module:RULE")
    judged = judge_ledger(made(**{"pass": 8, "fail": 2}), terms()).judged
    assert judged.verdict.status == "blocked"
    found = [one for one in judged.findings if one.code.startswith("H")]
    assert {one.severity for one in found} == {"unknown"} and len(found) == 3


def test_the_digest_moves_with_the_code_and_not_with_a_comment(install):
    install("fridays = house_of_tests:RULE")
    (before,) = house.house_lines()
    for source, same in ((SOURCE + "\n# a remark\n", True), (SOURCE.replace("> 3", "> 4"), False)):
        sys.modules.pop("house_of_tests", None)
        sys.path_importer_cache.clear()
        install("fridays = house_of_tests:RULE", source)
        import linecache

        linecache.clearcache()
        assert (house.house_lines() == (before,)) is same


def test_another_house_than_was_sealed_is_a_change():
    assert list(house.other_house(())) == []
    (said,) = house.other_house(("H001 no-fridays@1 abc",))
    assert "sealed H001 no-fridays@1 abc, judging none" in said


def entry(code="H001", name="a-rule"):
    return Entry(code, name, "1", "house", "doc")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (Rule(entry(), lambda _: (), "held"), ""),
        (Rule(entry("GL001"), lambda _: (), "held"), "is not H and"),
        (Rule(entry("H1"), lambda _: (), "held"), "is not H and"),
        (Rule(entry(name="Silent Loosening"), lambda _: (), "held"), "lower-case words"),
        (Rule(entry(name="silent-loosening"), lambda _: (), "held"), "another rule's"),
        ("a text", "it is no denominator.gate.Rule"),
    ],
)
def test_what_is_admitted(found, says):
    why = rule_problem(found, {"silent-loosening"})
    assert says in why if says else why == ""


def judged_with(check, **counts):
    rule = admitted(Rule(entry(), check, "held", caps=True, hides_value=True, no_aggregate=True, hides_split=True))
    return judge(made(**(counts or {"pass": 8, "fail": 2})), terms(), (rule,))


def test_it_takes_nothing_away():
    plain = judge(made(**{"pass": 8, "fail": 2}), terms())
    noted = judged_with(lambda _: [note("x", "a remark")])
    assert noted.verdict.rung == plain.verdict.rung
    assert noted.estimates == plain.estimates
    assert noted.findings[:-1] == plain.findings


def test_it_cannot_say_that_something_holds_and_a_crash_is_unknown():
    held = judged_with(lambda _: [Said(Severity.HELD, "x", "all is well")])
    assert finding(held, "H001").severity == "unknown"
    crash = judged_with(lambda _: 1 // 0)
    assert finding(crash, "H001").severity == "unknown" and crash.verdict.status == "blocked"


def test_it_sees_no_number_that_something_else_withholds():
    seen = []

    def look(sheet):
        seen.append(sheet.estimate("headline").numerator)
        return ()

    judged_with(look, **{"pass": 8, "fail": 2, "unscoreable": 40})
    assert not isinstance(seen[0], int)


def test_ids_and_dates_stay_where_numbers_go():
    (one,) = quieted(
        [finding(judged_with(lambda _: [block("t01", "t01 of 2026-03-01: 6 passed, 3/4, 75 %", "f")]), "H001")]
    )
    assert one.what == "t01 of 2026-03-01: [withheld] passed, [withheld], [withheld]"


def test_a_broken_rule_has_a_code_of_its_own():
    assert broken("H999999", "broken-0", "why").entry.code == "H999999"


def test_a_clause_prints_no_number_that_a_rule_of_the_house_withholds():
    rule = admitted(
        Rule(Entry("H001", "no-fridays", "1", "house", ""), lambda _: [block("day", "a friday", "wait")], "")
    )
    clause = Clause(name="floor", metric="headline", at_least="0.5", why="we ship above it")
    rows, given = made(**{"pass": 7, "fail": 3}), terms(clauses=(clause,))
    assert "holds, it is 0.700000" in finding(judge(rows, given), "GL071").what
    said = finding(judge(rows, given, (rule,)), "GL071")
    assert said.severity == "unknown" and "withheld by H001" in said.what
    assert "0.7" not in said.what
