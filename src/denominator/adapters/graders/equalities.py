"""Where a pack's own tests compare something with a literal, in lines that always run."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expected literal stands: file, class ("" for none), test, and which equality of the test it is."""

    path: str
    group: str
    test: str
    number: int


def places_of(runner: str, path: str, source: bytes, expected: Collection[str]) -> Iterator[list[Place]]:
    """The equalities of each expected test of a file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    if not all(map(_is_plain, tree.body)):
        return
    for group, test in tests_of(tree):
        found = [Place(path, group, test.name, number) for number in range(len(list(literals(test))))]
        if found and id_of(runner, path, group, test.name) in expected:
            yield found


def _is_plain(node: ast.stmt) -> bool:
    """Can this line of a module give no test but those that stand in it? Else a copy might report what nobody expects."""
    if isinstance(node, ast.ClassDef):
        bases = [ast.unparse(base) for base in node.bases]
        known = all(base in ("unittest.TestCase", "TestCase") or hasattr(builtins, base) for base in bases)
        plain = (ast.Assign, ast.AnnAssign, ast.Expr, ast.FunctionDef, ast.AsyncFunctionDef, ast.Pass)
        named = [target for each in node.body if isinstance(each, ast.Assign) for target in each.targets]
        return (
            known
            and not node.keywords
            and not node.decorator_list
            and all(isinstance(each, plain) for each in node.body)
            and not any(ast.unparse(target).startswith("test") for target in named)
        )
    if isinstance(node, ast.FunctionDef):
        return node.name not in ("load_tests", "pytest_generate_tests")
    if isinstance(node, ast.Assign):
        return not any(ast.unparse(target).startswith(("test", "Test")) for target in node.targets)
    if isinstance(node, ast.If):
        return "__main__" in ast.unparse(node.test)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.ImportFrom) and node.module != "unittest":
        return not any((name.asname or name.name).startswith(("test", "Test", "*")) for name in node.names)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.AnnAssign | ast.AsyncFunctionDef)


def tests_of(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Every test with its class; decorated ones may mean anything."""
    for node in tree.body:
        if isinstance(node, Function) and node.name.startswith("test") and not node.decorator_list:
            yield "", node
        if isinstance(node, ast.ClassDef) and not node.decorator_list:
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test") and not inner.decorator_list:
                    yield node.name, inner


def id_of(runner: str, path: str, group: str, test: str) -> str:
    if runner == "pytest":
        return "::".join(part for part in (path, group, test) if part)
    return ".".join((path.removesuffix(".py").replace("/", "."), group, test))


def literals(test: Function) -> Iterator[tuple[list[ast.expr], int]]:
    """Every list of two compared expressions of which one is a literal, with its index: of lines that always run."""
    for line in _always(test.body):
        pair = _compared(line)
        known = [index for index, one in enumerate(pair) if _is_literal(one)]
        if len(pair) == 2 and len(known) == 1:
            yield pair, known[0]


def _always(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for line in body:
        if isinstance(line, ast.With):
            yield from _always(line.body) if not _catches(line) else ()
        elif isinstance(line, ast.Return | ast.Raise):
            return
        else:
            yield line


def _catches(line: ast.With) -> bool:
    """A block that may swallow a failure."""
    names = {node.attr if isinstance(node, ast.Attribute) else node.id for item in line.items
             for node in ast.walk(item.context_expr) if isinstance(node, ast.Attribute | ast.Name)}  # fmt: skip
    return bool(names & {"assertRaises", "assertRaisesRegex", "raises", "suppress", "subTest"})


def _compared(line: ast.stmt) -> list[ast.expr]:
    """The operands of an equality that a test asserts, as the list that holds them."""
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
        called = line.value.func
        own = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "self"
        return line.value.args[:2] if own and called.attr == "assertEqual" else []  # type: ignore[attr-defined]
    if isinstance(line, ast.Assert) and isinstance(line.test, ast.Compare) and isinstance(line.test.ops[0], ast.Eq):
        return [line.test.left, *line.test.comparators]
    return []


def _is_literal(node: ast.expr) -> bool:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return _is_value(value)


def _is_value(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_value, value)) and all(map(_is_value, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_value, value))
    return value is None or isinstance(value, str | bytes | int) or (isinstance(value, float) and math.isfinite(value))
