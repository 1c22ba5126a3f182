"""Every tier is reached, and lost by the one field that decides it; people lower it, and nobody raises it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.errors import BlockedError, InputError
from denominator.records.slips import Slip, Tier
from denominator.records.values import NotMeasured
from denominator.slips.fields import FREE
from denominator.slips.lineage import with_lineage
from denominator.slips.roles import rejection_line, revocation_line, several_hats, signoff_line, verdict_line
from denominator.slips.tiers import Entry, standing_of, tier_of
from denominator.slips.words import REFUSED, binds, copy_line, number_words
from slip_data import SPREAD, at, changed, entry, line, other, paths, slip

MISSING = NotMeasured("nobody knows")
AT = "2026-11-30T10:00:00.000Z"
HELD = [path for path in paths(slip()) if path not in FREE and path not in ("numbers.metric", "budget.over_budget")]


def tier(made: Slip, *others: Slip) -> str:
    return tier_of(entry(made), [entry(one) for one in others]).tier


def test_two_matching_slips_of_one_lineage_are_quotable():
    found = tier_of(entry(slip(2)), [entry(slip(1))])
    assert (found.tier, found.why, found.lifts) == ("quotable", (), ())
    assert found.audience.startswith("decks and customers")
    for words in ("big", "d" * 12, "900/1000", slip(1).lineage[:12], "r1 and r2", SPREAD):
        assert words in found.footnote
    assert tier(slip(1), slip(2)) == "quotable"  # the earlier one too: its twin knows the spread


def test_one_slip_is_external():
    found = tier_of(entry(slip()), [])
    assert found.tier == "external" and found.why == ("no second slip of this lineage matches it",)
    assert "model big, harness dddddddddddd, tokens 900/1000" in found.footnote
    assert found.audience == "docs and posts; never a contract, an SLA or a price"


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("box.shared", True, "the box is shared"),
        ("box.shared", MISSING, "box.shared is unknown"),
        ("box.reclaimable", True, "the box is reclaimable"),
        ("box.reclaimable", MISSING, "box.reclaimable is unknown"),
    ],
)
def test_a_box_that_others_use_or_take_away_stays_at_external(path, value, word):
    one, two = (changed(slip(n), path, value) for n in (1, 2))
    found = tier_of(entry(two), [entry(one)])
    assert found.tier == "external" and found.why[0].startswith(word)


def test_without_a_spread_two_slips_stay_at_external():
    two = replace(slip(2), re_run_spread=MISSING)
    found = tier_of(entry(two), [entry(replace(slip(1), re_run_spread=MISSING))])
    assert found.tier == "external" and found.why == ("the re-run spread is unknown: nobody knows",)


@pytest.mark.parametrize(
    "path", ["model.id", "harness.digest", "pack.digest", "numbers.n", "budget.tokens_limit", "box.host"]
)
def test_a_second_slip_that_differs_in_one_field_lifts_nothing(path):
    value = 2000 if path == "budget.tokens_limit" else 15 if path == "numbers.n" else "another"
    assert tier(slip(2), changed(slip(1), path, value)) == "external"


@pytest.mark.parametrize("path", HELD)
def test_every_held_field_alone_decides_between_quotable_and_external(path):
    old, value = slip(1), at(slip(1), path)
    assert tier(slip(2), old) == "quotable"
    assert tier(slip(2), changed(old, path, other(value))) == "external"


ONE_FIELD_APART = (
    ("quotable", "internal", "budget.over_budget", True),
    ("quotable", "external", "box.shared", True),
    ("quotable", "none", "gate.status", "blocked"),
    ("quotable", "internal", "budget.tokens_used", MISSING),
    ("quotable", "none", "numbers", ()),
)


@pytest.mark.parametrize(("before", "after", "path", "value"), ONE_FIELD_APART)
def test_tiers_lie_one_field_apart_and_come_back_with_it(before, after, path, value):
    store = [slip(1), slip(2)]
    assert tier(store[1], store[0]) == before
    moved = changed(store[1], path, value)
    assert tier(moved, store[0]) == after
    held_ = at(store[1], path) if path != "numbers" else store[1].numbers
    assert tier(changed(moved, path, held_), store[0]) == before


def test_the_same_run_twice_is_no_second_run():
    again = replace(slip(1), made_at="2026-11-29T00:00:00.000Z")
    assert tier(again, slip(1)) == "external"
    copied = replace(slip(2), ledger_sha256=slip(1).ledger_sha256)
    assert tier(copied, slip(1)) == "external"


def test_a_recording_that_answers_makes_no_second_run():
    one, two = (changed(slip(n), "harness.covers.cassette", '{"sha256":"ab"}') for n in (1, 2))
    found = tier_of(entry(two), [entry(one)])
    assert found.tier == "external" and found.why == ("a recording answered, so that no draw is a new one",)


def test_what_is_stamped_or_waived_stands_in_the_footnote():
    stamped = changed(slip(1, notes=("NOT SANDBOXED",)), "gate.waived", ("GL012 open-network",))
    footnote = tier_of(entry(stamped), []).footnote
    assert "NOT SANDBOXED" in footnote and "waived: GL012 open-network" in footnote


def test_a_twin_that_was_revoked_or_blocked_lifts_nothing():
    gone = entry(slip(1), line("revoked", caveat="wrong grader"))
    assert tier_of(entry(slip(2)), [gone]).tier == "external"
    assert tier(slip(2), changed(slip(1), "gate.status", "blocked")) == "external"


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("budget.over_budget", True, "the budget was not kept"),
        ("budget.over_budget", MISSING, "whether the budget was kept is unknown"),
        ("budget.tokens_limit", MISSING, "budget.tokens_limit is unknown"),
        ("budget.tokens_used", MISSING, "budget.tokens_used is unknown"),
        ("model.id", MISSING, "model.id is unknown"),
        ("harness.digest", MISSING, "harness.digest is unknown"),
        *((f"box.{name}", MISSING, f"box.{name} is unknown") for name in (
            "host", "kernel", "machine", "python", "cpu_count", "memory_bytes", "cgroup_version", "cgroup_cpu_limit",
            "cgroup_memory_limit", "git_commit",
        )),
        ("moved", ("box.host",), "the box moved since slip abababab: box.host"),
    ],
)  # fmt: skip
def test_external_is_lost_by_one_field(path, value, word):
    made = changed(replace(slip(), previous="ab" * 32), path, value)
    found = tier_of(entry(made), [])
    assert found.tier == "internal" and found.why[0].startswith(word) and found.lifts[0]
    assert found.audience.startswith("your own team") and word in found.footnote


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("gate.status", "blocked", "the gate says blocked"),
        ("gate.status", "", "the gate says nothing"),
        ("gate.rung", "refused", "the gate allows no sentence"),
        ("numbers", (), "it pins no number called headline"),
        ("moved", ("box.host", "model.id"), "moved since slip abababab: model.id"),
    ],
)
def test_every_tier_is_lost_by_one_field(path, value, word):
    made = changed(replace(slip(), previous="ab" * 32), path, value)
    found = tier_of(entry(made), [])
    assert found.tier == "none" and any(why.startswith(word) for why in found.why)
    assert found.footnote == "" and found.audience.startswith("nobody")
    assert copy_line("a" * 64, made, found.tier) == ""


def test_a_new_lineage_points_back_and_stands_once_it_was_run_again():
    old = slip(1)
    new = with_lineage(changed(slip(2), "model.id", "small"), "ab" * 32, old)
    assert (new.moved, new.previous_lineage) == (("model.id",), old.lineage) and tier(new, old) == "none"
    third = with_lineage(changed(slip(3), "model.id", "small"), "cd" * 32, new)
    assert (third.moved, third.previous_lineage) == ((), "") and third.lineage == new.lineage
    assert tier(third, old, new) == "quotable" and tier(new, old, third) == "quotable"


def test_a_moved_box_is_internal_until_it_was_run_again_there():
    new = with_lineage(changed(slip(2), "box.host", "elsewhere"), "ab" * 32, slip(1))
    assert new.moved == ("box.host",) and new.previous_lineage == "" and tier(new, slip(1)) == "internal"
    third = with_lineage(changed(slip(3), "box.host", "elsewhere"), "cd" * 32, new)
    assert tier(third, new) == "quotable"


def test_what_was_declared_by_hand_is_external_at_most():
    one, two = (
        changed(changed(replace(slip(n), origin="hand"), "gate.status", "declared"), "gate.rung", "") for n in (1, 2)
    )
    assert tier_of(entry(two), [entry(one)]).why == ("it was declared by hand and judged by no gate",)
    assert tier(changed(slip(1), "gate.status", "declared")) == "none"  # of a run that word is no pass


def test_the_last_slip_of_a_lineage_speaks_for_it():
    store = [entry(slip(n)) for n in (1, 2, 3)]
    assert [standing_of(one, store).superseded_by for one in store] == [store[2].id, store[2].id, ""]
    revoked = [*store[:2], entry(slip(3), line("revoked", caveat="wrong"))]
    assert standing_of(revoked[0], revoked).superseded_by == store[1].id
    assert standing_of(revoked[2], revoked).tier.tier == "none"


def stood(*lines, made: Slip | None = None):
    one = entry(made or slip(2), *lines)
    return standing_of(one, [one, entry(slip(1))])


@pytest.mark.parametrize("wanted", list(Tier))
def test_a_score_keeper_may_say_less_and_never_more(wanted):
    for computed, made in (("quotable", slip(2)), ("internal", changed(slip(2), "budget.over_budget", True))):
        one = stood(made=made)
        assert one.tier.tier == computed
        if list(Tier).index(wanted) > list(Tier).index(Tier(computed)):
            with pytest.raises(BlockedError, match="computed and never typed"):
                verdict_line(one, wanted, "14 tasks", "ann", AT)
            continue
        said = verdict_line(one, wanted, "14 tasks", "ann", AT)
        after = stood(said, made=made)
        assert after.tier.tier == wanted and said.role == "score_keeper"
        if wanted != computed:
            assert after.tier.why[-1] == f"the score keeper ann said {wanted}: 14 tasks"


def test_all_three_roles():
    said = verdict_line(stood(), "quotable", "14 tasks, two runs", "ann", AT)
    with pytest.raises(BlockedError, match="no score keeper"):
        signoff_line(stood(), "bea", AT)
    yes = signoff_line(stood(said), "bea", AT)
    one = stood(said, yes)
    assert one.signed_off and one.tier.tier == "quotable" and several_hats(one) == ()
    no = rejection_line(one, "model.snapshot", "bea", AT)
    two = stood(said, yes, no)
    assert not two.signed_off and two.tier.tier == "internal"
    assert "rejected it: model.snapshot is missing" in two.tier.why[0]
    assert stood(said, no, signoff_line(two, "bea", AT)).signed_off
    assert not stood(said, yes, said).signed_off  # a sign-off is of the verdict before it
    assert several_hats(stood(said, replace(yes, who="ann"))) == ("ann is quote reviewer and score keeper",)


def test_a_slip_that_may_not_leave_the_team_is_not_signed_off():
    inside = changed(slip(2), "budget.over_budget", True)
    said = verdict_line(stood(made=inside), "internal", "over budget", "ann", AT)
    with pytest.raises(BlockedError, match="no quote to sign off"):
        signoff_line(stood(said, made=inside), "bea", AT)


def test_a_revoked_slip_takes_no_more_lines():
    gone = stood(revocation_line(stood(), "wrong grader", "ann", AT))
    assert (gone.revoked, gone.tier.tier) == ("wrong grader", "none")
    for call in (
        lambda: verdict_line(gone, "none", "x", "ann", AT),
        lambda: signoff_line(gone, "bea", AT),
        lambda: rejection_line(gone, "model.id", "bea", AT),
        lambda: revocation_line(gone, "again", "ann", AT),
    ):
        with pytest.raises(BlockedError, match="it was revoked: wrong grader"):
            call()


@pytest.mark.parametrize("word", ["contract", "SLA", "price", "pricing", "sla", "vendor", "a contract with a customer"])
def test_contracts_slas_and_prices_are_refused_in_words(word):
    assert binds(word)
    with pytest.raises(BlockedError, match="no number of a pack carries a contract"):
        verdict_line(stood(), word, "x", "ann", AT)
    assert "SLA" in REFUSED


@pytest.mark.parametrize(
    ("tier_", "caveat", "who"), [("high", "x", "ann"), ("external", "", "ann"), ("external", "x", " ")]
)
def test_bad_words_are_input_errors(tier_, caveat, who):
    with pytest.raises(InputError):
        verdict_line(stood(), tier_, caveat, who, AT)


@pytest.mark.parametrize("text", ["two\nlines", "x" * 241, "\x1b[31m", "TODO"])
def test_a_caveat_is_one_short_line(text):
    with pytest.raises(InputError, match="cannot be written"):
        verdict_line(stood(), "external", text, "ann", AT)


def test_a_rejection_names_a_field_that_there_is():
    with pytest.raises(InputError, match="no field") as error:
        rejection_line(stood(), "model.idd", "bea", AT)
    assert "model.id" in error.value.fix


def test_the_line_to_copy():
    assert copy_line("ab12cd34" + "0" * 56, slip(1), "external") == "71.4% (10/14) [slip:ab12cd34]"
    counts = changed(slip(1), "gate.rung", "counts")
    assert copy_line("ab12cd34" + "0" * 56, counts, "external") == "10/14 [slip:ab12cd34]"
    scored = changed(changed(slip(1), "numbers.k", MISSING), "numbers.score", "0.713")
    assert number_words(scored) == "0.713 (n = 14)"
    few = changed(changed(changed(slip(1), "origin", "hand"), "numbers.n", 7), "numbers.k", 5)
    assert number_words(few) == "5/7"  # no gate judged it, and below eight nothing but counts


def test_the_order_of_the_store_changes_nothing():
    store = [entry(slip(n)) for n in (1, 2, 3)]
    assert standing_of(store[0], store) == standing_of(store[0], [*reversed(store)])
    assert isinstance(store[0], Entry)
