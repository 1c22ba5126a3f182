"""Damaged copies of examples: refused in words, or read with defects. Never a traceback, never memory for a claim, never a
number without its rows: no task passes that stands nowhere in what was read, and taking away makes nobody pass.
"""

from __future__ import annotations

import re
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.pipeline.auditing import Asked, audit_path
from denominator.records.foreign import ForeignRow, ForeignRun
from denominator.records.values import NotMeasured
from denominator.testing.damage import Damage, Members, damaged
from denominator.testing.importer_bench import Example, ImporterBench, example_run, read_whole, said_of, terms_of
from denominator.wire.canonical import canonical
from denominator.wire.sources import open_source

MEMORY = 256 << 20
DRAWS_MAX = 5_000_000
HUNGRY = ("claim", "wrong_type", "doubled_key")
"""Damages that state what is not there."""
HARMLESS = "harmless"
PART = re.compile(r"[A-Za-z0-9]+")
ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


def check_damage(bench: ImporterBench, copies: int, first: int = 0) -> list[str]:
    """So many damaged copies of each example; a breach names the seed that makes it again."""
    return [
        f"{example.path.name}, copy {number}: {what}"
        for example in bench.examples
        for number in range(first, first + copies)
        for what in _of_copy(bench, example, number)
    ]


def damage_of(bench: ImporterBench, example: Example, number: int) -> tuple[Damage, Path]:
    """One damaged copy, written below the scratch folder: what was done, and where it stands."""
    files = open_source(example.path)
    members = {name: files.read(name) for name in files.names()}
    found = damaged(members, f"{bench.importer.name}/{example.path.name}/{number}")
    place = bench.scratch / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return found, _written(example.path, found.members, place, number)


def told_of(bench: ImporterBench, example: Example, found: Damage) -> tuple[list[str], str]:
    """(breaches, how the damage was met) of one copy: refused with a code, named or noted by a defect, or harmless."""
    place = bench.scratch / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = _written(example.path, found.members, place, 1)
    breaches = _tried(bench, example, found, path)
    if breaches:
        return breaches, ""
    try:
        run, rows = read_whole(bench.importer, open_source(path), example.part)
    except DenominatorError as error:
        return [], f"refused {error.code}"
    named = sorted({one.kind for one in run.told.defects if one.blocks})
    if named:
        return [], f"named {'+'.join(named)}"
    if run.told.defects:
        return [], f"noted {'+'.join(sorted({one.kind for one in run.told.defects}))}"
    return [], f"{HARMLESS}: read as {len(rows)} rows, none passes more"


def _written(path: Path, members: Members, place: Path, number: int) -> Path:
    """The members in the container that the example is; some copies of a container are damaged as such."""
    if path.is_dir():
        for name, data in members.items():
            target = place / name
            if not any(one.is_file() for one in target.parents):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        return place
    target = place / path.name
    if open_source(path).names() == (path.name,):
        target.write_bytes(next(iter(members.values()), b""))
        return target
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    data = target.read_bytes()
    if number % 5 == 0:
        at = number * 7919 % len(data)
        target.write_bytes(data[:at] if number % 2 else data[:at] + b"\xff\xff\xff\xff" + data[at + 4 :])
    return target


def _of_copy(bench: ImporterBench, example: Example, number: int) -> Iterator[str]:
    found, path = damage_of(bench, example, number)
    measured = found.what in HUNGRY or number % 4 == 0
    said, peak = _peak(lambda: _tried(bench, example, found, path), measured)
    if peak > MEMORY:
        said.append(f"{peak >> 20} MB of memory for {sum(map(len, found.members.values()))} bytes")
    yield from (f"({found.what} of {found.member}) {one}" for one in said)


def _tried(bench: ImporterBench, example: Example, found: Damage, path: Path) -> list[str]:
    try:
        return list(_of_source(bench, example, found, path))
    except DenominatorError:
        return []
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _peak(call: Callable[[], list[str]], measured: bool) -> tuple[list[str], int]:
    """What a call gives, and the most memory that it held, in bytes; 0 where nobody looked, for looking takes time."""
    if not measured:
        return call(), 0
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _of_source(bench: ImporterBench, example: Example, found: Damage, path: Path) -> Iterator[str]:
    bench.importer.recognise(open_source(path))
    run, rows = read_whole(bench.importer, open_source(path), example.part)
    draws = sum(len(group.tasks) * group.repeats for group in run.declared.tasks)
    if draws > DRAWS_MAX or (not isinstance(run.declared.declared_n, NotMeasured) and run.declared.declared_n < draws):
        yield f"it declares {run.declared.declared_n} draws, {draws} by name"
        return
    yield from _without_source(found.members, rows)
    yield from _unnamed(bench, run, rows)
    if (
        found.hurts
        and (more := len(_passing(bench, run, rows)) - len(_passing(bench, *example_run(bench, example)))) > 0
    ):
        yield f"{more} more tasks pass than before"
    canonical(audit_path(path, [bench.importer], Asked(parts=(example.part,) if example.part else ())))


def _passing(bench: ImporterBench, run: ForeignRun, rows: list[ForeignRow]) -> set[str]:
    terms = terms_of(bench.importer, run)
    return {one.row.key.task_id for one in rows if said_of(one, terms)["outcome"] == "pass"}


def _unnamed(bench: ImporterBench, run: ForeignRun, rows: list[ForeignRow]) -> Iterator[str]:
    """A row that ends as no line says blocks, and so does a key that stands twice."""
    words = {one.word for one in bench.importer.endings}
    blocking = any(one.blocks for one in run.told.defects)
    for one in rows:
        if one.ending not in words and not blocking:
            yield f"{one.row.key.task_id} ends in {one.ending!r}, and nothing blocks"
    if len({one.row.key for one in rows}) < len(rows) and not blocking:
        yield "two rows have one key, and nothing blocks"


def _without_source(members: Members, rows: list[ForeignRow]) -> Iterator[str]:
    """Every part of a task's name stands somewhere in the names or bytes of what was read."""
    texts = [*members, *(data.decode("utf-8", "replace") for data in members.values())]
    text = "\n".join(texts)
    plain = ESCAPED.sub(lambda one: chr(int(one[1], 16)), text) if "\\u" in text else text
    for task in {one.row.key.task_id for one in rows}:
        if missing := [part for part in PART.findall(task) if part not in text and part not in plain]:
            yield f"the task {task!r} stands nowhere in it ({missing[0]!r})"
