"""The digest of the rule set that a seal fixes and every slip prints.

It covers each rule's code and version and the syntax tree of every file that decides anything: rules, tables, shared
helpers, the counting and the numbers. Comments, docstrings and formatting do not move it.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from denominator.pipeline.catalog import rule_entries

DECIDING = ("gate", "labels", "ledger", "metrics", "review/deciding", "stats")
DECIDING_FILES = ("judge.py", "review/words.py")
SHAPELESS = ("kind", "type_comment", "ctx")
"""Fields of a syntax tree that follow from its other ones, or hold comments."""


@cache
def rules_digest() -> str:
    """sha256 over the sorted codes and versions and the normalised syntax tree of every deciding file."""
    entries = sorted([entry.code, entry.name, entry.version] for entry in rule_entries())
    # Written file by file: hundreds of trees that are alive at once cost more to collect than to make.
    shapes = sorted((name, _compact(shape_of(ast.parse(text)))) for name, text in deciding_sources())
    sources = ",".join(f"{_compact(name)}:{shape}" for name, shape in shapes)
    return hashlib.sha256(f"[{_compact(entries)},{{{sources}}}]".encode()).hexdigest()


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def deciding_sources() -> Iterator[tuple[str, str]]:
    """Path inside the package and source text of every file that decides anything."""
    root = files("denominator")
    for name in DECIDING_FILES:
        yield name, root.joinpath(name).read_text(encoding="utf-8")
    for package in DECIDING:
        yield from _under(root.joinpath(package), package)


def _under(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for child in sorted(folder.iterdir(), key=lambda one: one.name):
        if child.is_dir():
            yield from _under(child, f"{path}/{child.name}")
        elif child.name.endswith(".py"):
            yield f"{path}/{child.name}", child.read_text(encoding="utf-8")


def shape_of(node: ast.AST) -> list[object]:
    """A syntax tree as plain lists: no positions, docstrings or empty fields, so that every Python agrees."""
    parts: list[object] = [type(node).__name__]
    for name, value in ast.iter_fields(node):
        if name in SHAPELESS:
            continue
        if name == "body" and isinstance(value, list):
            value = without_docstring(value)
        plain = _plain(value)
        if plain not in (None, []):
            parts.append([name, plain])
    return parts


def without_docstring(body: list[ast.AST]) -> list[ast.AST]:
    """Statements without a leading string."""
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if is_text else body


def _plain(value: object) -> object:
    if isinstance(value, ast.AST):
        return shape_of(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if value is None else f"{type(value).__name__}:{value!r}"
