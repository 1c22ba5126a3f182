"""Rows under a scoring contract (METHODS M11): a pass is the conjunction of its clauses, and time is measured again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from denominator.importers import values
from denominator.importers.files import Parsed
from denominator.importers.narration import probed_tasks
from denominator.importers.raw import RawRow, json_text
from denominator.importers.stated import Stated
from denominator.importers.values import BadValueError
from denominator.records.rows import Defect
from denominator.wire.times import read_time

COLUMNS = {
    "tests_green": (("tests_green", "tests_pass", "green"), ("tests_red",)),
    "patch_applies": (("patch_applies", "patch_applied"), ("apply_error", "patch_apply_failed")),
    "no_forbidden_path": (("no_forbidden_path",), ("forbidden_path", "forbidden_path_touched")),
    "no_tamper": (("no_tamper",), ("tampered", "tamper")),
    "no_canary": (("no_canary",), ("canary_hit",)),
    "within_timeout": (("within_timeout",), ("timeout", "timed_out")),
    "not_abstain": (("not_abstain",), ("abstain", "abstained")),
}
"""Columns that state a clause, and columns that state its opposite."""
WALL: Mapping[str, Callable[[object], int]] = {
    "wall_seconds": values.seconds,
    "wall_s": values.seconds,
    "wall_clock_s": values.seconds,
    "seconds": values.seconds,
    "wall_ms": values.millis,
}
STARTS = ("started_at", "start")
Truths = dict[str, bool | None]


def states_clauses(rows: Sequence[RawRow]) -> bool:
    """Do these rows state the clauses of a pass one by one?"""
    return any("patch_applies" in row.value or "no_forbidden_path" in row.value for row in rows)


def by_contract(rows: Sequence[RawRow], stated: Stated) -> tuple[RawRow, ...]:
    """The rows with `task_pass` as the contract has it: every clause holds, and the time was not exceeded."""
    return tuple(_judged(row, stated) for row in rows) if stated.contract else tuple(rows)


def _judged(row: RawRow, stated: Stated) -> RawRow:
    changes: dict[str, object] = {}
    truths = clause_truths(row.value, stated)
    known = [truths[name] for name in stated.clauses]
    said = _flag(row.value.get("task_pass"))
    if False in known:
        changes["task_pass"] = False
    elif said is None and stated.needed and all(truths[name] for name in stated.needed):
        changes["task_pass"] = True
    if truths.get("within_timeout") is False and stated.timeout_ms is not None:
        changes |= {"timeout": True, "wall_cap": stated.timeout_ms // 1000}
    return row.with_values(**changes) if changes else row


def clause_truths(row: Mapping[str, object], stated: Stated) -> Truths:
    """Each clause of the contract with its truth; None where the row does not say it. Time is recomputed from the clock."""
    found = {name: _stated(row, name) for name in stated.clauses}
    wall = wall_ms(row)
    if "within_timeout" in found and wall is not None and stated.timeout_ms is not None:
        found["within_timeout"] = wall <= stated.timeout_ms
    elif "within_timeout" in found and found["within_timeout"] is True:
        found["within_timeout"] = None if "within_timeout" in stated.needed else True
    return found


def _stated(row: Mapping[str, object], clause: str) -> bool | None:
    """What the row's own columns say of a clause; one that denies it is believed before one that states it."""
    holds, denies = COLUMNS[clause]
    told = [flag for name in holds if (flag := _flag(row.get(name))) is not None]
    told += [not flag for name in denies if (flag := _flag(row.get(name))) is not None]
    return all(told) if told else None


def wall_ms(row: Mapping[str, object]) -> int | None:
    """The wall time that the row states, in milliseconds."""
    for name, read in WALL.items():
        if row.get(name) is not None:
            try:
                return read(row[name])
            except BadValueError:
                return None
    return None


def _flag(value: object) -> bool | None:
    try:
        return values.flag(value)
    except BadValueError:
        return None


def contract_defects(rows: Iterable[RawRow], stated: Stated, probes: Sequence[Parsed]) -> tuple[Defect, ...]:
    """What rows and probe do not keep of the contract; each blocks."""
    if not stated.contract:
        return ()
    listed = tuple(rows)
    found = [defect for row in listed for defect in _of_row(row, stated)]
    return (*found, *_twice(listed), *_of_probes(probes, stated))


def _twice(rows: Iterable[RawRow]) -> Iterable[Defect]:
    """Under a contract one event is one line: even the same bytes again are refused (METHODS M11)."""
    seen: dict[str, str] = {}
    for row in rows:
        place = json_text([row.value.get(name) for name in ("run_id", "task_id", "repeat", "seed", "attempt")])
        task = row.value.get("task_id")
        if isinstance(task, str) and (first := seen.setdefault(place, row.where)) != row.where:
            what = f"{task}: the event of {first} again"
            yield Defect(kind="duplicate_event", where=row.where, what=what, keys=(task,))


def _of_row(row: RawRow, stated: Stated) -> Iterable[Defect]:
    task = row.value.get("task_id", row.value.get("task", row.value.get("instance_id")))
    keys = (task,) if isinstance(task, str) else ()
    name = keys[0] if keys else row.where
    truths = clause_truths(row.value, stated)
    said = _flag(row.value.get("task_pass"))
    missing = [clause for clause in stated.needed or ("task_pass",) if truths.get(clause) is None]
    if missing and (said is None or not stated.one_word):
        what = f"{name}: no boolean for {', '.join(_column(clause) for clause in missing)}"
        yield Defect(kind="missing_clause", where=row.where, what=what, keys=keys)
    untimed = {clause: truth for clause, truth in truths.items() if clause != "within_timeout"}
    broken = [clause for clause, truth in untimed.items() if truth is False]
    if said is True and broken:
        what = f"{name}: task_pass is true and {', '.join(broken)} is false"
        yield Defect(kind="contradiction", where=row.where, what=what, keys=keys)
    holds = stated.needed and not broken and all(untimed[name] for name in stated.needed if name in untimed)
    if said is False and holds and truths.get("within_timeout") is not False:
        what = f"{name}: task_pass is false and every clause that the contract names holds"
        yield Defect(kind="contradiction", where=row.where, what=what, keys=keys)
    started = next((value for name in STARTS if isinstance(value := row.value.get(name), str)), "")
    if _before(started, stated.locked_at):
        what = f"{name}: started at {started[:40]}, before the contract was locked at {stated.locked_at[:40]}"
        yield Defect(kind="started_before_lock", where=row.where, what=what, keys=keys)


def _column(clause: str) -> str:
    """The column that would state a clause."""
    return "wall_seconds" if clause == "within_timeout" else clause


def _before(started: str, locked: str) -> bool:
    """Is one time before the other? Only where both can be read."""
    first, second = read_time(started), read_time(locked)
    return first is not None and second is not None and first < second


def _of_probes(probes: Sequence[Parsed], stated: Stated) -> Iterable[Defect]:
    """A probe of other tasks says nothing of these."""
    controls = {one.task_id for one in stated.controls or ()}
    tasks = set(stated.task_ids or ()) - controls
    for one in probes:
        probed = set(probed_tasks(one))
        if odd := sorted((tasks - probed) | (probed - tasks - controls)):
            what = f"the narration probe is of other tasks than the contract: {', '.join(odd[:20])}"
            yield Defect(kind="probe_of_other_tasks", where=one.name, what=what, keys=tuple(odd))
