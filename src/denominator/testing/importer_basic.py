"""What an importer says of itself, what it takes for its own, and what it reads of an example."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO

from denominator.errors import DenominatorError
from denominator.importers.foreign import text_of
from denominator.records.foreign import ForeignRow, ForeignRun, Recognition
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.testing.importer_bench import Example, ImporterBench, example_run, read_whole
from denominator.wire.codec import from_json, to_json
from denominator.wire.sources import DOCUMENT_BYTES, Source, open_source

PARTS = ("name", "title", "endings", "cannot_tell", "recognise", "read")
WORD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SHA = re.compile(r"[0-9a-f]{64}")
CHEAP_BYTES = 8 << 20
HUGE = 200 << 20
PRIVATE = re.compile(r"/(home|Users|root)/|[A-Za-z]:\\\\Users")
NOTHING = (
    b"",
    b"\0\xff\xfe" * 40,
    b"[]",
    b"{}",
    b"null",
    b"[" * 3000,
    b'{"results": [[[',
    b"a: [",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
)


def check_protocol(bench: ImporterBench) -> list[str]:
    """Everything that an importer has, in the shapes of `denominator.importers.foreign.Importer`."""
    one = bench.importer
    if lacking := [name for name in PARTS if not hasattr(one, name)]:
        return [f"it has no {', '.join(lacking)}"]
    found = (
        [] if WORD.fullmatch(one.name) else [f"the name {one.name!r} is no word of small letters, digits and dashes"]
    )
    if not one.title.strip() or "\n" in one.title:
        found.append("the title is not one line")
    if not bench.examples:
        found.append("there is no example")
    return found + [f"cannot_tell: {what}" for what in _reasons(one.cannot_tell)]


def _reasons(reasons: object) -> Iterator[str]:
    if not isinstance(reasons, dict) or not reasons:
        yield "it names nothing that the format cannot tell"
        return
    for name, why in reasons.items():
        if not re.fullmatch(r"[a-z][a-z0-9_.]*", str(name)):
            yield f"{name!r} is no name of a condition"
        if not isinstance(why, str) or len(why.split()) < 3 or why.strip() != why:
            yield f"{name}: {why!r} is no sentence"


def check_recognises_its_own(bench: ImporterBench) -> list[str]:
    """Every example is recognised, with a reason and with parts of which the example's is one."""
    found = []
    for example in bench.examples:
        seen = bench.importer.recognise(open_source(example.path))
        if not isinstance(seen, Recognition) or not seen.why or not seen.parts:
            found.append(f"{example.path.name} is not recognised, or without a reason or a part")
            continue
        names = [part.name for part in seen.parts]
        if len(set(names)) < len(names) or "" in names:
            found.append(f"{example.path.name}: two runs have one name, or none: {names}")
        if example.part and example.part not in names:
            found.append(f"{example.path.name}: {example.part!r} is none of its runs: {names}")
        if len(names) > 1:
            found += _must_be_chosen(bench, example)
    return found


def _must_be_chosen(bench: ImporterBench, example: Example) -> Iterator[str]:
    for part in ("", "no such run"):
        try:
            read_whole(bench.importer, open_source(example.path), part)
        except DenominatorError:
            continue
        yield f"{example.path.name}: {part!r} was taken for one of several runs"


def check_recognises_nothing_else(bench: ImporterBench) -> list[str]:
    """Nothing is raised for a source of another kind, and the importer is not sure of one."""
    found = []
    for path in (*bench.aliens, *_strangers(bench)):
        try:
            seen = bench.importer.recognise(open_source(path))
        except DenominatorError as error:
            if path in bench.aliens or path.is_dir():
                found.append(f"recognise raises for {path.name}: {error.what}")
        except Exception as error:
            found.append(f"recognise raises for {path.name}: {type(error).__name__}: {error}")
        else:
            if seen is not None and seen.sure and path in bench.aliens:
                found.append(f"it is sure of {path.name}: {seen.why}")
    return found


def _strangers(bench: ImporterBench) -> Iterator[Path]:
    """Files and folders that have the names of an example and hold something else."""
    for place, example in enumerate(bench.examples):
        names = [one for one in open_source(example.path).names() if ".." not in one]
        for number, data in enumerate(NOTHING):
            folder = bench.scratch / f"strange-{place}-{number}"
            for name in names:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            yield folder if example.path.is_dir() else folder / names[0]


class Watched:
    """A source that counts what is read from it."""

    def __init__(self, inner: Source) -> None:
        self._inner, self.name, self.bytes = inner, inner.name, 0

    def names(self) -> Sequence[str]:
        """Every member."""
        return self._inner.names()

    def size(self, name: str) -> int:
        """Bytes of a member."""
        return self._inner.size(name)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """A stream; how far it was read counts."""
        with self._inner.open(name) as stream:
            try:
                yield stream
            finally:
                self.bytes += _told(stream)

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole; one that is refused for its length costs nothing."""
        data = self._inner.read(name, most)
        self.bytes += len(data)
        return data


def _told(stream: BinaryIO) -> int:
    counted = getattr(stream, "raw", None)
    return int(getattr(counted, "given", 0))


def check_recognises_cheaply(bench: ImporterBench) -> list[str]:
    """Of an example whose every file is followed by 200 MB of zeros no more than 8 MB are looked at."""
    found = []
    for place, example in enumerate(bench.examples):
        if not example.path.is_dir() and open_source(example.path).names() != (example.path.name,):
            continue
        folder = bench.scratch / f"large-{place}"
        source = open_source(example.path)
        for name in source.names():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.read(name))
            os.truncate(path, HUGE)
        watched = Watched(open_source(folder if example.path.is_dir() else folder / example.path.name))
        try:
            bench.importer.recognise(watched)
        except DenominatorError as error:
            found.append(f"recognise raises for a large {example.path.name}: {error.what}")
        if watched.bytes > CHEAP_BYTES:
            found.append(f"recognise reads {watched.bytes} bytes of a large {example.path.name}")
    return found


def check_reads_its_own(bench: ImporterBench) -> list[str]:
    """Each example: its rows one at a time, each with its place, no key twice, no unknown ending, nothing that blocks."""
    return [f"{one.path.name}: {what}" for one in bench.examples for what in _of_example(bench, one)]


def _of_example(bench: ImporterBench, example: Example) -> Iterator[str]:
    files = open_source(example.path)
    run, rows = read_whole(bench.importer, files, example.part)
    if not hasattr(run.rows, "__next__"):
        yield "rows are no iterator"
    if len(rows) != example.rows:
        yield f"{len(rows)} rows were read, and it holds {example.rows}"
    blocking = [f"blocks: {one.kind}: {one.where}: {one.what}" for one in run.told.defects if one.blocks]
    if example.rows:
        yield from blocking
    elif not blocking:
        yield "it has no rows, and nothing blocks"
    yield from (f"it tells of {name}, which is no member" for name in run.told.files if name not in files.names())
    if not run.told.files:
        yield "nothing says which files were read"
    keys = Counter(one.row.key for one in rows)
    yield from (f"two rows are {key}" for key, n in keys.items() if n > 1)
    words = {one.word for one in bench.importer.endings}
    for one in rows:
        yield from (f"{one.row.key.task_id}: {what}" for what in _of_row(bench, files, run, one, words))
    yield from _of_document(bench, run)


def _of_row(bench: ImporterBench, files: Source, run: ForeignRun, one: ForeignRow, words: set[str]) -> Iterator[str]:
    row = one.row
    file = row.source.file.partition("#")[0]
    if row.source.kind != "import" or file not in files.names() or not SHA.fullmatch(row.source.sha256):
        yield f"its place is {row.source}"
    elif file not in run.told.files:
        yield f"it stands in {file}, of which nothing is told"
    if row.key.run_id != run.declared.run_id or row.key.repeat < 1 or row.key.attempt < 1:
        yield f"its key is {row.key}"
    if one.ending not in words:
        yield f"its ending {one.ending!r} is on no line of the table"
    yield from (
        f"{each.name} is None"
        for each in fields(row)
        if getattr(row, each.name) is None and each.name != "first_unrecovered"
    )
    if from_json(AttemptRow, to_json(row)) != row:
        yield "it is another row when it is written and read"
    if PRIVATE.search(text_of(dict(row.extra))):
        yield "a path of somebody's machine is carried over"
    if any(label.by != f"import:{bench.importer.name}" or label.key != row.key for label in one.labels):
        yield "a judgement does not say whose it is, or of which row"


def _of_document(bench: ImporterBench, run: ForeignRun) -> Iterator[str]:
    if PRIVATE.search(text_of(dict(run.document))):
        yield "the document carries a path of somebody's machine"
    for name in bench.importer.cannot_tell:
        if not isinstance(run.document.get(name, NotMeasured("absent")), NotMeasured):
            yield f"{name}: the format cannot tell it, and it stands in the document"


def check_reads_alike(bench: ImporterBench) -> list[str]:
    """Read twice, a source gives the same."""
    return [f"{one.path.name} reads as two things" for one in bench.examples if _seen(bench, one) != _seen(bench, one)]


def _seen(bench: ImporterBench, example: Example) -> object:
    run, rows = example_run(bench, example)
    told = (run.told.defects, run.told.published, run.told.notes, run.told.files)
    return rows, run.name, run.declared, text_of(dict(run.document)), told, run.arm, run.version, dict(run.unknown)


def check_declared_is_no_count_of_rows(bench: ImporterBench) -> list[str]:
    """Without the record of one attempt as much is declared as before, and a row fewer is read."""
    found = []
    for example in bench.examples:
        run, rows = example_run(bench, example)
        plan = [task for group in run.declared.tasks for task in group.tasks]
        if len(set(plan)) < len(plan):
            found.append(f"{example.path.name}: a task is declared twice")
        if example.thinned is None:
            continue
        less, fewer = read_whole(bench.importer, open_source(example.thinned), example.part)
        if (less.declared.declared_n, less.declared.tasks) != (run.declared.declared_n, run.declared.tasks):
            found.append(f"{example.path.name}: without one record another number is declared")
        if len(fewer) > len(rows) or [one.row for one in fewer] == [one.row for one in rows]:
            found.append(f"{example.path.name}: the copy without one record reads as the whole")
    return found


BASIC = (
    check_protocol,
    check_recognises_its_own,
    check_recognises_nothing_else,
    check_recognises_cheaply,
    check_reads_its_own,
    check_reads_alike,
    check_declared_is_no_count_of_rows,
)
