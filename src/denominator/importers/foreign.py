"""The contract of an importer, and what importers share. A third party's importer is an entry point `denominator.importers`.

An importer is an object with the attributes below: one module a format, its docstring is the format's page (what is read,
the traps of the format, what was done about each). `denominator.testing.importer_suite` says whether it keeps the contract.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Protocol

from denominator.errors import InputError
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow, Failure, Source
from denominator.records.values import NotMeasured
from denominator.records.words import Axis, Grade, Slice
from denominator.wire.names import id_problem
from denominator.wire.sources import Source as Files


class Importer(Protocol):
    """One foreign format.

    `name` is the word of `denominator import NAME`, `title` one line for people. `endings` is the whole table of endings.
    `cannot_tell` gives for each field of the envelope that no file of this format ever holds the reason, as a sentence
    ("swebench records no harness version").
    """

    name: str
    title: str
    endings: tuple[Ending, ...]
    cannot_tell: Mapping[str, str]

    def recognise(self, files: Files) -> Recognition | None:
        """Is it this format? Looks at names and at as few bytes as it can; never raises for a file that is something else."""
        ...

    def read(self, files: Files, part: str = "") -> ForeignRun:
        """The run that was chosen, or the only one. InputError: several and none was chosen, or not readable."""
        ...


def chosen(parts: Sequence[Part], part: str, where: str) -> Part:
    """The part that was asked for, or the only one. InputError: none such, none at all, or several."""
    for one in parts:
        if one.name == part:
            return one
    names = ", ".join(one.name for one in parts[:12]) + (", ..." if len(parts) > 12 else "")
    if part:
        raise InputError(f"there is no run {part!r} in it", where=where, fix=f"it holds: {names}")
    if not parts:
        raise InputError("holds no run of this format", where=where, fix="name the folder or the file of a result")
    if len(parts) != 1:
        raise InputError(f"holds {len(parts)} runs: {names}", where=where, fix="choose one: --run NAME")
    return parts[0]


def foreign_row(
    run_id: str,
    ending: Ending | None,
    task_id: str,
    *,
    importer: str,
    source: Source,
    repeat: int = 1,
    attempt: int = 1,
    numbered: bool = True,
    extra: Mapping[str, object] | None = None,
    **fields: Any,
) -> ForeignRow:
    """A row with what its ending states and with further fields of `AttemptRow`, which win over the ending's.

    `ending` None: no line of the table names how it ended (say so as a defect); the row keeps its place without a verdict.
    `extra` is kept as canonical JSON text, so that nothing of the source's row is lost that a reader may want.
    """
    key = AttemptKey(run_id, task_id, repeat, attempt)
    facts: dict[str, Any] = {**(ending.facts if ending else {}), **fields}
    row = AttemptRow(
        key=key, slice=facts.pop("slice", Slice.SOLVABLE), source=source, numbered=numbered,
        started=facts.pop("started", True), closed=facts.pop("closed", True),
        incarnations=facts.pop("incarnations", 1), extra={name: text_of(value) for name, value in (extra or {}).items()}, **facts,
    )  # fmt: skip
    said = _labels(key, ending, importer, source) if ending and ending.judged else ()
    return ForeignRow(row, said, ending.word if ending else "")


def _labels(key: AttemptKey, ending: Ending, importer: str, source: Source) -> tuple[Label, ...]:
    """The judgement of a source that keeps no facts for it."""
    evidence = Evidence(kind="import", ref=source.place, quote=ending.word)
    said = ((Axis.OUTCOME, ending.outcome), (Axis.REASON, ending.reason), (Axis.FAILURE_CLASS, ending.failure_class))
    return tuple(
        Label(
            key=key,
            axis=axis,
            value=value,
            by=f"import:{importer}",
            confidence="low",
            evidence=(evidence,),
            why=ending.why,
        )
        for axis, value in said
        if value
    )


def at(file: str, pointer: str = "", line: int = 0, sha256: str = "", element: object = None) -> Source:
    """Where a row stands: a file, a JSON pointer into it or a line; the digest is of the line, or of the element itself."""
    sha = sha256 or (digest(element) if element is not None else "")
    return Source(kind="import", file=f"{file}#{pointer}" if pointer else file, line=line, sha256=sha)


def digest(element: object) -> str:
    """sha256 of a JSON value with sorted keys: what a row was when it was read."""
    return hashlib.sha256(text_of(element).encode("utf-8", "surrogatepass")).hexdigest()


def text_of(value: object) -> str:
    """A value as JSON text with sorted keys; exact numbers keep their digits."""
    return _encoder().encode(value)


@cache
def _encoder() -> json.JSONEncoder:
    """One for all values: making one takes longer than most of them."""
    return json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_other)


def _other(value: object) -> object:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, NotMeasured):
        return {"not_measured": value.not_measured}
    raise TypeError(f"{type(value).__name__} is no JSON")


def pointed(*keys: str | int) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def failure(cause: str, writer: str, phase: str, seq: int = 0) -> Failure:
    """What broke: a cause of the cause table, who saw it, in which phase."""
    return Failure(seq=seq, cause=cause, writer=writer, phase=phase)


def declared(
    run_id: str,
    tasks: Sequence[str],
    repeats: int = 1,
    *,
    slice_of: str = Slice.SOLVABLE,
    told: Told | None = None,
    where: str = "",
) -> Declaration:
    """What a plan promises: each task `repeats` times. A task that the plan names twice counts once, and is told."""
    names = Counter(tasks)
    if told is not None and len(names) < len(tasks):
        twice = tuple(sorted(name for name, many in names.items() if many > 1))
        told.say(
            "declared_twice", where, f"{len(twice)} ids stand more than once in the plan", *twice[:20], blocks=False
        )
    groups = (DeclaredTasks(tasks=tuple(names), repeats=repeats, slice=slice_of),) if names else ()
    return Declaration(run_id=run_id, declared_n=len(names) * repeats, tasks=groups)


def undeclared(run_id: str, why: str, n: int | None = None) -> Declaration:
    """A format, or a file, that keeps no plan: nobody knows what should have been there (or only how many)."""
    return Declaration(run_id=run_id, declared_n=NotMeasured(why) if n is None else n)


def no_counts(told: Told) -> None:
    """Some rows are worth neither 0 nor 1: then no printed rate is a count of them, and none is called impossible."""
    told.published[:] = [replace(one, unit_of="other") if one.role == "rate" else one for one in told.published]


def readable_id(told: Told, where: str, value: object) -> str:
    """A task id that can be a key, or "" with a defect that names what stands there."""
    name = value if isinstance(value, str) else ""
    why = id_problem(name) if name else "is no text" if not isinstance(value, str) else "is empty"
    if why:
        told.say("refused_id", where, f"task id {str(value)[:80]!r} {why}")
        return ""
    return name


def grade_of(passed: bool | None) -> str:
    """What a grader's boolean is as a grade; unknown is none."""
    return Grade.NONE if passed is None else Grade.GREEN if passed else Grade.RED
