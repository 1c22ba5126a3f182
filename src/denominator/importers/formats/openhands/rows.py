"""The rows of a run: every attempt, with the verdict on the one that was handed in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from denominator.importers.agentruns import NAMED, handed, table_of
from denominator.importers.foreign import at, foreign_row, readable_id
from denominator.importers.formats.openhands import endings
from denominator.importers.formats.openhands.folder import ERRORS, OLD, OUTPUT, Folder
from denominator.importers.formats.openhands.lines import Row, Verdict, row_of, unpriced, verdict_of
from denominator.importers.formats.openhands.reports import Beside
from denominator.importers.swebench import endings as graded
from denominator.importers.swebench.instances import Case, found_of
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source, loose_lines

NAME = "openhands"
NO_PATCH = NotMeasured("the row holds no patch")


class Chosen(NamedTuple):
    """The row that was handed in: the attempt that it names, and the digest of its patch."""

    attempt: int
    sha256: str


@dataclass(slots=True)
class Rows:
    """Reads the files in order.

    `seen` are the attempts that have a row, each with the digest of the first one; `matched` are the ids of which the row that
    was handed in was found.
    """

    name: str
    files: Source
    folder: Folder
    beside: Beside
    told: Told
    chosen: dict[str, Chosen] = field(default_factory=dict)
    old: dict[str, Verdict] = field(default_factory=dict)
    seen: dict[str, dict[int, str]] = field(default_factory=dict)
    matched: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    ungraded: list[str] = field(default_factory=list)
    unpriced: list[str] = field(default_factory=list)
    completed: set[str] = field(default_factory=set)
    later: list[str] = field(default_factory=list)
    only_later: int = 0

    def every(self) -> Iterator[ForeignRow]:
        """All attempts: the attempt files, then what only the output, the errors, or an older evaluation hold."""
        self._look()
        for number, name in sorted(self.folder.attempts.items()):
            self.told.files[name] = f"attempt {number}"
            yield from self._file(name, number)
        for last, role in ((OUTPUT, "rows that were handed in"), (ERRORS, "rows with errors"), (OLD, "an evaluation")):
            if name := self.folder.of(last):
                self.told.files[name] = role
                if last != OUTPUT or self._more_in(name):
                    yield from self._file(name, None)
        self._tell()

    def _more_in(self, name: str) -> bool:
        """Does the output hold anything that is broken, or that no attempt file has? It was read once already."""
        if not self.folder.attempts or name in self.broken:
            return True
        return any(self._is_new(task, name) for task in self.chosen)

    def _look(self) -> None:
        """Which attempt was handed in, and what an older evaluation says."""
        if name := self.folder.of(OUTPUT):
            for task, value, where in self._values(name):
                patch = handed(table_of(value, "test_result").get("git_patch"))
                stated = value.get("attempt")
                number = stated if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0 else 1
                one = Chosen(number, patch.facts.sha256 if patch is not None else "")
                if self.chosen.setdefault(task, one) != one:
                    self.told.say("duplicate_output", where, f"{task} was handed in twice, as two things", task)
        if name := self.folder.of(OLD):
            for task, value, where in self._values(name):
                verdict = verdict_of(table_of(value, "test_result"), task, where, self.told)
                if verdict is not None and self.old.setdefault(task, verdict) != verdict:
                    self.told.say("conflicting_gradings", where, f"{task} was graded twice, with two results", task)

    def _values(self, name: str) -> Iterator[tuple[str, dict[str, object], str]]:
        """Rows with an id that can be one, for a first look; what is broken is told at the second."""
        quiet = Told()
        for line in loose_lines(self.files, name):
            if isinstance(line.value, dict) and (task := readable_id(quiet, name, line.value.get("instance_id"))):
                yield task, line.value, f"{name}:{line.number}"
            else:
                self.broken.add(name)

    def _file(self, name: str, number: int | None) -> Iterator[ForeignRow]:
        """The rows of a file; without a number only those that no file before it had."""
        for line in loose_lines(self.files, name):
            where = f"{name}:{line.number}"
            if line.fault:
                kind, what = ("torn_tail", "breaks off") if line.torn else ("bad_line", line.fault)
                self.told.say(kind, where, what, blocks=not line.torn)
                continue
            if not isinstance(line.value, dict):
                self.told.say("bad_row", where, "is no object")
                continue
            if not (task := readable_id(self.told, where, line.value.get("instance_id"))):
                continue
            if number is None and not self._is_new(task, name):
                continue
            row = row_of(line.value, task, where, Told() if task in self.old else self.told)
            attempt = number if number is not None else row.stated or 1
            known = self.seen.setdefault(task, {})
            if (before := known.get(attempt)) == line.sha256:
                what = f"{task}: attempt {attempt} again, byte for byte: it counts once"
                self.told.say("duplicate_rows", where, what, task, blocks=False)
                continue
            if before is not None:
                self.told.say("conflicting_rows", where, f"{task}: attempt {attempt} stands there as two rows", task)
            known.setdefault(attempt, line.sha256)
            yield self._row(row, attempt, name, line.number, line.sha256)

    def _is_new(self, task: str, name: str) -> bool:
        """Has no file before had it? A handed-in row that no attempt file holds is one of its own."""
        if task not in self.seen:
            return True
        return (
            name == self.folder.of(OUTPUT)
            and task not in self.matched
            and self.chosen[task].attempt not in self.seen[task]
        )

    def _row(self, row: Row, attempt: int, name: str, line: int, sha256: str) -> ForeignRow:
        handed_in = self._handed_in(row, attempt) or name == self.folder.of(OLD)
        judged = handed_in and (not row.error or row.task in self.old)
        verdict = self._verdict(row, f"{name}:{line}") if judged else row.verdict
        ending = self._ending(row, verdict)
        if ending is endings.PATCH and judged:
            self.ungraded.append(row.task)
        if unpriced(row):
            self.unpriced.append(row.task)
        if attempt > 1 and row.task in self.completed and verdict is not None:
            self.later.append(row.task)
            self.only_later += verdict.ending.outcome == "pass"
        if ending is not None and (ending.outcome != "unscoreable"):
            self.completed.add(row.task)
        fields = {**row.fields, **(verdict.fields if verdict is not None else {})}
        lost = row.patch is None or (bool(row.error) and not judged)
        fields |= (
            {"patch": NO_PATCH} if lost or row.patch is None else {"patch": row.patch.facts, "patch_made_by": "harness"}
        )
        if row.error and verdict is not None and endings.of_error(row.error) is endings.ITERATIONS:
            fields["after_cap"] = True
        extra = {key: value for key, value in row.extra.items() if value is not None}
        if self.chosen:
            extra["handed_in"] = handed_in
        return foreign_row(
            self.name, ending, row.task, importer=NAME, source=at(name, line=line, sha256=sha256), attempt=attempt,
            extra=extra, **fields,
        )  # fmt: skip

    def _handed_in(self, row: Row, attempt: int) -> bool:
        """Is this the row that was handed in? Where nobody says which, it is one of the only attempt file."""
        chosen = self.chosen.get(row.task)
        if chosen is None:
            return not self.folder.of(OUTPUT) and len(self.folder.attempts) <= 1
        same = chosen.sha256 == (row.patch.facts.sha256 if row.patch is not None else "")
        # Some benchmarks write attempt 1 whatever attempt it was: then the patch tells which.
        found = same and (attempt == chosen.attempt or (attempt > chosen.attempt and row.task not in self.matched))
        if found:
            self.matched.add(row.task)
        return found

    def _verdict(self, row: Row, where: str) -> Verdict | None:
        """Of an older evaluation, of the run report, or of the row itself."""
        if row.task in self.old:
            return self.old[row.task]
        found = found_of(Case(row.task, self.told, self.beside.said_of(row.task)))
        if found is None:
            return row.verdict
        if found.ending is None:
            return None
        ending = endings.EMPTY if found.ending is graded.EMPTY else found.ending
        if row.verdict is not None and row.verdict.ending.outcome != ending.outcome:
            self.told.say("contradiction", where, f"{row.task}: the row and the report say different things", row.task)
        fields = {key: value for key, value in found.fields.items() if key != "patch"}
        return Verdict(ending, fields)

    def _ending(self, row: Row, verdict: Verdict | None) -> Ending | None:
        if row.error and verdict is None:
            return endings.of_error(row.error)
        if row.patch is not None and row.patch.empty:
            return self._empty(row, verdict)
        if verdict is not None:
            if verdict.ending is endings.EMPTY and row.patch is not None:
                self.told.say(
                    "contradiction", self.folder.path, f"{row.task}: graded as empty, and it holds a patch", row.task
                )
            return verdict.ending
        return endings.NOTHING if row.patch is None else endings.PATCH

    def _empty(self, row: Row, verdict: Verdict | None) -> Ending:
        """An empty patch is no answer, whatever the tests of the untouched tree say; where they say green, that blocks."""
        ending = verdict.ending if verdict is not None else endings.EMPTY
        if ending.outcome == "pass":
            self.told.say("contradiction", self.folder.path, f"{row.task}: resolved, and its patch is empty", row.task)
            return ending
        return endings.EMPTY if ending.outcome == "fail" else ending

    def _tell(self) -> None:
        """What holds for the whole run."""
        if not self.seen:
            self.told.say(
                "no_rows",
                self.folder.path or self.files.name,
                "no attempt was written down: nothing ran, or it is lost",
            )
        report = self.beside.report
        lost = sorted(task for task in self.chosen if task not in self.matched)
        several = sorted(task for task, numbers in self.seen.items() if max(numbers) > 1)
        stated = self.beside.attempts
        beyond = stated is None or any(max(self.seen[task]) > stated for task in several)
        told = [
            (
                lost,
                "unmatched_output",
                "were handed in as rows that are no attempt of theirs: the verdict has no attempt",
                True,
            ),
            (self.ungraded if report is not None else [], "not_evaluated", "were handed in and not graded", True),
            (
                self.unpriced,
                "unknown_cost",
                "used tokens and cost 0: no price was booked, so their cost is unknown",
                False,
            ),
            (several, "best_of_attempts", _several(stated), beyond),
            (
                self.later,
                "later_verdict",
                f"have a verdict on a later attempt than the completed one that counts ({self.only_later} of them resolved)",
                False,
            ),
        ]
        for tasks, kind, what, blocks in told:
            if tasks:
                where = self.folder.path or self.files.name
                self.told.say(kind, where, f"{len(tasks)} ids {what}", *sorted(set(tasks))[:NAMED], blocks=blocks)
        if report is None and not self.old:
            self.told.notes.append("no file holds a verdict of a harness: grade the patches first")
        if not self.folder.attempts:
            self.told.notes.append(
                "there are no attempt files: rows with errors, and attempts that were not chosen, may be missing"
            )


def _several(stated: int | None) -> str:
    number = "an unknown number of" if stated is None else f"up to {stated}"
    return f"were attempted several times, and a critic chose among {number} attempts: the report's rate is that of the chosen"
