"""Kinds of draws: what was declared of a draw, with the kinds of its rows. Draws of one kind are judged once.

A draw with one row at most has a code, `place * width + kind + 1`, that is made for all such draws in one go; draws with
several rows are few and have codes above these.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence

from denominator.ledger.slots import Slots
from denominator.records.column_work import WORK, Work
from denominator.records.names import NONE
from denominator.records.rows import AttemptRow

Said = tuple[str, str, str]
"""Slice, control and stratum of a draw."""


def draw_kinds(
    slots: Slots, row_kind: array[int], rows: Sequence[AttemptRow], one: array[int], several: Mapping[int, Sequence[int]],
    listed: bool, make: Callable[[Said, Sequence[int]], int], work: Work = WORK,
) -> array[int]:  # fmt: skip
    """The kind of every draw, as `make` numbers it when it is given slice, control, stratum and the kinds of the rows.

    `rows` are the kinds of rows, `row_kind` says of which each row is, `one` is the row of every slot; slots in `several`
    have those instead. Where nobody `listed` the draws, the first row says what a draw is.
    """
    told = [(row.slice, row.control, row.stratum) for row in rows]
    places = slots.said if listed else list(dict.fromkeys(told))
    width = len(rows) + 1
    of_slot = work.picked_or(row_kind, one, NONE)
    if listed:
        # Of a slot without a row the kind is NONE, which is -1.
        begins = slots.spread("q", range(1, width * len(places) + 1, width))
        codes = work.changeable(work.added(begins, of_slot))
    else:
        of_kind = [places.index(place) * width + at + 1 for at, place in enumerate(told)]
        codes = work.changeable(work.of_codes(of_kind, of_slot))
    crowded: dict[tuple[int, ...], int] = {}
    crowds = width * len(places)
    for slot, found in several.items():
        of_rows = tuple(map(row_kind.__getitem__, found))
        place = slots.code[slot] if listed else places.index(told[of_rows[0]])
        alone = place * width + of_rows[0] + 1
        codes[slot] = alone if len(of_rows) == 1 else crowds + crowded.setdefault((place, *of_rows), len(crowded))
    keys = list(crowded)
    number = [0] * (crowds + len(keys))
    for code in work.distinct(codes):
        place, *kinds = divmod(code, width) if code < crowds else keys[code - crowds]
        number[code] = make(places[place], [kind - 1 for kind in kinds if kind] if code < crowds else kinds)
    return work.narrow(work.of_codes(number, codes))
