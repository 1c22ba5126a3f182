"""What a plan promises: ids once each, in order, and those that it names twice."""

from __future__ import annotations

import time

from denominator.importers.foreign import declared
from denominator.records.foreign import Told


def test_ids_that_stand_twice_count_once_and_are_told():
    told = Told()
    found = declared("r", ("b", "a", "b", "c", "a"), 2, told=told, where="plan.json")
    assert (found.declared_n, found.tasks[0].tasks) == (6, ("b", "a", "c"))
    (defect,) = told.defects
    assert (defect.kind, defect.where, defect.keys, defect.blocks) == ("declared_twice", "plan.json", ("a", "b"), False)


def test_a_plan_of_many_duplicates_is_read_in_one_pass():
    ids = [f"t{number // 2}" for number in range(100_000)]
    began = time.process_time()
    assert declared("r", ids, told=Told()).declared_n == 50_000
    assert time.process_time() - began < 10
