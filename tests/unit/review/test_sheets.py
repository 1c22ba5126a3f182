"""A sheet shows facts, and nothing that anybody judged."""

from __future__ import annotations

from denominator.records.labels import Label
from denominator.records.reviews import PeopleWork
from denominator.records.rows import AttemptRow, Usage
from denominator.review import HELD_OUT, Wish, make_sheet, questions, sheet_id, write_csv, write_jsonl
from denominator.review.evidence import facts_of, patch_of
from judging_data import EMPTY, foreign, key, own


def asked(rows, **wish):
    sheet = make_sheet(Wish(**({"axes": ("origin", "mix"), "seed": "s"} | wish)), "r1", rows, (), PeopleWork())
    return sheet, questions(sheet, sheet.copies[0], {row.key: row for row in rows}, lambda _key: ())


def test_what_the_source_thinks_and_whose_model_it_was_are_not_shown():
    row = foreign(
        "t1", extra={"bucket": "TOOL_LOOP"}, notes=("TOOL_LOOP",), asked_model="gpt-x", served_models=("gpt-x",)
    )
    for data in (write_csv(asked([row])[1]), write_jsonl(asked([row])[1])):
        text = data.decode("utf-8-sig").replace('"TOOL_LOOP"', "").replace("TOOL_LOOP |", "")
        assert "gpt-x" not in text and "TOOL_LOOP" not in text


def test_known_facts_are_shown_and_unknown_ones_are_not():
    row = own("t1", "none", oom=False, usage=Usage(calls=0), killed_by="budget_wall", required_missing=("key.txt",))
    facts = facts_of(row)
    assert (facts["oom"], facts["killed_by"], facts["grade"], facts["required_missing"]) == (
        "no",
        "budget_wall",
        "none",
        "key.txt",
    )
    assert "calls=0" in facts["usage"] and "wall_ms" not in facts and "prompt" not in facts["usage"]
    assert "bytes=10" in patch_of(row) and "touched=src/a.py" in patch_of(row)
    assert patch_of(own("t1", patch=EMPTY)).startswith("bytes=0")
    assert facts_of(AttemptRow(key=key("t"), slice="solvable", started=True))["grade"] == "none"


def test_whose_it_was_asks_for_the_reason_and_the_mix_is_of_the_solvable_slice():
    sheet, found = asked([own("t1"), own("n1", slice="negative", control="must_fail")])
    assert sheet.axes == ("origin", "reason", "mix")
    assert {(one.key.task_id, one.axis) for one in found} == {
        ("t1", "origin"), ("t1", "reason"), ("t1", "mix"), ("n1", "origin"), ("n1", "reason"),
    }  # fmt: skip


def test_rows_without_an_end_are_not_asked_about():
    sheet, _ = asked([own("t1"), own("t2", closed=False), own("t3", started=False)])
    assert [one.key.task_id for one in sheet.rows] == ["t1"]


def test_the_id_is_of_what_is_asked():
    rows = [own("t1"), own("t2"), own("t3")]
    sheet, _ = asked(rows)
    assert sheet_id(sheet) == sheet.id and sheet.selection == HELD_OUT and sheet.blind
    others = [asked(rows[:2])[0], asked(rows, seed="t")[0], asked(rows, axes=("mix",))[0], asked(rows, share=34)[0]]
    assert len({sheet.id, *(one.id for one in others)}) == 5
    assert asked(rows, labelers=("ann", "bob", "cat"))[0].id == sheet.id


def test_low_and_unresolved_rows_are_picked_by_the_rules_labels():
    rows = [own("t1"), own("t2"), own("t3")]
    labels = [
        Label(key=key("t1"), axis="mix", value="TIMEOUT", by="r@1", confidence="low"),
        Label(key=key("t2"), axis="failure_class", value="unresolved", by="r@1"),
    ]
    for selection, task in (("low", "t1"), ("unresolved", "t2")):
        wish = Wish(axes=("mix",), seed="s", selection=selection)
        sheet = make_sheet(wish, "r1", rows, labels, PeopleWork())
        assert ([one.key.task_id for one in sheet.rows], sheet.blind) == ([task], False)
