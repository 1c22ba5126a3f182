"""What many rows have in common is said once."""

from __future__ import annotations

from denominator.importers.gathered import MOST_NAMED, Gathered
from denominator.records.foreign import Told


def test_one_sentence_of_one_kind_is_one_defect_with_its_tasks_and_their_number():
    odd, told = Gathered(), Told()
    for number in range(50):
        odd.say("odd", f"file{number}", "it is odd", f"t{number:02}")
    odd.say("odd", "other", "it is odd", "z", blocks=False)
    odd.tell(told)
    many, single = told.defects
    assert (many.where, many.what, many.keys, many.blocks) == (
        "file0", "it is odd (50 rows)", tuple(f"t{n:02}" for n in range(MOST_NAMED)), True,
    )  # fmt: skip
    assert (single.what, single.keys, single.blocks) == ("it is odd", ("z",), False)
