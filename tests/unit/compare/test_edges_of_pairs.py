"""Edges of a comparison: strata, windows, who is ahead so far, the worst case, limits, served names, played runs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from denominator.compare.paired import Paired
from denominator.compare.played import played_reasons
from denominator.compare.sequential import so_far
from denominator.compare.strata import strata
from denominator.compare.watches import serves_model
from denominator.compare.windows import Window, overlap_note, stale_terms
from denominator.compare.worst_case import Outer, holds, holds_on_pack, outer
from denominator.records.comparisons import StratumPair, TaskPair
from denominator.records.values import NotMeasured
from judging_data import by_outcome, foreign
from unit.compare.arms import SEAL, STATED, ask, put, sealed_rows, sealed_side, side
from unit.compare.test_replays import sheet

A, B = side("A"), side("B")
LEVEL = Fraction(1, 20)


def pair_of(counts, **more):
    rows = tuple(TaskPair(task_id=f"t{n:02}", passes_a=a, passes_b=b, **more) for n, (a, b) in enumerate(counts))
    return Paired(rows, 1)


def test_strata_count_passes_and_who_has_more():
    named = [("", 2, 2), ("easy", 2, 1), ("easy", 0, 0), ("hard", 0, 1)]
    rows = tuple(TaskPair(task_id=f"t{n}", passes_a=a, passes_b=b, stratum=s) for n, (s, a, b) in enumerate(named))
    assert strata(Paired(rows, 2)) == (
        StratumPair(name="no stratum", tasks=1, draws=2, passes_a=2, passes_b=2, more_a=0, more_b=0),
        StratumPair(name="easy", tasks=2, draws=4, passes_a=2, passes_b=1, more_a=1, more_b=0),
        StratumPair(name="hard", tasks=1, draws=2, passes_a=0, passes_b=1, more_a=0, more_b=1),
    )
    assert strata(pair_of([(1, 0), (0, 1)])) == ()


DAYS = [
    ("one day needs no fresh reading", ("2026-10-01", "2026-10-01"), ("2026-09-30", "2026-09-30"), ()),
    ("each read on its own day", ("2026-10-01", "2026-10-02"), ("2026-10-01", "2026-10-02"), ()),
    ("nobody read any, one has none to read", ("2026-10-01", "2026-10-02"), ("", "none"), ()),
    ("one reading for two days", ("2026-10-01", "2026-10-02"), ("2026-10-01", "2026-10-01"), ("B",)),
    ("one reading at all", ("2026-10-01", "2026-10-02"), ("", "2026-10-02"), ("A",)),
]


@pytest.mark.parametrize(("days", "read", "stale"), [one[1:] for one in DAYS], ids=[one[0] for one in DAYS])
def test_readings_of_terms_go_with_the_day_of_the_run(days, read, stale):
    given = [
        (arm, Window(day, day), {"terms_read_on": f'"{when}"'} if when else {})
        for arm, day, when in zip((A, B), days, read, strict=True)
    ]
    assert [reason.split()[1] for reason in stale_terms(given)] == list(stale)


@pytest.mark.parametrize(
    ("left", "right", "overlap", "word"),
    [
        (("1", "3"), ("3", "4"), True, "windows overlap"),
        (("1", "2"), ("3", "4"), False, "windows do not overlap"),
        (("1", "3"), ("2", ""), False, "is unknown"),
        (("1", ""), ("2", "3"), False, "is unknown"),
    ],
)
def test_a_window_without_an_end_overlaps_nothing_that_is_known(left, right, overlap, word):
    note, known = overlap_note(A, B, Window(*left), Window(*right))
    assert known is overlap and word in note


def test_so_far_keeps_wins_and_losses_apart():
    found = so_far(sheet(["pass", "fail", "fail", "pass"]), sheet(["fail", "pass", "pass", "pass"]), LEVEL)
    assert (found.wins, found.losses, found.equal, found.undecided) == (1, 2, 1, 0)


@pytest.mark.parametrize(("unseen", "stays"), [(0, True), (1, False)])
@pytest.mark.parametrize("ahead", ["a", "b"])
def test_what_is_established_stays_only_where_the_worst_case_agrees(ahead, unseen, stays):
    """Ten tasks that one arm alone passes; with draws of the other that nobody judged it may be none."""
    other = "b" if ahead == "a" else "a"
    counts = [(1, 0) if ahead == "a" else (0, 1)] * 10
    paired, mean = pair_of(counts, **{f"unseen_{other}": unseen}), Fraction(1 if ahead == "a" else -1, 2)
    cases = outer(paired, LEVEL, midp=False)
    assert isinstance(cases, Outer)
    assert holds(cases, mean, LEVEL) is stays
    assert holds_on_pack(paired, mean, LEVEL) is stays


@pytest.mark.parametrize(
    ("served", "same"),
    [("fam", True), ("prov/FAM", True), ("fam-2026-08-01", True), ("fam@002", True), ("fam23", False), ("fam-", False), ("fam-mini", False)],
)  # fmt: skip
def test_a_date_makes_a_version_and_digits_alone_another_model(served, same):
    assert serves_model([served], ["prov/fam"]) is same


def test_a_run_of_ours_was_not_played_because_it_is_its_own():
    one = sealed_side("A", SEAL)
    assert played_reasons(one, one) == []


def test_a_limit_that_one_side_alone_records_is_unknown_and_named():
    rows, labels = by_outcome(**{"pass": 3})
    told = [foreign(f"t{n:02}", n, limits_enforced={"wall_s": "60"}) for n in range(1, 4)]
    for left, right in ((told, rows), (rows, told)):
        found = ask(side("A", STATED, left, labels), side("B", STATED, right, labels))
        (limit,) = [one for one in found.fields if one.what == "the rows of one side only record it"]
        assert (limit.verdict, limit.blocks) == ("unknown", True)
        assert isinstance(limit.a, NotMeasured) is (left is rows)


def test_limits_in_force_that_differ_between_two_runs_of_ours_are_named_with_their_tasks():
    made = [
        sealed_side(name, SEAL, sealed_rows(limits_enforced={"wall_s": wall}))
        for name, wall in (("A", "60"), ("B", "30"))
    ]
    (limit,) = [one for one in ask(*made).fields if one.what.startswith("it was another one for")]
    assert limit.verdict == "conditions" and limit.blocks and "t01" in limit.what
    assert ("60" in str(limit.a), "30" in str(limit.b)) == (True, True)


def test_silent_foreign_rows_behind_a_gateway_stop_nothing():
    tables = (STATED | {"model_id": "prov/fam"}, STATED | {"model_id": "prov/big"})
    found = ask(*(side(n, t, treatment=["model_id"], network="gateway") for n, t in zip("AB", tables, strict=True)))
    assert found.deliveries == () and found.status == "comparable"


def test_silence_about_the_model_in_a_gateway_run_of_ours_is_no_delivery():
    seals = (SEAL, put(put(SEAL, "arm.model.id", "prov/other"), "envelope.arm.model.id", "prov/other"))
    made = [sealed_side(n, s, sealed_rows(served_models=())) for n, s in zip("AB", seals, strict=True)]
    found = ask(*made, treatment=["model_id"])
    assert [(one.arm, one.delivered, one.attempts, one.unknown, one.holds) for one in found.deliveries] == [
        ("A", 0, 5, 5, False),
        ("B", 0, 5, 5, False),
    ]
