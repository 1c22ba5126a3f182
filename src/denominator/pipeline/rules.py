"""The digest of the rule set that a seal fixes and every slip prints.

It covers each rule's code and version and the syntax tree of every file that decides anything: rules, tables, shared
helpers, the counting and the numbers. Comments, docstrings and formatting do not move it.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterator
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
    found = hashlib.sha256(json.dumps(entries, separators=(",", ":"), ensure_ascii=False).encode())
    # One file at a time: hundreds of trees that are alive at once cost more to collect than to make.
    for name, text in sorted(deciding_sources()):
        found.update(f"\n{name}\n{shape_of(text)}".encode("utf-8", "surrogatepass"))
    return found.hexdigest()


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


def shape_of(source: str) -> str:
    """The syntax tree of a file as text: no positions, docstrings or empty fields, so that every Python agrees.

    A node is `Name(field:value,...)`, a list `[value,...]`, anything else its type and `repr`, in which every quote is escaped:
    no two trees are one text.
    """
    parts: list[str] = []
    _write(ast.parse(source), parts.append)
    return "".join(parts)


def _write(node: ast.AST, say: Callable[[str], None]) -> None:
    say(type(node).__name__)
    say("(")
    for name in node._fields:
        if name in SHAPELESS or (value := getattr(node, name, None)) is None:
            continue
        if name == "body" and isinstance(value, list):
            value = without_docstring(value)
        if value != []:
            say(name)
            say(":")
            _plain(value, say)
            say(",")
    say(")")


def without_docstring(body: list[ast.AST]) -> list[ast.AST]:
    """Statements without a leading string."""
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if is_text else body


def _plain(value: object, say: Callable[[str], None]) -> None:
    if isinstance(value, ast.AST):
        _write(value, say)
    elif isinstance(value, list):
        say("[")
        for one in value:
            _plain(one, say)
            say(",")
        say("]")
    else:
        say(f"{type(value).__name__} {value!r}")
