"""Counter-tests made of a pack's own tests: one literal that a test expects is changed, so that a right solution fails it.

Made anew for every grading, where the author allows it (`[verify] generated_counter_tests`). Only what is certain is
touched: an equality with a literal, in a line that always runs (`self.assertEqual(x, 3)`, `assert x == 3`), in a test
without decorators.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.adapters.graders.sentinels import Pick, Sentinel, new_stem, vocabulary

COUNT_MAX = 12
Function = ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expected literal stands: file, class ("" for none), test, and which equality of the test it is."""

    path: str
    group: str
    test: str
    number: int


def make_counter_tests(
    runner: str, hidden: Mapping[str, bytes], expected: Collection[str], pick: Pick
) -> tuple[Sentinel, ...]:
    """One counter-test for each expected test that has a plain equality, at most `COUNT_MAX` in the order of their ids."""
    words = vocabulary(expected)
    taken = {path.rpartition("/")[2].removesuffix(".py") for path in hidden}
    made: list[Sentinel] = []
    for path in sorted(hidden):
        name = path.rpartition("/")[2]
        if name.startswith("test") and name.endswith(".py"):
            for places in _places(runner, path, hidden[path], expected):
                if len(made) < COUNT_MAX:
                    stem = new_stem(words, taken, pick)
                    made.append(_inverted(runner, hidden[path], places[pick(len(places))], stem, words, pick))
    return tuple(made)


def _places(runner: str, path: str, source: bytes, expected: Collection[str]) -> Iterator[list[Place]]:
    """The equalities of each expected test of a file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    if not all(map(_is_plain, tree.body)):
        return
    for group, test in _tests(tree):
        found = [Place(path, group, test.name, number) for number in range(len(list(_literals(test))))]
        if found and _id(runner, path, group, test.name) in expected:
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
    return isinstance(node, ast.Import | ast.ImportFrom | ast.AnnAssign | ast.AsyncFunctionDef)


def _tests(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Every test with its class; decorated ones may mean anything."""
    for node in tree.body:
        if isinstance(node, Function) and node.name.startswith("test") and not node.decorator_list:
            yield "", node
        if isinstance(node, ast.ClassDef) and not node.decorator_list:
            for inner in node.body:
                if isinstance(inner, Function) and inner.name.startswith("test") and not inner.decorator_list:
                    yield node.name, inner


def _id(runner: str, path: str, group: str, test: str) -> str:
    if runner == "pytest":
        return "::".join(part for part in (path, group, test) if part)
    return ".".join((path.removesuffix(".py").replace("/", "."), group, test))


def _literals(test: Function) -> Iterator[tuple[list[ast.expr], int]]:
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


def other_value(value: Any, pick: Pick) -> Any:
    """A value of the same look that is not equal to it."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1 + pick(3) if abs(value) < 1e15 else -value
    if isinstance(value, str):
        at = pick(len(value) + 1)
        return value[:at] + "aeinorst"[pick(8)] + value[at:]
    if isinstance(value, bytes):
        return value + b"\n"
    if isinstance(value, dict):
        if not value:
            return {"value": pick(9)}
        key = list(value)[pick(len(value))]
        return {**value, key: other_value(value[key], pick)}
    if not value:
        return type(value)((pick(9),))
    at = pick(len(value))
    return type(value)(other_value(item, pick) if index == at else item for index, item in enumerate(value))


def _inverted(runner: str, source: bytes, place: Place, stem: str, words: list[str], pick: Pick) -> Sentinel:
    """The module without its tests, and at its end one of them under another name with its literal changed."""
    tree = ast.parse(source)
    test = next(one for group, one in _tests(tree) if (group, one.name) == (place.group, place.test))
    holders: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for holder in holders:
        holder.body = [node for node in holder.body if not _is_test(node)] or [ast.Pass()]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.name for node in tree.body if isinstance(node, ast.ClassDef)
    }
    pair, index = list(_literals(test))[place.number]
    value = other_value(ast.literal_eval(pair[index]), pick)
    _put(test, place.number, ast.parse(repr(value), mode="eval").body)
    test.name = f"test_{words[pick(len(words))]}_{words[pick(len(words))]}"
    group = ""
    if place.group:
        while not group or group in names:
            word = words[pick(len(words))].title() + words[pick(len(words))].title()
            group = f"Test{word}" if runner == "pytest" else f"{word}Test"
        base = ast.Name(place.group, ast.Load())
        tree.body.append(ast.ClassDef(name=group, bases=[base], keywords=[], body=[test], decorator_list=[]))
    else:
        tree.body.append(test)
    folder = place.path.rpartition("/")[0]
    path = f"{folder}/{stem}.py" if folder else f"{stem}.py"
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return Sentinel(path, text.encode(), _id(runner, path, group, test.name))


def _put(test: Function, number: int, value: ast.expr) -> None:
    """Change one literal in place."""
    for line_number, (pair, index) in enumerate(_literals(test)):
        if line_number == number:
            old = pair[index]
            for node in ast.walk(test):
                for name, field in ast.iter_fields(node):
                    if field is old:
                        setattr(node, name, value)
                    elif isinstance(field, list) and any(item is old for item in field):
                        field[:] = [value if item is old else item for item in field]
            return


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
