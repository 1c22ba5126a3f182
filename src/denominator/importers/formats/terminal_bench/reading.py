"""The rows of a run: its table first, then trial folders of which the table has no row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.foreign import at, foreign_row, pointed, readable_id
from denominator.importers.formats.terminal_bench.endings import BROKEN, KILLED
from denominator.importers.formats.terminal_bench.layout import MOST_NAMED, RESULTS, Place, holds, word
from denominator.importers.formats.terminal_bench.trials import Named, named, row_of
from denominator.importers.gathered import Gathered
from denominator.importers.members import member_in
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.wire.sources import Source, digest_of, loose_json

FOLDER = re.compile(r"\.[1-9][0-9]{0,8}-of-[1-9][0-9]{0,8}\.")


@dataclass(slots=True, kw_only=True)
class Reading:
    """A run while it is read. `planned` are its tasks (empty: nobody lists them), `attempts` how often each was to run."""

    run_id: str
    place: Place
    files: Source
    told: Told
    planned: frozenset[str] = frozenset()
    attempts: int | None = None
    own_id: str = ""
    seen: dict[tuple[str, int], str] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    flags: dict[tuple[str, int], bool | None] = field(default_factory=dict)
    tabled: dict[tuple[str, int], bool | None] = field(default_factory=dict)
    gathered: Gathered = field(default_factory=Gathered)
    others: dict[str, None] = field(default_factory=dict)
    odd: dict[str, list[str]] = field(default_factory=dict)

    def rows(self, results: Sequence[object]) -> Iterator[ForeignRow]:
        """Each draw once; what was odd is told when they are spent."""
        folders = self._folders()
        for index, one in enumerate(results):
            source = at(self.place.results, pointed("results", index), element=one)
            if not isinstance(one, dict):
                self.told.say("bad_row", source.file, "a trial that is no object")
                continue
            if row := self._take(one, source.file, source):
                yield row
        self.tabled = dict(self.flags)
        for key, folder in sorted(folders.items()):
            if (row := self._of_folder(key, folder)) is not None:
                yield row
        self._tell()

    def _take(self, one: Mapping[str, Any], where: str, source: Any) -> ForeignRow | None:
        task = readable_id(self.told, where, one.get("task_id"))
        if not task:
            return None
        said = named(word(one.get("trial_name")), task)
        repeat = said.repeat or 1 + self.last.get(task, 0)
        if (task, repeat) in self.seen:
            self._again(task, repeat, source.sha256, where)
            return None
        self._place(task, repeat, said)
        self.seen[task, repeat] = source.sha256
        self.last[task] = max(repeat, self.last.get(task, 0))
        flag = one.get("is_resolved")
        self.flags[task, repeat] = flag if isinstance(flag, bool) else None
        return row_of(self.run_id, task, repeat, bool(said.repeat), one, source, self.gathered)

    def _again(self, task: str, repeat: int, sha: str, where: str) -> None:
        if self.seen[task, repeat] == sha:
            self.told.say("duplicate_rows", where, "the same trial again, word for word: read once", task, blocks=False)
        else:
            self.told.say("conflicting_rows", where, f"another result of attempt {repeat}: the first one is kept", task)

    def _place(self, task: str, repeat: int, said: Named) -> None:
        """Does the trial belong to this run and its plan?"""
        if said.run and self.own_id and said.run != self.own_id:
            self.others[said.run] = None
        if self.planned and task not in self.planned:
            self.odd.setdefault("foreign_id", []).append(task)
        elif self.attempts is not None and repeat > self.attempts:
            self.odd.setdefault("beyond_plan", []).append(task)
        if said.of and self.attempts is not None and said.of != self.attempts:
            self.odd.setdefault("other_attempts", []).append(task)

    def _folders(self) -> dict[tuple[str, int], str]:
        """Trial folders of this run, by draw; those of runs that lie inside it are none of them."""
        root = f"{self.place.root}/" if self.place.root else ""
        inside = tuple(f"{one}/" for one in (*self.place.inside, *self.place.copies))
        found: dict[tuple[str, int], str] = {}
        for name in self.files.names():
            parts = name[len(root) :].split("/") if name.startswith(root) else []
            if len(parts) < 3 or not FOLDER.search(parts[1]) or (inside and name.startswith(inside)):
                continue
            if said := named(parts[1], parts[0]).repeat:
                found.setdefault((parts[0], said), f"{root}{parts[0]}/{parts[1]}")
        return found

    def _of_folder(self, key: tuple[str, int], folder: str) -> ForeignRow | None:
        """A trial folder: held against its row, or the only record of a trial that the table does not hold."""
        where = f"{folder}/{RESULTS}"
        there = holds(self.files, where)
        if key in self.seen:
            if there:
                self._compare(key, where)
            return None
        if not there:
            file = member_in(self.files, folder)
            self.told.files[file] = "a trial without a result"
            return self._bare(key, folder, KILLED, at(file, element=folder))
        self.told.files[where] = "rows"
        try:
            one = loose_json(self.files.read(where), where)
            if not isinstance(one, dict):
                raise InputError("is no JSON object", where=where)
        except InputError as error:
            self.told.say("broken_file", where, f"{error.what}; the trial keeps its place without a verdict", key[0])
            return self._bare(key, folder, BROKEN, at(where, element=folder))
        if self.place.results:
            self.told.say("only_in_folder", where, "the run's own table has no row of this trial", key[0], blocks=False)
        known = {"task_id": key[0], "trial_name": folder.rpartition("/")[2]}
        return self._take({**known, **one}, where, at(where, sha256=digest_of(self.files, where)))

    def _bare(self, key: tuple[str, int], folder: str, ending: Ending, source: Any) -> ForeignRow | None:
        if not (task := readable_id(self.told, folder, key[0])):
            return None
        name = folder.rpartition("/")[2]
        said = named(name, task)
        self._place(task, key[1], said)
        self.seen[key] = ""
        return foreign_row(
            self.run_id,
            ending,
            task,
            importer="terminal-bench",
            source=source,
            repeat=key[1],
            extra={"trial_name": name},
        )

    def _compare(self, key: tuple[str, int], where: str) -> None:
        """The trial's own file must say what the table says; it may be missing or damaged, for the table holds the row."""
        self.told.files[where] = "held against the table"
        try:
            one = loose_json(self.files.read(where), where)
        except InputError as error:
            self.told.say("broken_file", where, f"{error.what}; the run's table holds the trial", key[0], blocks=False)
            return
        flag = one.get("is_resolved") if isinstance(one, dict) else None
        if isinstance(one, dict) and (flag if isinstance(flag, bool) else None) is not self.flags.get(key):
            self.told.say("conflicting_rows", where, "is_resolved is not what the run's table says", key[0])

    def _tell(self) -> None:
        where = self.place.results or self.place.root or self.files.name
        self.gathered.tell(self.told)
        if not self.seen:
            self.told.say("no_rows", where, "the run holds no trial that can be read")
        words = {
            "foreign_id": "trials of tasks that the run did not schedule",
            "beyond_plan": "attempts beyond the number that the run scheduled",
            "other_attempts": "names of trials speak of another number of attempts than the run's metadata",
        }
        for kind, found in self.odd.items():
            self.told.say(kind, where, words[kind], *sorted(set(found))[:MOST_NAMED])
        if self.others:
            named_ = ", ".join(list(self.others)[:8])[:300]
            self.told.say("several_run_ids", where, f"trials of other runs stand in the table: {named_}")


def run_ids(results: Sequence[object]) -> set[str]:
    """The runs that the names of trials speak of."""
    rows = [one for one in results if isinstance(one, dict)]
    return {named(word(one.get("trial_name")), word(one.get("task_id"))).run for one in rows} - {""}
