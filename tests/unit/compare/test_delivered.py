"""Was the treatment there: counted per arm from facts; what no row can tell is said and stops nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from denominator.compare.watches import tool_names
from denominator.records.envelopes import Comparison
from denominator.records.rows import CallRow, Usage
from judging_data import by_outcome, foreign, key, own
from unit.compare.arms import SEAL, STATED, ask, put, sealed_rows, sealed_side, side

TWO = (
    STATED | {"model_id": "prov/fam", "model_snapshot": "fam-1"},
    STATED | {"model_id": "prov/big", "model_snapshot": "big-1"},
)


def arms(a_rows, b_rows, treatment="model_id", tables=TWO, **over):
    made = [
        side(name, table, rows, by_outcome(**{"pass": len(rows)})[1], treatment=[treatment], **over)
        for name, table, rows in zip("AB", tables, (a_rows, b_rows), strict=True)
    ]
    return ask(*made)


def rows_of(*served, column="served_models"):
    return [foreign(f"t{n:02}", n, **({column: (one,)} if one else {})) for n, one in enumerate(served, 1)]


def tally(found):
    return [(one.arm, one.field, one.delivered, one.attempts, one.unknown, one.holds) for one in found.deliveries]


def test_the_declared_model_answered_every_time():
    found = arms(rows_of(*["fam-1"] * 3), rows_of(*["prov/BIG-1"] * 3))
    assert tally(found) == [("A", "model_id", 3, 3, 0, True), ("B", "model_id", 3, 3, 0, True)]
    assert found.status == "comparable"


def test_another_model_answered():
    found = arms(rows_of(*["fam-1"] * 3), rows_of(*["fam-1"] * 3))
    assert tally(found)[1] == ("B", "model_id", 0, 3, 0, False)
    assert found.status == "not_comparable"
    assert "model_id took effect in 0 of 3 attempts" in found.reasons[0]


def test_attempts_that_say_nothing_count_apart_and_against_it():
    found = arms(rows_of(*["fam-1"] * 4), rows_of("big-1", "big-1", "big-1", ""))
    assert tally(found)[1] == ("B", "model_id", 3, 4, 1, False)
    low = arms(
        rows_of(*["fam-1"] * 4), rows_of("big-1", "big-1", "big-1", ""), comparison=Comparison(delivered_floor="0.75")
    )
    assert low.status == "comparable"


def test_the_higher_floor_of_both_holds():
    made = [
        side(name, table, rows_of(*served), by_outcome(**{"pass": 4})[1], treatment=["model_id"], comparison=floor)
        for name, table, served, floor in (
            ("A", TWO[0], ["fam-1"] * 4, Comparison(delivered_floor="0.5")),
            ("B", TWO[1], ["big-1", "big-1", "big-1", ""], Comparison(delivered_floor="0.9")),
        )
    ]
    assert ask(*made).status == "not_comparable"


def test_where_no_row_tells_it_is_said_and_stops_nothing():
    found = arms(rows_of("", ""), rows_of("", ""))
    assert found.deliveries == () and found.status == "comparable"
    assert any("not observable in rows: model_id" in note for note in found.notes)
    budget = tuple(STATED | {"budget_tokens_per_task": n} for n in (1, 2))
    said = arms(rows_of("", ""), rows_of("", ""), "budget_tokens_per_task", budget)
    assert said.status == "comparable" and any("budget_tokens_per_task" in note for note in said.notes)


@pytest.mark.parametrize(
    ("served", "took"),
    [
        ("big-1", True),
        ("big", True),
        ("big-2026-08-01", True),
        ("big@002", True),
        ("bigger", False),
        ("big-mini", False),
    ],
)
def test_a_dated_version_of_a_model_is_that_model(served, took):
    tables = tuple({k: v for k, v in one.items() if k != "model_snapshot"} | {"model_snapshot": "s"} for one in TWO)
    tables = (tables[0], tables[1] | {"model_snapshot": "big-1"})
    found = arms(rows_of("s"), rows_of(served), tables=tables)
    assert tally(found)[1][-1] is took


def test_a_snapshot_must_be_the_very_one():
    tables = tuple(STATED | {"model_snapshot": one} for one in ("fam-1", "fam-2"))
    found = arms(rows_of("fam-1"), rows_of("fam-1"), "model_snapshot", tables)
    assert [one.holds for one in found.deliveries] == [True, False]


@pytest.mark.parametrize(
    ("name", "column", "values"),
    [
        ("served_host", "served_hosts", ("h1", "h2")),
        ("endpoint_host", "served_hosts", ("h1", "h2")),
        ("quantisation", "quantisations", ("bf16", "int4")),
    ],
)
def test_hosts_and_formats(name, column, values):
    tables = tuple(STATED | {name: one} for one in values)
    right = [rows_of(one, column=column) for one in values]
    found = arms(*right, name, tables)
    assert [one.holds for one in found.deliveries if one.field == name] == [True, True]
    crossed = arms(right[0], right[0], name, tables)
    assert [one.holds for one in crossed.deliveries if one.field == name] == [True, False]


@pytest.mark.parametrize("name", ["access_class", "server_class"])
def test_classes_as_foreign_rows_record_them(name):
    tables = tuple(STATED | {name: one} for one in ("x", "y"))
    rows = [foreign("t01", 1, **{name: "x"})]
    assert [one.holds for one in arms(rows, rows, name, tables).deliveries] == [True, False]


def test_a_tool_must_be_sent_and_the_new_one_used():
    def calls(*names):
        return [foreign("t01", 1, extra={"tool_calls": json.dumps([{"name": one} for one in names])})]

    tables = (STATED | {"tools": ["read"]}, STATED | {"tools": ["read", "search"]})
    used = arms(calls("read"), calls("read", "search"), "tools", tables)
    assert [(one.arm, one.delivered) for one in used.deliveries] == [("B", 1)]
    idle = arms(calls("read"), calls("read"), "tools", tables)
    assert idle.status == "not_comparable" and "tool_list_digest took effect in 0 of 1" in " ".join(idle.reasons)
    digests = tuple(STATED | {"tool_list_digest": one} for one in ("sha256:aa", "sha256:bb"))
    sent = [[foreign("t01", 1, tools_sha256=one)] for one in ("aa", "bb")]
    assert all(one.holds for one in arms(*sent, "tool_list_digest", digests).deliveries)
    assert not arms(sent[0], sent[0], "tool_list_digest", digests).deliveries[1].holds


def test_tool_names():
    assert tool_names(foreign("t", extra={"tool_calls": '[{"name": "a"}, {"tool": "b"}, "c", 7]'})) == {"a", "b", "c"}
    assert tool_names(foreign("t")) is None and tool_names(foreign("t", extra={"tool_calls": "{}"})) is None


def test_what_a_row_records_under_the_fields_own_name():
    tables = tuple(STATED | {"temperature": one} for one in (0, 1))
    rows = [[foreign("t01", 1, extra={"temperature": one})] for one in ("0.0", "1")]
    assert all(one.holds for one in arms(*rows, "temperature", tables).deliveries)
    limits = tuple(STATED | {"wall_cap_s": one} for one in (60, 90))
    caps = [[foreign("t01", 1, limits_enforced={"wall_s": one})] for one in ("60", "60")]
    assert [one.holds for one in arms(*caps, "wall_cap_s", limits).deliveries] == [True, False]


OTHER = put(put(SEAL, "arm.model.id", "prov/new"), "arm.model.snapshot", "new-2026-11-01")
SEALS = tuple(put(one, "envelope.treatment", ("model_id",)) for one in (SEAL, OTHER))


def test_runs_of_ours_tell_by_what_was_served():
    found = ask(sealed_side("A", SEALS[0]), sealed_side("B", SEALS[1], sealed_rows("new-2026-11-01")))
    assert found.status == "comparable", found.reasons
    assert tally(found) == [("A", "model_id", 5, 5, 0, True), ("B", "model_id", 5, 5, 0, True)]


def test_a_run_of_ours_that_nothing_is_known_of_is_no_comparison():
    silent = [replace(row, served_models=()) for row in sealed_rows()]
    found = ask(sealed_side("A", SEALS[0]), sealed_side("B", SEALS[1], silent))
    assert tally(found)[1] == ("B", "model_id", 0, 5, 5, False)


def test_an_arm_without_a_model_is_delivered_when_none_was_called():
    nobody = put(put(SEALS[1], "arm.model.id", "none"), "envelope.sandbox.network", "none")
    quiet = [own(row.key.task_id, row.grade) for row in sealed_rows()]
    found = ask(sealed_side("A", SEALS[0]), sealed_side("B", nobody, quiet))
    assert tally(found)[1] == ("B", "model_id", 5, 5, 0, True) and found.status == "comparable", found.reasons
    loud = [replace(row, usage=Usage(calls=2)) for row in quiet]
    assert not ask(sealed_side("A", SEALS[0]), sealed_side("B", nobody, loud)).deliveries[1].holds


def test_calls_go_before_rows():
    rows = sealed_rows("new-2026-11-01")
    made = sealed_side("B", SEALS[1], rows)
    calls = tuple(
        CallRow(key=key(row.key.task_id), seq=n, asked_model="new", served_model="old-1") for n, row in enumerate(rows)
    )
    sheet = replace(made.sheet, ledger=replace(made.sheet.ledger, calls=calls))
    assert not ask(sealed_side("A", SEALS[0]), replace(made, sheet=sheet)).deliveries[1].holds
