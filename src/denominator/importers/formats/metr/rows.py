"""Runs of one alias as rows, and other revisions of the file held against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import blake2b
from typing import Any, NamedTuple

from denominator.importers.foreign import at, foreign_row, readable_id
from denominator.importers.formats.metr.endings import ending_of
from denominator.importers.formats.metr.revisions import Other, lines_of_alias, others_of
from denominator.importers.formats.metr.survey import PEOPLE
from denominator.importers.measured import count_or, millis_or, moment_or, plain_scalars, spent_or
from denominator.records.foreign import ForeignRow, Told
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured, counted
from denominator.wire.sources import Source
from denominator.wire.sources.loose import Line

SAID = ("alias", "model", "score", "score_cont", "score_binarized")
"""Fields that two revisions of a file must not say differently of one run."""
MOVES = frozenset(("alias", "score_binarized"))
NO_CLOCK = "started_at and completed_at are no times of one run"
NO_TOKENS = "METR's total_tokens is null for models, and computed from money for people"
FEW = 20


class Reading(NamedTuple):
    """Which runs are read: the name of the run, the file, the alias, and other revisions of the file."""

    run_id: str
    file: str
    alias: str
    others: tuple[str, ...]


@dataclass(slots=True)
class Seen:
    """What has come up so far: repeats of each task, what each run id said (a digest of each), runs over their limit.

    `whole` keeps what was said itself, which only other revisions of the file need.
    """

    repeats: Counter[str] = field(default_factory=Counter)
    said: dict[int, int] = field(default_factory=dict)
    whole: dict[int, tuple[str, tuple[str, ...]]] | None = None
    over: int = 0


def rows_of(files: Source, reading: Reading, told: Told) -> Iterator[ForeignRow]:
    """One row for each run of the alias."""
    seen = Seen(whole={} if reading.others else None)
    for line in lines_of_alias(files, reading.file, reading.alias):
        if not isinstance(line.value, dict) or not isinstance(line.value.get("alias"), str):
            kind = "torn_tail" if line.torn else "bad_line"
            what = line.fault or "names no alias"
            told.say(kind, f"{reading.file}:{line.number}", what, blocks=not line.torn)
        elif line.value["alias"] == reading.alias:
            yield from _row(reading, line, seen, told)
    _tell(reading, seen, told)
    for other in reading.others:
        _hold(files, other, reading, seen, told)


def _row(reading: Reading, line: Line, seen: Seen, told: Told) -> Iterator[ForeignRow]:
    row, where = line.value, f"{reading.file}:{line.number}"
    if not (task := readable_id(told, where, row.get("task_id"))) or _again(row, task, where, seen, told):
        return
    ending = ending_of(row)
    if ending is None:
        what = f"{str(row.get('score_binarized'))[:40]} with {str(row.get('fatal_error_from'))[:40]!r} is on no line"
        told.say("unknown_ending", where, f"{task}: {what}", task)
    seen.repeats[task] += 1
    yield foreign_row(
        reading.run_id, ending, task, importer="metr", source=at(reading.file, line=line.number, sha256=line.sha256),
        repeat=seen.repeats[task], numbered=False, stratum=_family(row), extra=plain_scalars(row, "task_id", "alias"),
        **_clock(row, reading.alias, seen), **_usage(row, reading.alias),
    )  # fmt: skip


def _again(row: Mapping[str, Any], task: str, where: str, seen: Seen, told: Told) -> bool:
    """Is it a run id that was read before? The first one counts."""
    run, said = _short(row.get("run_id")), (task, _said(row))
    if run not in seen.said:
        seen.said[run] = _short(said)
        if seen.whole is not None:
            seen.whole[run] = said
        return False
    same = seen.said[run] == _short(said)
    kind, what = ("duplicate_rows", "again") if same else ("conflicting_rows", "again, and differs")
    name = str(row.get("run_id"))[:80]
    told.say(kind, where, f"run {name} stands {what}; the first one counts", task, blocks=not same)
    return True


def _short(value: object) -> int:
    """64 bits of a digest: a file may hold millions of runs. Numbers and texts are told apart."""
    return int.from_bytes(blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _said(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_text(row.get(name)) for name in SAID)


def _text(value: object) -> str:
    """By value: 0.50 is 0.5."""
    return str(value.normalize() if isinstance(value, Decimal) else value)[:200]


def _family(row: Mapping[str, Any]) -> str:
    family = row.get("task_family")
    return family[:200] if isinstance(family, str) else ""


def _clock(row: Mapping[str, Any], alias: str, seen: Seen) -> dict[str, Any]:
    started, ended = count_or(row.get("started_at"), NO_CLOCK), count_or(row.get("completed_at"), NO_CLOCK)
    known = isinstance(started, int) and isinstance(ended, int) and ended >= started
    wall = millis_or(ended - started, NO_CLOCK) if known else NotMeasured(NO_CLOCK)  # type: ignore[operator]
    limit = count_or(row.get("time_limit"), "no time limit")
    if isinstance(wall, int) and isinstance(limit, int) and 0 < 1000 * limit < wall:
        seen.over += 1
    return {"wall_ms": wall, "started_at": moment_or(row.get("started_at") if alias != PEOPLE else 0, NO_CLOCK)}


def _usage(row: Mapping[str, Any], alias: str) -> dict[str, Any]:
    """A total alone; which of it was asked and which answered is not recorded."""
    total = NotMeasured(NO_TOKENS) if alias == PEOPLE else spent_or(row.get("total_tokens"), NO_TOKENS)
    why = NO_TOKENS if isinstance(total, NotMeasured) else f"only a total of {total} tokens is recorded"
    return {"usage": Usage(prompt=NotMeasured(why), completion=NotMeasured(why))}


def _other(row: Mapping[str, Any]) -> Other:
    return Other(_short(row.get("run_id")), row.get("alias"), _said(row))


def _tell(reading: Reading, seen: Seen, told: Told) -> None:
    if reading.alias == PEOPLE:
        told.say("human_rows", reading.file, "the rows are runs of people, not of an agent", blocks=False)
    if seen.repeats:
        few, many = min(seen.repeats.values()), max(seen.repeats.values())
        told.notes.append(f"runs of one task are its repeats, in the order of the file: from {few} to {many} a task")
    if seen.over:
        what = "lasted longer than the time_limit, which therefore is no limit on the wall clock"
        told.notes.append(f"{counted(seen.over, 'run')} {what}")


def _hold(files: Source, other: str, reading: Reading, seen: Seen, told: Told) -> None:
    """The same run ids in another revision of the file."""
    differ: Counter[str] = Counter()
    tasks: dict[str, None] = {}
    both = more = 0
    for run, alias, said in others_of(files, other, _other):
        if (mine := (seen.whole or {}).get(run)) is None:
            more += alias == reading.alias
            continue
        both += 1
        fields = [name for name, here, there in zip(SAID, mine[1], said, strict=True) if here != there]
        differ.update(fields)
        if MOVES & set(fields) and len(tasks) < FEW:
            tasks[mine[0]] = None
    if differ or more or both < len(seen.said):
        counts = "".join(f", {count} with another {name}" for name, count in sorted(differ.items()))
        what = f"{both} of {len(seen.said)} runs stand in another revision too{counts}; {more} stand only there"
        told.say("revisions_differ", other, what, *tasks, blocks=bool(MOVES & set(differ)))
