"""The frozen cases of a probe: JSON Lines, one case a line, every mistake of every line in one pass.

A fixture is sent to an endpoint and shown to others, so one that holds what looks like a secret or like personal data is
refused. The refusal names line, key and kind, never what was found.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from denominator.errors import InputError, Problem
from denominator.probe.asking import DECIMAL, RAW
from denominator.probe.cases import case_problems
from denominator.records.probes import Case, Fixture
from denominator.wire.canonical import sha256_bytes
from denominator.wire.decode import read_record
from denominator.wire.jsonl import BadLine, Line, Lines, read_jsonl
from denominator.wire.paths import Path, dotted, steps
from denominator.wire.private import names_secret, private_kinds
from denominator.wire.reading import Reading
from denominator.wire.tokens import token_hits

CASES_MAX = 10_000
MADE_UP = "put a made-up value in its place (example.org, 555-0100)"


class Numbered(NamedTuple):
    """A case and the line it stands on."""

    line: int
    case: Case


def read_fixture(data: bytes, name: str) -> Fixture:
    """Cases from the bytes of a file that is called `name`. `InputError` lists everything that is wrong with it."""
    lines = read_jsonl(data, name)
    problems = list(_unread(lines, data))
    found: list[Numbered] = []
    for line in lines.rows:
        case, wrong = _case(line, name)
        problems += wrong
        found += [Numbered(line.number, case)] if case is not None else []
    problems += [
        (one.line, Problem(f"{name}:{one.line} id", "is the id of an earlier line", "")) for one in _again(found)
    ]
    if not lines.rows and not problems:
        problems.append((0, Problem(name, "holds no case", "one JSON object a line")))
    if len(lines.rows) > CASES_MAX:
        problems.append((0, Problem(name, f"holds more than {CASES_MAX} cases", "split it")))
    if problems:
        ordered = [problem for _, problem in sorted(problems, key=lambda one: one[0])]
        raise InputError("these cases cannot be used", where=name, problems=ordered)
    return Fixture(name=name, sha256=sha256_bytes(data), cases=tuple(one.case for one in found))


def refuse_key(data: bytes, key: str, name: str) -> None:
    """Refuse a fixture that holds the endpoint's key, also in an encoding that is easily undone."""
    if hits := token_hits(key, {name: data}):
        raise InputError(
            "holds the key of the endpoint",
            where=hits[0],
            fix="take it out, and ask for a new key: it was written down",
        )


def _unread(lines: Lines, data: bytes) -> Iterator[tuple[int, Problem]]:
    """Lines that are no JSON object. What looks private is in no message, so such a line is only counted."""
    for number in lines.blank:
        yield number, Problem(f"{lines.where}:{number}", "is blank", "take the line out")
    torn = lines.torn
    if torn is not None:
        yield torn.number, Problem(f"{lines.where}:{torn.number}", "breaks off inside its object", "end it")
    for bad in lines.bad:
        end = data.find(b"\n", bad.offset)
        raw = data[bad.offset : end if end >= 0 else len(data)].decode("utf-8", "replace")
        yield bad.number, _bad(bad, lines.where, private_kinds(raw))


def _bad(bad: BadLine, where: str, private: tuple[str, ...]) -> Problem:
    if private:
        return Problem(f"{where}:{bad.number}", f"is no JSON, and holds what looks like {private[0]}", MADE_UP)
    return Problem(f"{where}:{bad.number}:{bad.column} {bad.key}".rstrip(), bad.what, bad.fix)


def _case(line: Line, name: str) -> tuple[Case | None, list[tuple[int, Problem]]]:
    """The case of a line, or everything that is wrong with it. A value that looks private is never read further."""
    reading = Reading(lambda parts: f"{name}:{line.number} {dotted(parts)}".rstrip())
    case: Any = None
    for path, kind in _private(line.value, None):
        reading.bad(path, f"looks like {kind}", MADE_UP)
    if not reading.problems:
        case = read_record(Case, line.value, reading)
    if not reading.problems:
        for path, what, fix in case_problems(case):
            reading.bad(path, what, fix)
    return None if reading.problems else case, [(line.number, _hinted(problem)) for problem in reading.problems]


def _hinted(problem: Problem) -> Problem:
    """A fraction among the further fields of a body has a way of its own to be written."""
    field = problem.where.partition(" request.")[2]
    fraction = field and "." not in field and "got the number" in problem.what
    return replace(problem, fix=f'{{"{DECIMAL}": "0.9"}} goes out as 0.9') if fraction else problem


def _private(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Every place with text that looks private: values, names of keys, and the bytes that a control stands for."""
    if isinstance(value, str):
        yield from ((path, kind) for kind in private_kinds(value)[:1])
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _private(each, (path, at))
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if kinds := private_kinds(name):
                yield path, f"{kinds[0]} (the name of a key)"
            elif name == RAW and steps(path) == ("body",):
                yield from _private(_bytes_of(each), (path, name))
            elif names_secret(name) and isinstance(each, str) and each:
                yield (path, name), "a secret, by the name of its key"
            else:
                yield from _private(each, (path, name))


def _bytes_of(text: object) -> str:
    """What the base64 of a control stands for, as text; "" where it is none, which is another mistake."""
    try:
        return b64decode(str(text), validate=True).decode("latin-1")
    except ValueError:
        return ""


def _again(found: list[Numbered]) -> list[Numbered]:
    """Cases whose id stands on an earlier line; ids that differ in case only are one on some disks and for some eyes."""
    first: dict[str, int] = {}
    return [one for one in found if first.setdefault(one.case.id.casefold(), one.line) != one.line]
