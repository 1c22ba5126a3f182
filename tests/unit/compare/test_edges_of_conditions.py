"""Edges of what must be equal: which side is named, harmless fields that move a time, published names of fields, one patch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.compare.comparable import KINDS
from denominator.compare.fields import FIELDS, blocks
from denominator.compare.patches import patch_notes, patch_reasons
from denominator.compare.published import fingerprint
from denominator.compare.taskset import compare_tasks
from denominator.records.values import NotMeasured
from unit.compare.arms import STATED, ask, side
from unit.compare.test_patches import ONE
from unit.compare.test_patches import side as patched

NOTES = [one.name for one in FIELDS if one.kind == "note"]


@pytest.mark.parametrize("number", ["rate", "time", "spend", "durability"])
def test_a_note_that_moves_this_number_is_a_condition_of_it(number):
    left, right = (STATED | dict.fromkeys(NOTES, value) for value in ("one", "two"))
    found = {one.name: one for one in ask(left, right, number=number).fields}
    for field in FIELDS:
        if field.name in NOTES and field.name in found:
            one = found[field.name]
            assert one.blocks is blocks(field, number), field.name
            assert one.verdict in (KINDS if one.blocks else ("note",)), field.name


@pytest.mark.parametrize(("place", "arm"), [(0, "A"), (1, "B")])
def test_the_side_that_states_nothing_is_named_with_its_reason(place, arm):
    tables = [dict(STATED), dict(STATED)]
    tables[place]["temperature"] = NotMeasured("the provider does not say")
    (one,) = [one for one in ask(*tables).fields if one.name == "temperature"]
    assert (one.what, one.verdict) == (f"unknown in {arm}: the provider does not say", "unknown")


@pytest.mark.parametrize(("place", "arm"), [(0, "A"), (1, "B")])
def test_draws_without_an_id_are_counted_for_their_arm(place, arm):
    made = [side("A"), side("B")]
    made[place] = replace(made[place], sheet=replace(made[place].sheet, unnamed=2))
    assert compare_tasks(*made).reasons == (f"task sets differ: 2 declared draws of {arm} have no id",)


@pytest.mark.parametrize("name", ["os", "machine", "uname", "system"])
def test_names_of_a_platform(name):
    assert fingerprint([(name, "x-1")])["platform"] == "x-1"


@pytest.mark.parametrize("name", ["taskset_version", "dataset_version", "dataset.version"])
def test_names_of_the_version_of_a_task_set(name):
    assert fingerprint([(name, "7")])["pack_version"] == "7"


def test_two_gradings_of_one_set_of_patches_are_a_reason_and_no_note():
    other = patched("b", ("t", "p1", "fail"), ("u", "p2", "fail"))
    assert patch_reasons(ONE, other)
    assert patch_notes(ONE, other) == []
