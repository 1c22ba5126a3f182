"""The conformance suite of importers sees each way in which an importer breaks the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import InputError
from denominator.importers.foreign import at, declared, failure, foreign_row, undeclared
from denominator.records.foreign import Ending, ForeignRun, Part, Recognition, Told
from denominator.testing.damage import damaged
from denominator.testing.importer_suite import CHECKS, Example, ImporterBench, check_damage
from denominator.wire.sources import Source, loose_json

PASSED = Ending(word="passed", outcome="pass", judged=True, why="it says that it passed")
FAILED = Ending(word="failed", outcome="fail", origin="MODEL", judged=True, why="it says that it failed")
LOST = Ending(
    word="lost", outcome="unscoreable", origin="HARNESS", reason="harness_killed", why="it says that it was lost",
    facts={"first_unrecovered": failure("harness_killed", "harness", "harness")},
)  # fmt: skip
WORDS = {one.word: one for one in (PASSED, FAILED, LOST)}
RUN = {
    "plan": ["t-1", "t-2", "t-3"],
    "rows": [{"id": "t-1", "end": "passed"}, {"id": "t-2", "end": "failed"}, {"id": "t-3", "end": "lost"}],
}


class Sound:
    """A format of one file `run.json` that keeps the contract; every broken one is this one with one thing wrong."""

    name = "sound"
    title = "A format of the tests"
    endings: Any = (PASSED, FAILED, LOST)

    def __init__(self) -> None:
        self.cannot_tell: Any = {"model_id": "sound records no model"}

    def recognise(self, files: Source) -> Recognition | None:
        names = [name for name in files.names() if name.endswith("run.json")]
        parts = tuple(Part(name=name) for name in names if self._document(files, name))
        return Recognition(why="a file run.json", parts=parts) if parts else None

    def read(self, files: Source, part: str = "") -> ForeignRun:
        names = [name for name in files.names() if name.endswith("run.json") and part in ("", name)]
        if len(names) != 1:
            raise InputError("choose one of several runs", where=files.name)
        document, told = self._document(files, names[0]), Told(files={names[0]: "rows"})
        if document is None:
            raise InputError("is no run", where=names[0])
        plan = (
            [one for one in document["plan"] if isinstance(one, str) and one.strip()]
            if isinstance(document.get("plan"), list)
            else []
        )
        return ForeignRun(
            name="run",
            document={"run_id": "run"},
            declared=declared("run", plan, told=told) if plan else undeclared("run", "no plan is kept"),
            rows=self.rows(names[0], document, told),
            told=told,
        )

    def rows(self, file: str, document: dict[str, Any], told: Told) -> Any:
        seen = set()
        for place, one in enumerate(document["rows"] if isinstance(document.get("rows"), list) else ()):
            ending = self.ending(one, told)
            if ending is None:
                continue
            if one["id"] in seen:
                told.say("duplicate", file, "the id stands twice", one["id"])
                continue
            seen.add(one["id"])
            yield foreign_row(
                "run", ending, one["id"], importer=self.name, source=at(file, f"/rows/{place}", element=one)
            )

    def ending(self, one: Any, told: Told) -> Ending | None:
        sound = (
            isinstance(one, dict)
            and isinstance(one.get("id"), str)
            and one["id"].isprintable()
            and one["id"].strip(" .")
        )
        found = WORDS.get(one["end"]) if sound and isinstance(one.get("end"), str) else None
        if not sound or found is None or one["id"].startswith(("/", "..")):
            told.say("unreadable_row", "run.json", "a row cannot be read")
            return None
        return found

    def _document(self, files: Source, name: str) -> dict[str, Any] | None:
        try:
            found = loose_json(files.read(name), name)
        except InputError:
            return None
        return found if isinstance(found, dict) else None


def bench_of(importer: Any, folder: Path) -> ImporterBench:
    for name, document in (
        ("whole/run.json", RUN),
        ("thinned/run.json", RUN | {"rows": RUN["rows"][:2]}),
        ("two/a/run.json", RUN),
        ("two/b/run.json", RUN),
        ("alien/other.json", {"rows": []}),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(document))
    (folder / "scratch").mkdir(exist_ok=True)
    examples = (
        Example(path=folder / "whole", rows=3, thinned=folder / "thinned"),
        Example(path=folder / "two", part="b/run.json", rows=3),
    )
    return ImporterBench(importer=importer, examples=examples, scratch=folder / "scratch", aliens=[folder / "alien"])


def breaches(importer: Any, folder: Path) -> str:
    bench = bench_of(importer, folder)
    return "\n".join(f"{check.__name__}: {one}" for check in CHECKS for one in check(bench))


def test_an_importer_that_keeps_the_contract_has_no_breach(tmp_path: Path) -> None:
    assert breaches(Sound(), tmp_path) == ""
    assert check_damage(bench_of(Sound(), tmp_path), 30) == []


def told_of(run: ForeignRun, **over: Any) -> ForeignRun:
    return replace(run, **over)


class DeclaresRows(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        rows = list(run.rows)
        return told_of(run, declared=declared("run", [one.row.key.task_id for one in rows]), rows=iter(rows))


class ReadsList(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        return told_of(run, rows=list(run.rows))


class TakesTheFirst(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        return super().read(files, part if part in files.names() else files.names()[0])


class CarriesPaths(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        return told_of(run, document={"run_id": "run", "output": "/home/somebody/out"})


class SaysWhatItCannotTell(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        return told_of(run, document={"run_id": "run", "model_id": "m"})


class TellsNoFiles(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        run.told.files.clear()
        return run


class Blocks(Sound):
    def read(self, files: Source, part: str = "") -> ForeignRun:
        run = super().read(files, part)
        run.told.say("odd", "run.json", "something is odd")
        return run


class Random(Sound):
    count = 0

    def read(self, files: Source, part: str = "") -> ForeignRun:
        Random.count += 1
        return told_of(super().read(files, part), version=str(Random.count))


class Raises(Sound):
    def recognise(self, files: Source) -> Recognition | None:
        for name in files.names():
            files.read(name).decode()
        return super().recognise(files)


class SureOfAll(Sound):
    def recognise(self, files: Source) -> Recognition | None:
        return Recognition(why="why not", parts=tuple(Part(name=name) for name in files.names()))


class Greedy(Sound):
    def recognise(self, files: Source) -> Recognition | None:
        for name in files.names():
            with files.open(name) as stream:
                while stream.read(1 << 20):
                    pass
        return super().recognise(files)


class Placeless(Sound):
    def rows(self, file: str, document: dict[str, Any], told: Told) -> Any:
        for one in super().rows(file, document, told):
            yield one._replace(row=replace(one.row, source=at("elsewhere.json", element=1)))


class Unnamed(Sound):
    def rows(self, file: str, document: dict[str, Any], told: Told) -> Any:
        for one in super().rows(file, document, told):
            yield one._replace(ending="")


def with_table(*table: Ending) -> Sound:
    made = Sound()
    made.endings = table
    return made


def with_reasons(reasons: Any) -> Sound:
    made = Sound()
    made.cannot_tell = reasons
    return made


BROKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "declares what survived": (DeclaresRows, "declared_is_no_count_of_rows: whole: without one record another number"),
    "reads into a list": (ReadsList, "rows are no iterator"),
    "takes the first of several runs": (TakesTheFirst, "recognises_its_own: two: '' was taken for one of several runs"),
    "carries a path": (CarriesPaths, "the document carries a path"),
    "says what it cannot tell": (SaysWhatItCannotTell, "model_id: the format cannot tell it"),
    "tells no files": (TellsNoFiles, "nothing says which files were read"),
    "blocks an example": (Blocks, "blocks: odd: run.json: something is odd"),
    "reads two things": (Random, "reads_alike: whole reads as two things"),
    "raises for another file": (Raises, "recognise raises for strange-0-1: UnicodeDecodeError"),
    "is sure of all": (SureOfAll, "it is sure of alien"),
    "reads all to recognise": (Greedy, "recognise reads 209715200 bytes of a large whole"),
    "rows without a place": (Placeless, "t-1: its place is"),
    "rows without an ending": (Unnamed, "its ending '' is on no line of the table"),
    "no table": (lambda: with_table(), "the table of endings is empty"),
    "a word twice": (
        lambda: with_table(PASSED, FAILED, LOST, replace(FAILED, why="it is the same word")),
        "'failed' stands on 2 lines",
    ),
    "a word of nowhere": (
        lambda: with_table(PASSED, replace(FAILED, outcome="lost"), LOST),
        "'lost' is no word of outcome",
    ),
    "nobody's failure": (lambda: with_table(PASSED, replace(FAILED, origin=""), LOST), "nothing says whose failure"),
    "no such fact": (
        lambda: with_table(PASSED, FAILED, replace(LOST, facts={"colour": "red"})),
        "no fact of a row: colour",
    ),
    "no such cause": (
        lambda: with_table(
            PASSED, FAILED, replace(LOST, facts={"first_unrecovered": failure("moon", "harness", "harness")})
        ),
        "no known cause",
    ),
    "a line that the rules deny": (
        lambda: with_table(PASSED, FAILED, replace(LOST, reason="disk_full")),
        "'lost' says unscoreable/HARNESS/disk_full",
    ),
    "no reasons": (lambda: with_reasons({}), "it names nothing that the format cannot tell"),
    "no sentence": (lambda: with_reasons({"model_id": "no"}), "'no' is no sentence"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_importer_is_seen(how: str, tmp_path: Path) -> None:
    make, word = BROKEN[how]
    assert word in breaches(make(), tmp_path)


class PassesWhatIsNotFailed(Sound):
    """The fault that this product is against: what nobody knows counts as a pass."""

    def ending(self, one: Any, told: Told) -> Ending | None:
        found = super().ending(one, told)
        return found or (
            PASSED if isinstance(one, dict) and isinstance(one.get("id"), str) and one["id"] in RUN["plan"] else None
        )


class InventsRows(Sound):
    def rows(self, file: str, document: dict[str, Any], told: Told) -> Any:
        yield from super().rows(file, document, told)
        yield foreign_row("run", FAILED, "ghost-7", importer=self.name, source=at(file, element=1))


class Trusts(Sound):
    def ending(self, one: Any, told: Told) -> Ending | None:
        return WORDS[one["end"]]


class Hoards(Sound):
    def rows(self, file: str, document: dict[str, Any], told: Told) -> Any:
        kept = bytearray(300 << 20)
        yield from super().rows(file, document, told)
        del kept


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (PassesWhatIsNotFailed, "more tasks pass than before"),
        (InventsRows, "the task 'ghost-7' stands nowhere in it"),
        (Trusts, "Error: "),
        (Hoards, "300 MB of memory"),
    ],
)
def test_damage_shows_what_an_importer_takes_on_trust(make: Callable[[], Any], word: str, tmp_path: Path) -> None:
    assert word in "\n".join(check_damage(bench_of(make(), tmp_path), 6 if make is Hoards else 30))


def test_one_seed_is_one_damage_and_every_kind_comes_up() -> None:
    members = {
        "a/run.json": json.dumps(RUN).encode(),
        "a/rows.jsonl": b'{"a": 1}\n{"b": [1, {"c": null}]}\n',
        "log.txt": b"text\n" * 9,
    }
    first = [damaged(members, f"{number}") for number in range(600)]
    assert first == [damaged(members, f"{number}") for number in range(600)]
    assert len({one.what for one in first}) == 15
    assert sum(one.members != members for one in first) > 540
    assert members["log.txt"] == b"text\n" * 9
