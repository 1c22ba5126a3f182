"""Who wrote the tests that passed, where a task has no hidden ones? From the graded tree and the patch, never from a word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from denominator.readers.tests.weak import is_test
from denominator.records.values import NotMeasured

TOKEN = re.compile(r"[\w./-]+")
SUFFIX = re.compile(r"\.\w+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleTests:
    """A graded tree by its paths: `base` before the patch, `written` and `removed` by it; which ids passed; what was run."""

    base: Collection[str]
    written: Collection[str]
    removed: Collection[str] = ()
    ids: tuple[str, ...] = ()
    command: str = ""
    paths: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        there = ({*self.base} - {*self.removed}) | {*self.written}
        object.__setattr__(self, "paths", tuple(sorted(there)))


def written_by_agent(tests: VisibleTests) -> bool | NotMeasured:
    """Does every test that ran lie in a file that the patch wrote? One file that was there before is enough for a no.

    The files are those of the ids that passed; without ids those that the command names; without names all test files.
    """
    if tests.ids:
        ran = _of_ids(tests.paths, tests.ids)
    else:
        ran = _named(tests.paths, tests.command) or tuple(filter(is_test, tests.paths))
    if isinstance(ran, NotMeasured):
        return ran
    if not ran:
        return NotMeasured("no file of tests is known in the graded tree")
    return all(path in tests.written for path in ran)


def _of_ids(paths: Iterable[str], ids: Iterable[str]) -> tuple[str, ...] | NotMeasured:
    """The files of these ids; where two files may hold a test, both."""
    files = tuple(filter(is_test, paths))
    found: set[str] = set()
    for one in ids:
        holders = {path for path in files if _may_hold(path, one)}
        if not holders:
            return NotMeasured(f"it is not known which file holds the test {one[:200]}")
        found |= holders
    return tuple(sorted(found))


def _may_hold(path: str, test_id: str) -> bool:
    """`tests/test_a.py` holds `tests/test_a.py::f`, `tests.test_a.T.f`, `tests.test_a.T::f`, and `test_a.T.f`."""
    if _begins(test_id, path):
        return True
    spelled, parts = test_id.replace("::", ".").replace("/", "."), _module(path).split(".")
    return any(_begins(spelled, ".".join(parts[first:])) for first in range(len(parts)))


def _begins(text: str, name: str) -> bool:
    """Is it the name, or the name and then something that cannot belong to it?"""
    return text.startswith(name) and not re.match(r"\w", text[len(name) :])


def _module(path: str) -> str:
    return SUFFIX.sub("", path).replace("/", ".")


def _named(paths: Iterable[str], command: str) -> tuple[str, ...]:
    """The test files that a command names, by path, by module or by their folder; else the other files that it names."""
    tokens = {token.removeprefix("./").rstrip("/") for token in TOKEN.findall(command)}
    named = tuple(path for path in paths if path in tokens or any(_names(token, path) for token in tokens))
    below = tuple(path for path in paths if any(path.startswith(f"{token}/") for token in tokens if token))
    return tuple(filter(is_test, named)) or tuple(filter(is_test, below)) or named


def _names(token: str, path: str) -> bool:
    """`tests.test_a` and `tests.test_a.T.f` name tests/test_a.py; a plain word names a test file alone."""
    module = _module(path)
    return ("." in module or is_test(path)) and _begins(token, module)
