"""Counter-tests made of a pack's own tests: one literal that a test expects is changed, so that a right solution fails it.

Made anew for every grading, where the author allows it (`[verify] generated_counter_tests`). Only what is certain is
touched: an equality with a literal, in a line that always runs (`self.assertEqual(x, 3)`, `assert x == 3`), in a test
without decorators.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from denominator.adapters.graders.equalities import Function, Place, id_of, literals, places_of, tests_of
from denominator.adapters.graders.sentinels import Pick, Sentinel, new_stem, vocabulary

COUNT_MAX = 12


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
            for places in places_of(runner, path, hidden[path], expected):
                if len(made) < COUNT_MAX:
                    stem = new_stem(words, taken, pick)
                    made.append(_inverted(runner, hidden[path], places[pick(len(places))], stem, words, pick))
    return tuple(made)


def numbers_in(expression: ast.expr) -> list[Any]:
    """The numbers that stand in an expression."""
    found = [node.value for node in ast.walk(expression) if isinstance(node, ast.Constant)]
    return [one for one in found if isinstance(one, int | float) and not isinstance(one, bool)]


def other_value(value: Any, pick: Pick, near: Sequence[Any] = ()) -> Any:
    """A value of the same look that is not equal to it. Mostly a number is one of `near`: what was asked about is plausible."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        plausible = [one for one in near if one != value]
        if plausible and pick(4):
            return plausible[pick(len(plausible))]
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
        return {**value, key: other_value(value[key], pick, near)}
    if not value:
        return type(value)((pick(9),))
    at = pick(len(value))
    return type(value)(other_value(item, pick, near) if index == at else item for index, item in enumerate(value))


def _inverted(runner: str, source: bytes, place: Place, stem: str, words: list[str], pick: Pick) -> Sentinel:
    """The module without its tests, and at its end one of them under another name with its literal changed."""
    tree = ast.parse(source)
    test = next(one for group, one in tests_of(tree) if (group, one.name) == (place.group, place.test))
    holders: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for holder in holders:
        holder.body = [node for node in holder.body if not _is_test(node)] or [ast.Pass()]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.name for node in tree.body if isinstance(node, ast.ClassDef)
    }
    pair, index = list(literals(test))[place.number]
    value = other_value(ast.literal_eval(pair[index]), pick, numbers_in(pair[1 - index]))
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
    return Sentinel(path, text.encode(), id_of(runner, path, group, test.name))


def _put(test: Function, number: int, value: ast.expr) -> None:
    """Change one literal in place."""
    for line_number, (pair, index) in enumerate(literals(test)):
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
