"""What was scheduled: the plan of a format, what a person declares, and where the two contradict each other."""

from __future__ import annotations

import pytest

from denominator.importers.foreign import declared, undeclared
from denominator.importers.manifest import read_documents
from denominator.importers.planned import narrowed, planned
from denominator.records.values import NotMeasured

NO_PLAN = undeclared("r", "this format keeps no plan")


def plan(found, **document):
    stated = read_documents([("known.toml", "declared", document)] if document else [])
    return planned(found, stated, "known.toml"), stated


def draws(one):
    return [(each.draw.task_id, each.draw.repeat, each.slice, each.control) for each in one.declared]


def test_without_a_plan_nobody_knows_and_the_format_says_why():
    made, stated = plan(NO_PLAN)
    assert made.declaration.declared_n == NotMeasured("this format keeps no plan")
    assert made.declared == NotMeasured("this format keeps no plan")
    assert not stated.defects


def test_declared_ids_stand_where_there_is_no_plan():
    made, stated = plan(NO_PLAN, task_ids=["b", "a"], repeats=2)
    assert draws(made) == [
        ("a", 1, "solvable", ""),
        ("a", 2, "solvable", ""),
        ("b", 1, "solvable", ""),
        ("b", 2, "solvable", ""),
    ]
    assert made.declaration.declared_n == 4
    assert not stated.defects


def test_a_declared_number_is_a_number_without_ids():
    made, _ = plan(NO_PLAN, task_count=731)
    assert (made.declaration.declared_n, made.declaration.tasks) == (731, ())
    assert isinstance(made.declared, NotMeasured)


def test_the_plan_of_a_format_is_what_is_wanted_of_a_manifest():
    _, stated = plan(declared("r", ["a", "b"]))
    assert stated.task_ids == ("a", "b")


@pytest.mark.parametrize(
    ("document", "word"),
    [
        ({"task_ids": ["a", "c"]}, "differ in 2 ids: b, c"),
        ({"task_count": 3}, "task_count: is 3, the plan of the format has 2 tasks"),
        ({"repeats": 5}, "repeats: is 5, the plan of the format has 1"),
    ],
)
def test_a_person_does_not_overrule_the_plan_of_a_format(document, word):
    made, stated = plan(declared("r", ["a", "b"]), **document)
    (told,) = stated.defects
    assert (told.kind, told.blocks) == ("manifest_conflict", True)
    assert word in told.what
    assert [task for task, *_ in draws(made)] == ["a", "b"]


def test_saying_the_same_as_the_format_is_no_contradiction():
    _, stated = plan(declared("r", ["a", "b"], 2), task_ids=["b", "a"], repeats=2, task_count=2)
    assert not stated.defects


@pytest.mark.parametrize("document", [{"task_ids": ["a", "b"]}, {"task_count": 4}])
def test_a_number_that_the_format_states_is_held_against_what_is_declared(document):
    _, stated = plan(undeclared("r", "only a number", 3), **document)
    assert [one.kind for one in stated.defects] == ["manifest_conflict"]
    assert "the format states 3" in stated.defects[0].what


def test_controls_that_are_declared_move_tasks_into_their_slice():
    controls = [{"task_id": "a", "expected": "fail"}, {"task_id": "z", "expected": "pass"}]
    made, _ = plan(declared("r", ["a", "b"]), controls=controls)
    assert set(draws(made)) == {
        ("a", 1, "negative", "must_fail"),
        ("b", 1, "solvable", ""),
        ("z", 1, "floor", "gold_must_pass"),
    }


def test_a_subset_narrows_the_plan_and_names_ids_that_it_lacks():
    stated = read_documents([])
    found = narrowed(declared("r", ["a", "b", "c"], 2), frozenset(("a", "x")), stated, "known.toml")
    assert [one.tasks for one in found.tasks] == [("a",)]
    assert found.declared_n == 2
    assert [(one.kind, one.keys) for one in stated.defects] == [("manifest_conflict", ("x",))]
