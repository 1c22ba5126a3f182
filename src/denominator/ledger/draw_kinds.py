"""Kinds of draws: what was declared of a draw, with the kinds of its rows. Draws of one kind are judged once.

A draw with one row at most has a code, `place * width + kind + 1`, that is made for all such draws in one go; draws with
several rows are few and have codes below 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from operator import add

from denominator.ledger.slots import Slots
from denominator.records.names import NONE
from denominator.records.rows import AttemptRow

Said = tuple[str, str, str]
"""Slice, control and stratum of a draw."""


def draw_kinds(
    slots: Slots, row_kind: array[int], rows: Sequence[AttemptRow], one: array[int], several: Mapping[int, Sequence[int]],
    listed: bool, make: Callable[[Said, Sequence[int]], int],
) -> array[int]:  # fmt: skip
    """The kind of every draw, as `make` numbers it when it is given slice, control, stratum and the kinds of the rows.

    `rows` are the kinds of rows, `row_kind` says of which each row is, `one` is the row of every slot; slots in `several`
    have those instead. Where nobody `listed` the draws, the first row says what a draw is.
    """
    told = [(row.slice, row.control, row.stratum) for row in rows]
    places = slots.said if listed else list(dict.fromkeys(told))
    width = len(rows) + 1
    of_slot = array("i", map((row_kind + array("i", [NONE])).__getitem__, one))
    if listed:
        # Of a slot without a row the kind is NONE, which is -1.
        begins = slots.spread("q", range(1, width * len(places) + 1, width))
        codes = array("q", map(add, begins, of_slot))
    else:
        of_kind = [places.index(place) * width + at + 1 for at, place in enumerate(told)]
        codes = array("q", map(of_kind.__getitem__, of_slot))
    crowded: dict[tuple[int, ...], int] = {}
    for slot, found in several.items():
        kinds = [row_kind[at] for at in found]
        place = slots.code[slot] if listed else places.index(told[kinds[0]])
        alone = place * width + kinds[0] + 1
        codes[slot] = alone if len(kinds) == 1 else -1 - crowded.setdefault((place, *kinds), len(crowded))
    keys = list(crowded)
    # A number for every code; those of several rows stand at its end, where codes below 0 point.
    number = [0] * (width * len(places) + len(keys))
    for code in dict.fromkeys(codes):
        place, *kinds = keys[-1 - code] if code < 0 else divmod(code, width)
        number[code] = make(places[place], kinds if code < 0 else [kind - 1 for kind in kinds if kind])
    return array("i", map(number.__getitem__, codes))
