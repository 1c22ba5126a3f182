"""A sheet: what it asks, and the questions of one copy. The labels of the rules are in neither."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import PeopleWork, ReviewCopy, ReviewRow, ReviewSheet
from denominator.records.rows import AttemptRow
from denominator.review.choosing import HELD_OUT, asked, axes_asked, copies_of, drawn, pool_of
from denominator.review.evidence import facts_of, hints_of, patch_of, place_of
from denominator.review.words import allowed_values
from denominator.wire.canonical import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a sheet of. `seed` is of the contract unless a person named one."""

    axes: Sequence[str]
    selection: str = HELD_OUT
    share: int = 100
    seed: str
    seed_by: str = "contract"
    labelers: Sequence[str] = ("", "")


def make_sheet(
    wish: Wish,
    run_id: str,
    rows: Iterable[AttemptRow],
    labels: Iterable[Label],
    work: PeopleWork,
    house_reasons: Iterable[str] = (),
) -> ReviewSheet:
    """The sheet of a wish; the same rows, axes and seed give the same sheet."""
    axes = axes_asked(wish.axes)
    pool = pool_of(wish.selection, rows, labels, axes, work)
    found = asked(drawn(pool, wish.share, wish.seed), axes)
    allowed = allowed_values(house_reasons)
    sheet = ReviewSheet(
        id="",
        run_id=run_id,
        selection=wish.selection,
        blind=wish.selection == HELD_OUT,
        share=wish.share,
        pool=len(pool),
        seed=wish.seed,
        seed_by=wish.seed_by,
        axes=axes,
        allowed={axis: allowed[axis] for axis in axes},
        rows=found,
        copies=copies_of(found, wish.seed, wish.labelers),
    )
    return replace(sheet, id=sheet_id(sheet))


def sheet_id(sheet: ReviewSheet) -> str:
    """The digest of what is asked: run, rows, axes with their values, selection, seed."""
    rows = [[one.row, one.key.task_id, one.key.repeat, one.key.attempt, list(one.axes)] for one in sheet.rows]
    allowed = {axis: list(values) for axis, values in sheet.allowed.items()}
    drawing = [sheet.selection, sheet.share, sheet.pool, sheet.seed, sheet.seed_by]
    return digest([sheet.run_id, drawing, list(sheet.axes), allowed, rows])


def questions(
    sheet: ReviewSheet,
    copy: ReviewCopy,
    rows: Mapping[AttemptKey, AttemptRow],
    look: Callable[[AttemptKey], Iterable[str]],
) -> tuple[ReviewRow, ...]:
    """The questions of one copy in its order; `look` says where the evidence of a row lies."""
    by_name = {one.row: one for one in sheet.rows}
    found: list[ReviewRow] = []
    for name in copy.order:
        one = by_name[name]
        row = rows[one.key]
        known = (facts_of(row), patch_of(row), (*place_of(row), *look(one.key)), hints_of(row))
        for axis in one.axes:
            found.append(
                ReviewRow(
                    sheet=sheet.id,
                    copy=copy.name,
                    place=len(found) + 1,
                    row=name,
                    key=one.key,
                    axis=axis,
                    allowed=tuple(sheet.allowed[axis]),
                    facts=known[0],
                    patch=known[1],
                    look=known[2],
                    hints=known[3],
                )
            )
    return tuple(found)
