"""Which tests a Python file holds, by its syntax tree: nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def node_ids(path: str, source: bytes) -> tuple[str, ...] | None:
    """pytest's node ids of the functions and methods that it would collect; None where they cannot be told from the text.

    Parametrised tests, and classes that inherit tests, have ids that only collecting shows.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    found = list(_ids(tree.body, path))
    return None if None in found else tuple(one for one in found if one)


def _ids(body: list[ast.stmt], above: str) -> Iterator[str | None]:
    for one in body:
        if isinstance(one, ast.ClassDef) and (one.name.startswith("Test") or _is_case(one)):
            if _inherits(one):
                yield None
            yield from _ids(one.body, f"{above}::{one.name}")
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test"):
            yield None if any(_parametrises(mark) for mark in one.decorator_list) else f"{above}::{one.name}"


def _is_case(one: ast.ClassDef) -> bool:
    return any(_name(base).endswith("TestCase") for base in one.bases)


def _inherits(one: ast.ClassDef) -> bool:
    return any(not _name(base).endswith("TestCase") and _name(base) != "object" for base in one.bases)


def _name(node: ast.expr) -> str:
    return ast.unparse(node)


def _parametrises(mark: ast.expr) -> bool:
    return "parametrize" in _name(mark) or "parameterized" in _name(mark)
