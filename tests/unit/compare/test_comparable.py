"""May two arms be compared: treatments, silence, tasks, mixtures, caps, windows; each with what must be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.compare.arms import out_of_spec
from denominator.compare.fields import CORE
from denominator.records.keys import DrawKey
from denominator.records.rows import Declared
from denominator.records.values import NotMeasured
from judging_data import by_outcome, foreign, key, said
from unit.compare.arms import STATED, ask, blocked, side

NAMES = {one.name for one in CORE}


def test_two_equal_arms():
    found = ask()
    assert (found.status, found.reasons, found.declared_before) == ("comparable", (), True)
    assert {one.verdict for one in found.fields if one.name in NAMES} == {"same"}


def test_two_silent_arms_are_not_comparable_and_everything_needed_is_listed_once():
    found = ask({}, {})
    assert found.status == "not_comparable" and blocked(found) == NAMES
    assert len(found.reasons) == 1 and all(name in found.reasons[0] for name in NAMES)
    assert any("on_timeout" in note and "neither side" in note for note in found.notes)


def test_the_treatment_that_both_declare_may_differ_and_only_it():
    other = STATED | {"model_id": "prov/other"}
    declared = [side(name, stated, treatment=["model_id"]) for name, stated in (("A", STATED), ("B", other))]
    found = ask(*declared)
    assert (found.status, found.treatment, found.declared_before) == ("comparable", ("model_id",), True)
    assert {one.name: one.verdict for one in found.fields}["model_id"] == "treatment"
    warmer = side("B", other | {"temperature": 1}, treatment=["model_id"])
    assert blocked(ask(declared[0], warmer)) == {"temperature"}


def test_a_snapshot_comes_with_its_model_and_with_nothing_else():
    moved = STATED | {"model_snapshot": "another"}
    both = moved | {"model_id": "prov/other"}
    assert ask(STATED, both, treatment=["model_id"]).status == "comparable"
    assert blocked(ask(STATED, moved, treatment=["model_id"])) == {"model_snapshot"}
    assert blocked(ask(STATED, both, treatment=["agent_id"])) == {"model_id", "model_snapshot"}


def test_a_treatment_named_afterwards_or_by_one_side():
    other = STATED | {"model_id": "prov/other"}
    late = ask(STATED, other, treatment=["arm.model.id"])
    assert (late.status, late.declared_before, late.treatment) == ("comparable", False, ("model_id",))
    assert any("afterwards" in note for note in late.notes)
    one = ask(side("A", STATED, treatment=["model_id"]), side("B", other))
    assert one.status == "not_comparable" and blocked(one) == {"model_id"}
    assert any("by A only" in reason for reason in one.reasons)


def test_a_treatment_that_does_not_differ_is_said_and_one_that_is_unknown_blocks():
    same = ask(STATED, STATED, treatment=["model_id"])
    assert same.status == "comparable" and any("model_id does not differ" in note for note in same.notes)
    unknown = {name: value for name, value in STATED.items() if name != "model_id"}
    assert blocked(ask(STATED, unknown, treatment=["model_id"])) == {"model_id"}


def test_an_unknown_equals_nothing_whatever_its_reason():
    gone = STATED | {"concurrency": NotMeasured("nobody counted")}
    found = ask(gone, gone)
    assert blocked(found) == {"concurrency"} and "nobody counted" in found.reasons[0]


@pytest.mark.parametrize("one_side", [True, False])
def test_a_field_that_nobody_knows_blocks_when_it_differs_or_stands_alone(one_side):
    left = STATED | ({} if one_side else {"agent_timeout_multiplier": 1})
    found = ask(left, STATED | {"agent_timeout_multiplier": 2})
    assert blocked(found) == {"agent_timeout_multiplier"}
    equal = STATED | {"agent_timeout_multiplier": 2.0}
    assert ask(equal, STATED | {"agent_timeout_multiplier": 2}).status == "comparable"


def test_conditions_that_the_caller_declares_equal():
    found = ask({}, {"temperature": 0}, equal_because="one harness, one afternoon")
    assert (found.status, found.declared_before) == ("comparable", False)
    assert any("one harness, one afternoon" in note and "temperature" in note for note in found.notes)
    assert blocked(ask({"seed": 1}, {"seed": 2}, equal_because="one harness")) == {"seed"}
    assert ask({}, {}, equal_because="TODO").status == "not_comparable", "a placeholder is no reason"


def test_other_tasks_are_refused_with_their_ids():
    a_rows, a_labels = by_outcome(**{"pass": 4})
    b_rows, b_labels = by_outcome(**{"pass": 3}, start=2)
    found = ask(side("A", STATED, a_rows, a_labels), side("B", STATED, b_rows[:2], b_labels))
    assert (found.only_a, found.only_b) == (("t01", "t04"), ())
    assert found.reasons == ("task sets differ: t01, t04 only in A",)
    unnamed = side("B", STATED, a_rows, a_labels, declared=6)
    assert any(
        "2 declared draws of B have no id" in reason
        for reason in ask(side("A", STATED, a_rows, a_labels), unnamed).reasons
    )


def test_other_repeats_and_other_slices_are_refused_with_their_ids():
    def arm(name, repeats, slice_="solvable"):
        rows = [foreign("t1", k, key=key("t1", k), slice=slice_) for k in range(1, repeats + 1)]
        return side(name, STATED, rows, [said("t1", "outcome", "pass", key=row.key) for row in rows])

    assert any("repeats differ: 3 in A and 2 in B (t1)" in one for one in ask(arm("A", 3), arm("B", 2)).reasons)
    assert any("t1 is of another slice" in one for one in ask(arm("A", 2), arm("B", 2, "negative")).reasons)


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("served_hosts", (("h1",), ("h2",)), "2 hosts"),
        ("quantisations", (("bf16",), ("int4",)), "2 quantisations"),
        ("access_class", ("paid", "trial"), "2 access classes"),
        ("server_class", ("shared", "own"), "2 server classes"),
        ("served_models", (("m-1",), ("m-2",)), "2 served models"),
    ],
)
def test_an_arm_that_mixes_is_two_arms(column, values, words):
    rows, labels = by_outcome(**{"pass": 2})
    mixed = [replace(row, **{column: value}) for row, value in zip(rows, values, strict=True)]
    found = ask(side("A", STATED, rows, labels), side("B", STATED, mixed, labels))
    assert any(reason.startswith(f"arm B mixes {words}") for reason in found.reasons), found.reasons


def test_hosts_and_formats_that_only_differ_between_the_arms():
    rows, labels = by_outcome(**{"pass": 2})

    def arm(name, host):
        return side(name, STATED, [replace(row, served_hosts=(host,)) for row in rows], labels)

    assert blocked(ask(arm("A", "h1"), arm("B", "h2"))) == {"served_host"}
    found = ask(arm("A", "h1"), arm("B", "h2"), treatment=["served_by"])
    assert found.status == "comparable" and [(one.delivered, one.holds) for one in found.deliveries] == [(2, True)] * 2


def test_a_run_that_its_own_cap_cut_stands_beside_nothing():
    rows, labels = by_outcome(**{"pass": 2})
    cut = [rows[0], replace(rows[1], run_cap_cut=True)]
    found = ask(side("A", STATED, rows, labels), side("B", STATED, cut, labels[:1]))
    assert any("arm B is censored: 1 draw was cut" in reason and "t02" in reason for reason in found.reasons)
    declared = [Declared(draw=DrawKey(f"t{n:02}")) for n in range(1, 5)]
    waiting = [side(n, STATED | {"cap_tokens": 9}, rows, labels, declared=declared) for n in ("A", "B")]
    assert any("2 never started (t03, t04)" in reason for reason in ask(*waiting).reasons)
    waiting = [side(n, STATED, rows, labels, declared=declared) for n in ("A", "B")]
    assert ask(*waiting).status == "comparable", "without a cap over the run it is the gate's matter"


def test_above_the_infra_ceiling_there_is_no_comparison():
    rows, labels = by_outcome(**{"pass": 1, "unscoreable": 4})
    bad = [replace(one, value="provider_error") if one.axis == "reason" else one for one in labels]
    bad += [said(row.key.task_id, "origin", "INFRA") for row in rows[1:]]
    over = side("B", STATED, rows, bad, infra_ceiling="0.10")
    names = {one.allow_name: one.severity for one in over.verdict.findings}
    assert names["infra-above-ceiling"] == "block"
    assert any("describes its host" in reason for reason in ask(side("A", STATED, rows, bad), over).reasons)


def test_passes_after_the_declared_budget_are_listed_apart():
    rows, labels = by_outcome(**{"pass": 5, "fail": 1})
    spent = (300, 1250, 880, 120, 1701, 1800)
    late = [
        replace(row, agent_ms=s * 1000, limits_enforced={"wall_s": "900"}) for row, s in zip(rows, spent, strict=True)
    ]
    arm = side("A", STATED, late, labels, on_timeout="grade")
    found = out_of_spec(arm)
    assert (found.over, found.in_spec, found.n) == (("t02", "t05", "t06"), 3, 6)
    assert found.passes == ("t02", "t05")
    notes = ask(arm, arm).notes
    words = [note for note in notes if "declared budget" in note]
    assert words and (arm.verdict.status == "blocked" or "in spec 3/6" in words[0])
    hidden = replace(arm, verdict=replace(arm.verdict, status="blocked"))
    told = " ".join(note for note in ask(hidden, hidden).notes if "declared budget" in note)
    assert "t02, t05, t06" in told and "passes" not in told and "3/6" not in told


def test_limits_in_force_are_held_against_each_other_task_by_task():
    rows, labels = by_outcome(**{"pass": 2})

    def arm(name, *limits):
        found = [replace(row, limits_enforced={"wall_s": one}) for row, one in zip(rows, limits, strict=True)]
        return side(name, STATED, found, labels)

    assert ask(arm("A", "900", "60"), arm("B", "900", "60")).status == "comparable"
    assert blocked(ask(arm("A", "900", "60"), arm("B", "900", "90"))) == {"limits_enforced.wall_s"}
    assert blocked(ask(arm("A", "900", "60"), side("B", STATED, rows, labels))) == {"limits_enforced.wall_s"}
    moved = ask(arm("A", "900", "60"), arm("B", "900", "90"), treatment=["budget.wall_s"])
    assert "limits_enforced.wall_s" not in blocked(moved)


def test_digests_as_sent_are_held_against_each_other():
    rows, labels = by_outcome(**{"pass": 2})

    def arm(name, column, *digests):
        found = [replace(row, **{column: one}) for row, one in zip(rows, digests, strict=True)]
        return side(name, STATED, found, labels)

    for column in ("prompt_sha256", "tools_sha256"):
        assert ask(arm("A", column, "aa", "bb"), arm("B", column, "aa", "bb")).status == "comparable"
        assert blocked(ask(arm("A", column, "aa", "bb"), arm("B", column, "aa", "cc"))) == {column}


STAMPS = {"started_at_utc": "2026-10-18T09:00:00Z", "finished_at_utc": "2026-10-18T10:00:00Z"}
LATER = {"started_at_utc": "2026-10-19T09:00:00Z", "finished_at_utc": "2026-10-19T10:00:00Z"}
CLOCKED = {"runner": "box-1", "provider_region": "eu", "task_order_sha256": "o1"}


def test_windows_are_a_note_for_rates_and_stop_times_and_spend():
    a, b = STATED | STAMPS | CLOCKED, STATED | LATER | CLOCKED
    assert ask(a, b).status == "comparable"
    for number in ("time", "spend"):
        assert any("do not overlap" in reason for reason in ask(a, b, number=number).reasons)
        assert ask(a, a, number=number).status == "comparable"
    open_ended = STATED | CLOCKED | {"started_at_utc": "2026-10-18T09:00:00Z"}
    assert any("unknown" in reason for reason in ask(open_ended, open_ended, number="spend").reasons)


@pytest.mark.parametrize("name", ["runner", "provider_region", "task_order_sha256"])
def test_notes_that_move_a_clock_block_times(name):
    a = STATED | STAMPS | CLOCKED
    assert ask(a, a | {name: "other"}).status == "comparable"
    assert blocked(ask(a, a | {name: "other"}, number="time")) == {name}
    silent = {key: value for key, value in a.items() if key != name}
    assert blocked(ask(silent, silent, number="time")) == {name}
    assert ask(silent, silent).status == "comparable"


def test_runs_of_two_days_need_the_terms_of_each_day():
    a, b = STATED | STAMPS, STATED | LATER
    old = {"terms_read_on": "2026-10-18"}
    assert any("arm B started on 2026-10-19" in reason for reason in ask(a | old, b | old).reasons)
    assert ask(a | old, b | {"terms_read_on": "2026-10-19"}).status == "comparable"
    assert ask(a | old, a | old).status == "comparable"


@pytest.mark.parametrize("told", ["13/17 passed", "76.5 %", "0.765", {"note": ["it says 76.47%"]}])
def test_nothing_of_a_blocked_arm_is_told(told):
    rows, labels = by_outcome(**{"pass": 13, "fail": 4})
    spoken = STATED | {"remark": told}
    arm = side("A", spoken, rows, labels, changed=["the pack"])
    assert arm.verdict.status == "blocked" and "headline" in arm.verdict.withheld
    found = ask(arm, side("B", STATED | {"remark": "x"}, rows, labels))
    text = repr(found)
    assert "13" not in text and "76." not in text and "0.76" not in text
    assert blocked(found) == {"remark"} and "[withheld]" in " ".join(found.reasons)
    shown = ask(side("A", spoken, rows, labels), side("B", STATED | {"remark": "x"}, rows, labels))
    assert "[withheld]" not in repr(shown)


def test_a_document_alone_is_held_against_what_the_other_side_states():
    rows, labels = by_outcome(**{"pass": 2})
    seen = [replace(row, served_hosts=("h1",), limits_enforced={"wall_s": "900"}) for row in rows]
    whole, bare = side("A", STATED, seen, labels), replace(side("B", STATED, [], []), rows=False)
    found = ask(whole, bare)
    assert (found.status, found.only_a) == ("comparable", ())
    warmer = replace(side("B", STATED | {"temperature": 1}, [], []), rows=False)
    assert blocked(ask(whole, warmer)) == {"temperature"}


def test_what_answered_is_the_subject_whatever_the_documents_say():
    rows, labels = by_outcome(**{"pass": 2})

    def arm(name, *served, **over):
        found = [replace(row, served_models=(one,)) for row, one in zip(rows, served, strict=True)]
        return side(name, STATED | {"model_snapshot": "fam-1"}, found, labels, **over)

    first = arm("A", "prov/fam-1", "prov/fam-1")
    assert ask(first, arm("B", "FAM-1", "FAM-1")).status == "comparable"
    assert blocked(ask(first, arm("B", "fam-2", "fam-2"))) == {"served_model"}
    assert blocked(ask(first, side("B", STATED | {"model_snapshot": "fam-1"}, rows, labels))) == {"served_model"}
    both = ask(arm("A", "fam-2", "fam-2"), arm("B", "fam-2", "fam-2"))
    assert both.status == "comparable", "one model answered both, though another one than was declared"
    assert any("arm A declares model_snapshot" in note and "fam-2 answered" in note for note in both.notes)
