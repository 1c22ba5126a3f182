"""Lines of a ledger whose kind was seen before, told without reading them as rows.

From a line msgspec decodes only what `kind_of` drops, or keeps no more than a class of: numbers, digests, lists, the place.
The pattern of a kind is a line of it with those left open. The first line was read strictly; a later one is of its kind when
the pattern, filled with what was decoded from that line, gives the line back to the byte. That proves what a second reading
would: the same keys, each once, and the same values but for the decoded ones, which have their type. So no line that is not
a row is taken for one, nor one that holds a key twice; any line in doubt is read as a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple
from zlib import adler32

from msgspec.structs import astuple

from denominator.pipeline.row_shells import (
    CLOSED,
    OPEN,
    HintShell,
    RepeatShell,
    row_decoder,
    whole,
)
from denominator.records.draws import ELSEWHERE, NUMBERS

MOST_PATTERNS = 8192
DAY = len('"2026-11-30')
SUMS, LOWER = 65521, 0xFFFF
"""The modulus of adler32, whose lower half adds up bytes wherever they stand."""
BESIDE = len(NUMBERS)
SHORT = len("[]")
CLOSED_LIST: tuple[str, Any] = ("", ())
ORDER = (
    "agent_ms", "seq", "grade_ms", "hints", "repeat", "task_id", "notes", "applied_tree", "base_tree", "bytes", "final_tree",
    "forbidden", "outside", "refused", "sha256", "touched", "paused_ms", "queue_wait_ms", "report_sha",
    "setup_ms", "line", "sha256", "started_at", "invented", "unchecked", "used",
    "expected", "failed", "missing", "other", "passed", "skipped", "time_to_first_green_ms", "calls",
    "repeats", "with_results", "cache_write", "cached_read", "calls", "completion", "prompt", "reasoning", "wall_ms", "words",
    "working_ms",
)  # fmt: skip
"""The keys of open values in the order in which a line holds them: sorted, as every line of ours is."""


_open = attrgetter(*OPEN)
Classes = tuple[object, ...]


class Told(NamedTuple):
    """What was decoded from a line: its place, the numbers beside its kind, its open values as text.

    `mould` is the same for lines of one pattern: the classes of the open values, and the length of everything else.
    """

    raw: bytes
    text: str
    task: str
    repeat: int
    numbers: list[int]
    open: list[str]
    joined: str
    mould: Classes


@dataclass(frozen=True, slots=True)
class Pattern:
    """A line in pieces, its open values being every second one, and the number of its kind."""

    pieces: list[str]
    kind: int


class LineKinds:
    """Patterns of lines, each with the number of its kind. `named` tasks are kinds of their own."""

    def __init__(self, named: frozenset[str], loop_n: int) -> None:
        self._named, self._loop_n = named, loop_n
        self._decode = row_decoder()
        self._moulds: dict[Classes, dict[int, list[Pattern]]] = {}
        self._held = 0

    def tell(self, raw: bytes) -> Told | None:
        """What the bytes of a line tell, or nothing: then it is an odd one, which only reading it as a row explains."""
        try:
            return self._told(raw, raw.decode(), self._decode(raw))
        except ValueError:
            return None

    def kind(self, told: Told) -> int | None:
        """The number of the kind of a line, where its pattern was seen before."""
        sums = self._moulds.get(told.mould)
        if sums is None:
            return None
        patterns = next(iter(sums.values())) if len(sums) == 1 else sums.get(_sum(told), ())
        for pattern in patterns:
            pieces = pattern.pieces.copy()
            pieces[1::2] = told.open
            if "".join(pieces) == told.text:
                return pattern.kind
        return None

    def learn(self, told: Told, kind: int) -> None:
        """Remember the pattern of a line that was read as a row, in bounded memory."""
        pieces, at = [], 0
        for name, value in zip(ORDER, told.open, strict=True):
            start = told.text.find(f'"{name}":{value}', at) + len(name) + 3 if value else at
            if start < at:
                return
            pieces += [told.text[at:start], value]
            at = start + len(value)
        if self._held >= MOST_PATTERNS:
            self._moulds.clear()
            self._held = 0
        self._held += 1
        self._moulds.setdefault(told.mould, {}).setdefault(_sum(told), []).append(
            Pattern([*pieces, told.text[at:]], kind)
        )

    def _told(self, raw: bytes, text: str, row: Any) -> Told:
        (
            agent, failure, grade, hints, key, notes, patch, paused, queue, report, setup, source, started,
            surfaces, tests, green, tools, usage, wall, words, working,
        ) = _open(row)  # fmt: skip
        if key is None:
            raise ValueError
        applied, base, size, final, forbidden, outside, refused, sha, touched = astuple(patch)
        calls, repeats, results = astuple(tools)
        written, cached, asked, completion, prompted, reasoning = astuple(usage)
        numbers = (
            queue, setup, agent, grade, wall, green, prompted, completion, asked, size, paused, working, calls, results,
            surfaces.used, source.line, CLOSED if failure is None else failure.seq, written, cached, reasoning,
        )  # fmt: skip
        (
            t_queue, t_setup, t_agent, t_grade, t_wall, t_green, t_prompted, t_completion, t_asked, t_size, t_paused,
            t_working, t_calls, t_results, t_used, t_line, t_seq, t_written, t_cached, t_reasoning,
        ) = [str(one) if one.__class__ is int and one else "" for one in numbers]  # fmt: skip
        texts = (applied, base, final, sha, report, source.sha256, started)
        t_applied, t_base, t_final, t_sha, t_report, t_source, t_started = [
            f'"{one}"' if one.__class__ is str and one else "" for one in texts
        ]
        expected, red, missing, other, passed, skipped = astuple(tests)
        lists = (
            forbidden, outside, refused, touched, surfaces.invented, surfaces.unchecked, expected, red, missing, other,
            passed, skipped,
        )  # fmt: skip
        (
            t_forbidden, t_outside, t_refused, t_touched, t_invented, t_unchecked, t_expected, t_red, t_missing, t_other,
            t_passed, t_skipped,
        ) = ['["' + '","'.join(one) + '"]' if one else "" for one in lists]  # fmt: skip
        t_hints, of_hints = CLOSED_LIST if len(hints) <= SHORT else _of_hints(bytes(hints))
        t_words = "" if len(words) <= SHORT else _of_hints(bytes(words))[0]
        t_notes = "" if len(notes) <= SHORT else _of_notes(bytes(notes))
        t_repeats, loops = CLOSED_LIST if len(repeats) <= SHORT else _of_repeats(bytes(repeats), self._loop_n)
        task = key.task_id
        open_ = [
            t_agent, t_seq, t_grade, t_hints, str(key.repeat), f'"{task}"', t_notes, t_applied, t_base, t_size, t_final,
            t_forbidden, t_outside, t_refused, t_sha, t_touched, t_paused, t_queue, t_report, t_setup, t_line,
            t_source, t_started, t_invented, t_unchecked, t_used,
            t_expected, t_red, t_missing, t_other, t_passed, t_skipped, t_green, t_calls, t_repeats, t_results,
            t_written, t_cached, t_asked, t_completion, t_prompted, t_reasoning, t_wall, t_words, t_working,
        ]  # fmt: skip
        joined = "".join(open_)
        mould = (
            bool(t_paused and t_working and paused > working), base == final, t_started[1:DAY],
            expected == passed or set(expected) == set(passed), of_hints,
            loops, task if task in self._named else "", len(text) - len(joined),
        )  # fmt: skip
        beside = [one if one.__class__ is int else ELSEWHERE for one in numbers[:BESIDE]]
        return Told(raw, text, task, key.repeat, beside, open_, joined, mould)


def _of_hints(raw: bytes) -> tuple[str, Classes]:
    """Hints as text, and of each its cause, family, writer and stream."""
    found = whole(list[HintShell], raw)
    return raw.decode(), tuple((one.cause, one.family, one.writer, one.stream) for one in found)


def _of_notes(raw: bytes) -> str:
    whole(list[str], raw)
    return raw.decode()


def _of_repeats(raw: bytes, loop_n: int) -> tuple[str, bool]:
    """What repeats as text, and whether it does so often enough to be a loop."""
    return raw.decode(), any(one.times >= loop_n for one in whole(list[RepeatShell], raw))


def _sum(told: Told) -> int:
    """The sum of all bytes of a line but the open ones."""
    return ((adler32(told.raw) & LOWER) - (adler32(told.joined.encode()) & LOWER)) % SUMS
