"""What was promised before the run: ids, or only how many; strata and controls. Never rebuilt from surviving rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from denominator.importers.stated import ControlTask, Stated
from denominator.records.keys import DrawKey
from denominator.records.rows import AttemptRow, Declared, Defect
from denominator.records.values import NotMeasured
from denominator.records.words import Control, Slice
from denominator.wire.canonical import sorted_sha256

NO_IDS = NotMeasured("the manifest states how many tasks there are, not which")
NO_MANIFEST = NotMeasured("no manifest: what was scheduled cannot be rebuilt from the rows that survived")
NO_TASKS = NotMeasured("the manifest names no tasks: what was scheduled cannot be rebuilt from the rows that survived")
SLICES = {"positive": Slice.SOLVABLE, "control": Slice.NEGATIVE, **{word.value: word for word in Slice}}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a task belongs: slice, control, stratum."""

    slice: str = Slice.SOLVABLE
    control: str = ""
    stratum: str = ""


TYPED = {
    **{word.value: word.value for word in Control},
    "known_bad": Control.KNOWN_BAD_MUST_FAIL,
    "empty_patch": Control.EMPTY_PATCH_MUST_FAIL,
    "sentinel": Control.READ_ONLY_SENTINEL,
    "gold": Control.GOLD_MUST_PASS,
    "noop": Control.NOOP_MUST_STAY_GREEN,
}
"""Controls by type; what a house calls them for short is their type too."""
MUST_PASS = (Control.GOLD_MUST_PASS, Control.NOOP_MUST_STAY_GREEN, Control.FLOOR)
ENDS_GREEN = ("pass", "green")
ENDS_RED = ("fail", "fail_or_abstain", "red", "abstain")


def control_of(one: ControlTask) -> Place | None:
    """The typed control that a declared one amounts to; None when its expected outcome is no known word.

    A type in its role goes before the general word of its expected outcome, unless the two contradict each other.
    """
    typed = TYPED.get(one.role, "")
    against = ENDS_RED if typed in MUST_PASS else ENDS_GREEN
    if typed and (one.expected not in against or typed in (Control.READ_ONLY_SENTINEL, Control.CANARY)):
        ours = typed in (Control.GOLD_MUST_PASS, Control.FLOOR)
        return Place(Slice.CANARY if typed == Control.CANARY else Slice.FLOOR if ours else Slice.NEGATIVE, typed)
    if one.expected in ("pass", "green"):
        noop = one.role in ("noop", Control.NOOP_MUST_STAY_GREEN)
        return (
            Place(Slice.NEGATIVE, Control.NOOP_MUST_STAY_GREEN) if noop else Place(Slice.FLOOR, Control.GOLD_MUST_PASS)
        )
    if one.expected in ("fail", "fail_or_abstain", "red", "abstain"):
        return Place(Slice.NEGATIVE, Control.MUST_FAIL)
    if one.expected in (Control.MUST_ASK, Control.MUST_FAIL, Control.MUST_STAY_RED, Control.NOOP_MUST_STAY_GREEN):
        return Place(Slice.NEGATIVE, one.expected)
    return None


def declare(
    stated: Stated, places: Mapping[str, Place], seen: Iterable[str] = ()
) -> tuple[tuple[Declared, ...] | NotMeasured, int | NotMeasured]:
    """The declared draws, and how many they are where only the number is known.

    `seen` are the ids of the rows: where they are more than the number, and no more without the controls, the number
    is of the tasks and the controls stand beside it.
    """
    repeats = stated.repeats or 1
    if stated.task_ids is None:
        if stated.task_count is None:
            why = NO_TASKS if stated.files else NO_MANIFEST
            return why, why
        controls, ids = {task for task, place in places.items() if place.control}, set(seen)
        beside = len(controls) if len(ids) > stated.task_count >= len(ids - controls) else 0
        return NO_IDS, (stated.task_count + beside) * repeats
    draws = []
    for task_id in dict.fromkeys((*stated.task_ids, *stated.listed_controls)):
        place = places.get(task_id) or Place(stratum=stratum_of(task_id, stated.strata)[0])
        draws += [
            Declared(draw=DrawKey(task_id, k), slice=place.slice, control=place.control, stratum=place.stratum)
            for k in range(1, stated.draws.get(task_id, repeats) + 1)
        ]
    return tuple(draws), len(draws)


def placed_by_rows(rows: Iterable[AttemptRow]) -> dict[str, Place]:
    """Slice and control of the tasks that only their rows describe: a task is a control in every draw or in none.

    Rows that disagree make it the control: what somebody calls a control is in no rate.
    """
    found: dict[str, Place] = {}
    for row in rows:
        place = Place(row.slice, row.control, row.stratum)
        if row.key.task_id not in found or (place.control and not found[row.key.task_id].control):
            found[row.key.task_id] = place
    return found


def stratum_of(task_id: str, strata: Mapping[str, int]) -> tuple[str, bool]:
    """The stratum whose name begins the id, and whether more than one name does (then it belongs to none)."""
    fits = [name for name in strata if name and task_id.startswith(name)]
    return (fits[0], False) if len(fits) == 1 else ("", len(fits) > 1)


def size_defects(stated: Stated, seen: Iterable[str]) -> list[Defect]:
    """What the manifest says against itself; ids that fit several strata. The audit compares with what was observed."""
    where = stated.files[0] if stated.files else "rows"
    found = _declared_defects(stated, where)
    ids = sorted(set(seen))
    found += _digest_defects(stated, where, ids)
    unclear = tuple(one for one in ids if stratum_of(one, stated.strata)[1]) if stated.strata else ()
    if unclear:
        what = f"more than one stratum name begins these ids, so they belong to none: {', '.join(unclear[:20])}"
        found.append(Defect(kind="stratum_ambiguous", where=where, what=what, keys=unclear, blocks=False))
    return found


def _digest_defects(stated: Stated, where: str, seen: Sequence[str]) -> list[Defect]:
    """A digest of ids that nobody lists is held against the ids of the rows, where there are as many as declared."""
    if stated.ids_digest is None or stated.task_ids is not None:
        return []
    controls = {one.task_id for one in stated.controls or ()}
    sets = [ids for ids in ([*seen], [one for one in seen if one not in controls]) if len(ids) == stated.task_count]
    if not sets or stated.ids_digest.removeprefix("sha256:") in {sorted_sha256(ids) for ids in sets}:
        return []
    what = (
        f"the ids of the rows have digest {sorted_sha256(sets[0])}, not the one that was declared: other tasks were run"
    )
    return [Defect(kind="ids_digest_mismatch", where=where, what=what)]


def _declared_defects(stated: Stated, where: str) -> list[Defect]:
    found = []
    ids = stated.task_ids
    if ids is not None:
        twice = tuple(sorted(one for one, times in Counter(ids).items() if times > 1))
        if twice:
            found.append(
                Defect(kind="declared_twice", where=where, what=f"declared twice: {', '.join(twice)}", keys=twice)
            )
        if stated.task_count is not None and stated.task_count != len(set(ids)):
            what = f"task_count says {stated.task_count}, {len(set(ids))} ids are listed"
            found.append(Defect(kind="dataset_size_mismatch", where=where, what=what))
        if stated.ids_digest is not None and stated.ids_digest.removeprefix("sha256:") != (
            digest := sorted_sha256(ids)
        ):
            found.append(Defect(kind="ids_digest_mismatch", where=where, what=f"the listed ids have digest {digest}"))
    return found
