"""Do all tests of a patch rest on mocks or on snapshots that the patch itself brings? Only where that is sure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from denominator.errors import DenominatorError
from denominator.readers.tests.origins import Origins
from denominator.wire.trees import FileDiff, parse_unified

BYTES_MAX = 1_000_000
TEST_FILE = re.compile(r"(?:\A|/)(?:test_[^/]*|[^/]*_test)\.py\Z")
OTHER_TEST = re.compile(
    r"(?:[._-](?:test|spec)s?|_test)\.(?:[cm]?[jt]sx?|go|rb|rs|java|kt|php|cs)\Z|Test\.(?:java|kt|cs|php)\Z"
)
SNAPSHOT_FILE = re.compile(r"(?:\A|/)__snapshots__/|(?:\.snap|\.ambr|\.approved\.\w+|\.snapshot)\Z")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def weak_tests(files: Mapping[str, bytes | None]) -> tuple[str, ...]:
    """Kinds (mock, snapshot) that every assertion of every test among these files rests on; empty when one does not.

    `files` are the whole files of a patch by path, None for a deleted one. Empty also when there is no test, when a test
    asserts nothing that is seen, when a test is in another language, or when a file cannot be read: never a guess.
    """
    brings = any(SNAPSHOT_FILE.search(path) and data is not None for path, data in files.items())
    kinds: set[str] = set()
    for path, data in sorted(files.items()):
        if data is None or not is_test(path):
            continue
        found = _kinds(data, brings) if TEST_FILE.search(path) else None
        if not found:
            return ()
        kinds |= found
    return tuple(sorted(kinds))


def weak_in_diff(diff: bytes) -> tuple[str, ...]:
    """The same for a unified diff. A test file that was there before is not seen in full, so nothing is said then."""
    try:
        changes = parse_unified(diff)
    except DenominatorError:
        return ()
    if any(change.op != "add" and is_test(change.new or change.old) for change in changes):
        return ()
    return weak_tests({change.new: _text(change) for change in changes if change.op == "add"})


def is_test(path: str) -> bool:
    """Is it a file of tests, in any language that is known here by its name?"""
    return TEST_FILE.search(path) is not None or OTHER_TEST.search(path) is not None


def _text(change: FileDiff) -> bytes:
    return b"".join(line for hunk in change.hunks for line in hunk.new)


def _kinds(data: bytes, brings_snapshots: bool) -> set[str] | None:
    """Kinds of all assertions of one file; None when one of them is no weak one, or nothing can be said."""
    try:
        return _kinds_in(ast.parse(data), brings_snapshots) if len(data) <= BYTES_MAX else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _kinds_in(tree: ast.Module, brings_snapshots: bool) -> set[str] | None:
    found: set[str] = set()
    for function, around in _tests(tree):
        one = Origins.of(function, around, brings_snapshots).kinds()
        if not one:
            return None
        found |= one
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.Module | ast.ClassDef]]:
    """Test functions of the module and methods of its test classes, with what they stand in."""
    for node in tree.body:
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            yield node, tree
        elif isinstance(node, ast.ClassDef):
            for child in node.body:
                if isinstance(child, FUNCTIONS) and child.name.startswith("test"):
                    yield child, node
