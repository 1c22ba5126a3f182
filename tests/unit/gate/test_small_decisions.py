"""Decisions of the gate that no other test would miss: each was found by a mutant that lived (docs/evidence/mutants.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.gate import RULES, invalid_rate_above_ceiling, quiet_terms
from denominator.gate.ladder import may_not
from denominator.gate.sentence import controls_line
from denominator.judge import judge
from denominator.records.findings import Finding
from denominator.records.values import NotMeasured
from denominator.records.words import Rung, Severity
from judging_data import key, ledger, own, run_control, terms

KEYS = ("terms", "terms_sha256", "terms_digest", "terms_version", "allowance", "reset_rule", "quota_limit")
CONTROL = own("n1", "red", key=key("n1"), slice="negative", control="must_fail")
HELD = (("empty_patch_must_fail", "held"),)


def judged(rows=None, controls=HELD, **over):
    rows = rows or [*(own(f"t{i:02}", "green" if i < 9 else "red") for i in range(12)), CONTROL]
    made = ledger(rows, [run_control(name, state) for name, state in controls], source="own")
    return judge(made, terms(origin="seal", **over))


def said(found, name: str) -> list[str]:
    return [one.what for one in found.findings if one.allow_name == name and one.severity != Severity.HELD]


@pytest.mark.parametrize("name", KEYS)
def test_two_values_of_any_key_of_the_terms_are_changed_terms(name):
    rows = [own(f"t{i:02}", extra={name: f'"{"old" if i < 6 else "new"}"'}) for i in range(12)]
    assert said(judged(rows), "changed-terms")
    assert not said(judged([own(f"t{i:02}", extra={name: '"old"'}) for i in range(12)]), "changed-terms")


@pytest.mark.parametrize(
    ("levels", "some", "unrecorded"),
    [(("G3",), False, False), (("G2", "G3"), True, False), ((), False, True)],
)
def test_what_may_not_be_said_of_grading_follows_the_levels(levels, some, unrecorded):
    may_not = judged(grading_levels=levels).verdict.may_not
    assert any("some were graded in one process" in one for one in may_not) == some
    assert any("how they were graded is not recorded" in one for one in may_not) == unrecorded


def test_rules_that_read_the_split_are_silent_under_a_violated_control():
    found = judged(controls=[("empty_patch_must_fail", "violated")])
    silent = {one.allow_name for one in found.findings if "would tell how many passed" in one.what}
    assert silent == {rule.entry.name for rule in RULES if rule.reads_split}
    held = judged(controls=[("empty_patch_must_fail", "held")])
    assert not any("would tell how many passed" in one.what for one in held.findings)


def test_the_line_of_controls_counts_them_and_says_what_clean_ones_bound():
    alone = judged([own(f"t{i:02}") for i in range(12)], ())
    assert controls_line(alone.sheet) == "Controls: none."
    both = controls_line(judged().sheet)
    assert both.startswith(
        "Controls: 2 of 2 held; no false pass in 2 controls, which leaves room for"
    ) and both.endswith(").")
    violated = controls_line(judged(controls=[("empty_patch_must_fail", "violated")]).sheet)
    assert violated == "Controls: 1 of 2 held."


def noted(sheet, name: str) -> str:
    """What a note of a rule adds to the list of what may not be said."""
    note = Finding(code="GL000", allow_name=name, severity=Severity.NOTE, subject="s", what="w")
    plain = may_not(sheet, Rung.RATE, False, ())
    return "; ".join(one for one in may_not(sheet, Rung.RATE, False, (note,)) if one not in plain)


def test_a_note_forbids_what_it_is_about_and_one_of_an_unknown_rate_forbids_nothing():
    sheet = judged().sheet
    assert noted(sheet, "single-date") == "say that it holds on another date"
    assert noted(sheet, "several-runs") == "show it without the other runs of its envelope"
    for name, metric in (("cut-attempts", "truncation_rate"), ("passes-by-retry", "retry_rate")):
        others = [one for one in sheet.estimates if one.metric != metric]
        given = next(one for one in sheet.estimates if one.metric == metric)
        for numerator, forbids in ((2, True), (0, False), (NotMeasured("nobody looked"), False)):
            changed = replace(sheet, estimates=(*others, replace(given, numerator=numerator)))
            assert bool(noted(changed, name)) == forbids, (name, numerator)


@pytest.mark.parametrize(("shape", "metrics"), [("rows/calls", 1), ("rows/attempts", 2)])
def test_each_share_above_the_ceiling_blocks_and_rows_of_calls_have_one(shape, metrics):
    sheet = judged(invalid_ceiling="0.10").sheet
    kept = [one for one in sheet.estimates if one.metric not in ("invalid_call_rate", "unscoreable_rate")]
    over = [
        replace(kept[0], metric=name, numerator=5, denominator=10) for name in ("invalid_call_rate", "unscoreable_rate")
    ]
    made = replace(sheet, estimates=(*kept, *over), ledger=replace(sheet.ledger, shape=shape))
    found = [one.subject for one in invalid_rate_above_ceiling.check(made)]
    assert found == ["invalid_call_rate", "unscoreable_rate"][:metrics]


def test_words_of_a_seal_stay_and_those_of_a_manifest_lose_their_numbers_with_the_split():
    words = {"sentence": "9 of 12 were solved", "name": "made-up"}
    sealed, foreign = terms(**{"origin": "seal", **words}), terms(**words)
    assert quiet_terms(sealed, (), True) == sealed
    assert quiet_terms(foreign, (), False) == foreign
    assert "9 of 12" not in quiet_terms(foreign, (), True).sentence
