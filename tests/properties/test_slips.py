"""Slips: one byte form without floats, an id that is its sha256, a chain of lines that misses nothing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.pipeline.slip_store import id_of
from denominator.records.slips import Slip, SlipHarness, SlipLine, SlipModel
from denominator.records.values import NotMeasured
from denominator.slips.lineage import lineage_of, moved_between
from denominator.slips.lines import chained, head_of, read_lines, written
from denominator.slips.making import with_gaps
from denominator.slips.markdown import safe
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from slip_data import changed, line, slip

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
MAYBE = st.one_of(WORDS, st.builds(NotMeasured, WORDS))
TABLES = st.dictionaries(st.text("abcdef_", min_size=1, max_size=6), MAYBE, max_size=5)


@st.composite
def slips(draw: st.DrawFn) -> Slip:
    made = slip(draw(st.integers(1, 9)))
    harness = SlipHarness(
        name=draw(MAYBE), digest=draw(MAYBE), covers=draw(TABLES), left_out=tuple(draw(st.lists(WORDS)))
    )
    model = SlipModel(id=draw(MAYBE), sampling=draw(TABLES), served=tuple(draw(st.lists(WORDS))))
    budget = replace(made.budget, tokens_used=draw(st.integers(0, 10**30)), ratio=draw(MAYBE))
    return with_gaps(replace(made, harness=harness, model=model, budget=budget, notes=tuple(draw(st.lists(WORDS)))))


def kinds(value: object) -> set[type]:
    if isinstance(value, dict):
        return set().union(*map(kinds, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(kinds, value)) if value else set()
    return {type(value)}


@given(slips())
def test_canonical_json_holds_no_float_and_the_id_is_its_sha256(made):
    data = canonical(made)
    assert float not in kinds(json.loads(data))
    assert id_of(made) == hashlib.sha256(data).hexdigest()
    again = from_json(Slip, loads(data), "a slip")
    assert again == made and canonical(again) == data


@given(slips(), st.randoms(use_true_random=False))
def test_any_order_of_building_gives_the_same_id(made, random: Random):
    def shuffled(table):
        items = list(table.items())
        random.shuffle(items)
        return dict(items)

    again = changed(changed(made, "harness.covers", {}), "model.sampling", {})
    again = replace(
        again,
        harness=replace(made.harness, covers=shuffled(made.harness.covers)),
        model=replace(made.model, sampling=shuffled(made.model.sampling)),
    )
    assert id_of(again) == id_of(made) and lineage_of(again) == lineage_of(made)


@given(slips(), slips())
def test_fields_move_both_ways_alike(one, other):
    there, back = moved_between(one, other), moved_between(other, one)
    assert sorted((name, new, old) for name, old, new in there) == sorted(back)
    if not there:
        assert {one.run_id, other.run_id} and lineage_of(one) == lineage_of(other)


LINES = st.lists(
    st.builds(
        line,
        what=st.sampled_from(("verdict", "signoff", "rejection", "revoked")),
        role=st.sampled_from(("score_keeper", "quote_reviewer")),
        who=WORDS,
        caveat=WORDS,
    ),
    min_size=1,
    max_size=5,
)
ID = "ab" * 32


def kept(given_lines: list[SlipLine]) -> list[SlipLine]:
    lines: list[SlipLine] = []
    for one in given_lines:
        lines.append(chained(ID, lines, one))
    return lines


@given(LINES)
def test_lines_come_back_as_they_were_written(given_lines):
    lines = kept(given_lines)
    assert read_lines(ID, written(lines), head_of(ID, lines) + "\n", "x") == tuple(lines)
    assert read_lines(ID, b"", "", "x") == ()


@given(LINES, st.data())
def test_no_line_is_edited_or_taken_out_unseen(given_lines, data):
    lines = kept(given_lines)
    head = head_of(ID, lines) + "\n"
    rows = written(lines).splitlines(keepends=True)
    at = data.draw(st.integers(0, len(rows) - 1))
    how = data.draw(st.sampled_from(("drop", "edit", "twice", "swap", "cut")))
    if how == "drop":
        bad = [*rows[:at], *rows[at + 1 :]]
    elif how == "twice":
        bad = [*rows[: at + 1], *rows[at:]]
    elif how == "swap" and len(rows) > 1:
        bad = [*rows[1:], rows[0]]
    elif how == "cut":
        bad = [*rows[:at], rows[at][:-2]]
    else:
        bad = [*rows[:at], rows[at].replace(b'"at":"2026', b'"at":"2027'), *rows[at + 1 :]]
    with pytest.raises(InputError):
        read_lines(ID, b"".join(bad), head, "x")


@given(LINES)
def test_lines_of_another_slip_and_a_lost_head_are_refused(given_lines):
    lines = kept(given_lines)
    with pytest.raises(InputError):
        read_lines("cd" * 32, written(lines), head_of(ID, lines) + "\n", "x")
    for head in ("", "0 zz\n", f"{len(lines) + 1} {'0' * 64}\n", head_of(ID, lines)):
        with pytest.raises(InputError):
            read_lines(ID, written(lines), head, "x")


@given(LINES)
def test_a_line_that_the_head_does_not_count_yet_is_of_a_writer_that_was_cut_down(given_lines):
    lines = kept(given_lines)
    before = head_of(ID, lines[:-1]) + "\n"
    assert len(read_lines(ID, written(lines), before, "x")) == len(lines)


@given(WORDS)
def test_foreign_text_is_inert_in_markdown(text):
    shown = safe(text)
    assert "\n" not in shown and shown.isprintable() and "<" not in shown.replace("\\<", "")
