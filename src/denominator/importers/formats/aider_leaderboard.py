"""Tables of aider's leaderboards: YAML lists with one entry a run, and no rows.

What is read: every list whose entries have `dirname` and `pass_rate_1` (polyglot, edit, refactor, quant, architect ...). Each entry
is a part, called by its `dirname`, with the model behind it where several entries have one, and the file before it where that is
not enough: two tables may print one run.

Traps:
- There is not one row of any exercise. What is printed can be held against itself, and no rate can be made of it.
- `pass_rate_K` is a percent of `test_cases`, the exercises that came to a result, not of `total_tests`; some entries print a
  percent of the other, and some one of neither. `test_cases` below `total_tests` says that exercises are missing.
- `pass_num_K` and `total_tests` are absent in older entries: then nobody says how many exercises were scheduled, nor whether a
  percent is of `test_cases` or of all. 71.4 beside 132 is no count out of 132; out of 133, which other entries of that table
  ran, it is 95.
- `commit_hash` may name several commits ("a, b"): the run was continued with another version. `-dirty` was no commit at all.
- `total_cost` 0 says that no price was known. Token counts of 0 say the same.
- Percents have one digit behind the point and lose more where YAML reads them as binary fractions; here they stay text.
- `command` may hold an address or a key of whoever ran it.

What was done: an entry is a run without rows. The scheduled number is `total_tests`, else it is not known: `test_cases` counts what
came to a result. The ids are never known. All that is printed is *published*, digit for digit, with the word of what it is a
share of where both numbers are printed; the missing counts are told. Several commits and missing exercises block. `command` is
not carried over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.importers.foreign import chosen, undeclared
from denominator.records.declarations import Declaration
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Published, Recognition, Told
from denominator.wire.sources import Source, loose_yaml, remembered

ENDINGS_OF_FILES = (".yml", ".yaml")
LOOKED_AT, MOST = 1 << 16, 4 << 20
NO_TOTAL = "the entry prints no total_tests, and test_cases are the exercises that came to a result"
NO_ROWS = "a leaderboard prints sums of its runs and no result of any exercise"
DIRTY = "-dirty"
CASES, TOTAL = "test_cases", "total_tests"
OF_CASES = ("pass_num_1", "pass_num_2", "num_with_malformed_responses")
"""Counts of exercises; others count outputs and tries, of which one exercise may have several."""
COUNTS = {
    TOTAL: "scheduled", CASES: "completed", "pass_num_1": "passed", "pass_num_2": "passed", "error_outputs": "other",
    "test_timeouts": "errors", "exhausted_context_windows": "errors", "num_with_malformed_responses": "other",
}  # fmt: skip
PERCENTS = {"pass_rate_1": "rate", "pass_rate_2": "rate", "percent_cases_well_formed": "other"}
CONDITIONS = {"model": "model_id", "edit_format": "edit_format", "versions": "agent_version"}
CONDITIONS |= {name: name for name in ("editor_model", "editor_edit_format", "reasoning_effort")}


class Entry(NamedTuple):
    """One entry of a table: the file and the place in it."""

    file: str
    at: int
    table: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A value as it is printed; "" where there is none."""
        value = self.table.get(name)
        if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
            return ""
        return (format(value, "f") if isinstance(value, Decimal) else str(value)).strip()[:200]

    def number(self, name: str) -> str:
        """A number from 0 as it is printed; "" where none is."""
        text = self.text(name)
        return text if text.replace(".", "", 1).isdecimal() and text.isascii() and text[-1:] != "." else ""

    def whole(self, name: str) -> int | None:
        """A whole number from 0."""
        text = self.number(name)
        return int(text) if text.isdecimal() else None


class AiderLeaderboard:
    """YAML tables of runs."""

    name = "aider-leaderboard"
    title = "aider leaderboards: YAML lists of runs, without rows"
    endings: tuple[Ending, ...] = ()
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "aider leaderboards print a name of the model, not what answered",
        "harness_version": "aider leaderboards name versions of aider, not of its benchmark",
        "scoring_script_sha256": "aider leaderboards record no digest of the tests",
        "env_image_digest": "aider leaderboards record no image",
        "temperature": "aider leaderboards record no sampling parameters",
        "seed": "aider leaderboards record no seed",
        "max_output_tokens": "aider leaderboards record no limit on tokens",
        "budget_tokens_per_task": "aider leaderboards record no limit on tokens",
        "wall_cap_s": "aider leaderboards record no limit on time",
        "retry_policy": "aider leaderboards do not say how often a run was continued",
        "network": "aider leaderboards do not say whether there was a network",
        "task_slice_sha256": "aider leaderboards name no exercises",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """YAML lists with the two keys."""
        parts = tuple(Part(name=name, title=_title(entry)) for name, entry in _entries(files).items())
        if not parts:
            return None
        return Recognition(why="YAML lists of runs with dirname and pass_rate_1", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The entry of one run."""
        entries = _entries(files)
        name = chosen([Part(name=one) for one in entries], part, files.name).name
        entry, told = entries[name], Told()
        told.files[entry.file] = "printed numbers"
        told.published.extend(_published(entry))
        _tell(entry, told)
        return ForeignRun(
            name=name,
            arm=entry.text("model"),
            document={"run_id": name, "name": entry.file, "agent_id": "aider", "harness_name": "aider benchmark"}
            | {word: text for key, word in CONDITIONS.items() if (text := entry.text(key))}
            | ({"harness_commit": commit} if (commit := _commit(entry)) else {}),
            declared=_declared(name, entry),
            rows=_no_rows(),
            told=told,
            unknown={} if commit else {"harness_commit": _no_commit(entry)},
        )


def _no_rows() -> Iterator[ForeignRow]:
    yield from ()


MAKES: tuple[Callable[[Entry], str], ...] = (
    lambda one: one.text("dirname"),
    lambda one: f"{one.text('dirname')} {one.text('model')}",
    lambda one: f"{one.file}/{one.text('dirname')}",
    lambda one: f"{one.file}/{one.text('dirname')} {one.text('model')}",
    lambda one: f"{one.file}#{one.at}",
)
"""Names of an entry, the shortest first; the last one is always its own."""


def _entries(files: Source) -> dict[str, Entry]:
    """Every entry by the shortest name that is its own."""
    return remembered(files, _entries, lambda: _by_name(files))


def _by_name(files: Source) -> dict[str, Entry]:
    found = [one for file in files.names() if file.endswith(ENDINGS_OF_FILES) for one in _of_file(files, file)]
    names: dict[int, str] = {}
    for make in MAKES:
        often = Counter(map(make, found))
        for at, one in enumerate(found):
            if often[make(one)] == 1:
                names.setdefault(at, make(one))
    return {names[at]: one for at, one in enumerate(found)}


def _of_file(files: Source, file: str) -> Iterator[Entry]:
    """The entries of one file; nothing where it is something else."""
    try:
        if files.size(file) > MOST:
            return
        with files.open(file) as stream:
            if b"dirname:" not in stream.read(LOOKED_AT):
                return
        table = loose_yaml(files.read(file, MOST), file, [])
    except InputError:
        return
    for at, one in enumerate(table if isinstance(table, list) else ()):
        if isinstance(one, dict) and "pass_rate_1" in one:
            entry = Entry(file, at, one)
            if entry.text("dirname"):
                yield entry


def _title(entry: Entry) -> str:
    return f"{entry.text('model')}, {entry.text('edit_format')} ({entry.file})"


def _declared(name: str, entry: Entry) -> Declaration:
    return undeclared(name, NO_TOTAL, entry.whole(TOTAL))


def _published(entry: Entry) -> Iterator[Published]:
    """Everything that counts something, as it is printed."""
    where, share_of = f"{entry.file}#/{entry.at}", "" if entry.whole(TOTAL) is None else CASES
    for key, role in COUNTS.items():
        if text := entry.number(key):
            of = CASES if key in OF_CASES else ""
            yield Published(metric=key, value=text, unit="count", role=role, of=of, where=f"{where}/{key}")
    for key, role in PERCENTS.items():
        if text := entry.number(key):
            yield Published(
                metric=key, value=text, unit="percent", role=role, of=share_of, where=f"{where}/{key}", unit_of="draws"
            )
    if (text := entry.number("total_cost")) and Decimal(text):
        yield Published(metric="total_cost", value=text, unit="usd", role="cost", where=f"{where}/total_cost")


def _commit(entry: Entry) -> str:
    text = entry.text("commit_hash")
    return "" if "," in text or text.endswith(DIRTY) else text


def _no_commit(entry: Entry) -> str:
    text = entry.text("commit_hash")
    if not text:
        return "the entry names no commit"
    return f"the run was made with several commits ({text})" if "," in text else f"aider was changed ({text})"


def _tell(entry: Entry, told: Told) -> None:
    """What is missing from an entry and what contradicts itself."""
    where, name = f"{entry.file}#/{entry.at}", entry.text("dirname")
    told.say("no_rows", where, f"{name}: {NO_ROWS}")
    cases, total = entry.whole(CASES), entry.whole(TOTAL)
    if "," in entry.text("commit_hash"):
        told.say("mixed_commit_hash", where, f"one run, several commits: {entry.text('commit_hash')}")
    if DIRTY in entry.text("commit_hash"):
        told.say("dirty_commit", where, "aider was changed and not committed when the run was made", blocks=False)
    if cases is not None and total is not None and cases != total:
        told.say("partial_run", where, f"{cases} of {total} exercises came to a result")
    if cases is None and total is None:
        told.say("no_size", where, "neither test_cases nor total_tests is printed")
    for k in ("1", "2"):
        rate, passed = entry.number(f"pass_rate_{k}"), entry.whole(f"pass_num_{k}")
        if rate and passed is None:
            told.notes.append(f"pass_num_{k} is not printed: of which count {rate} percent was made is not known")
        if passed is not None and cases is not None and passed > cases:
            told.say("contradiction", where, f"pass_num_{k} is {passed} and test_cases {cases}")
    if not (cost := entry.number("total_cost")) or not Decimal(cost):
        told.notes.append("total_cost is 0 or absent: what the run cost is not known")
    if date := entry.text("date"):
        told.notes.append(f"the entry is dated {date}")
    if not entry.text("pass_rate_2"):
        told.notes.append("pass_rate_2 is not printed: one try, or the table shows the first alone")


IMPORTER = AiderLeaderboard()
