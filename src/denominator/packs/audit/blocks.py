"""Which blocks of code do hidden tests reach? A block with a bomb at its start turns the grading red, or nobody goes there.

The solution needs no way out of its sandbox for this: the verdict itself is the report. A bomb ends its process at once, so
that no `except` of the solution can swallow it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

BOMB = '__import__("os")._exit(86)'


@dataclass(frozen=True, slots=True, kw_only=True)
class Bomb:
    """One changed file: the line and the kind of the block that begins with the bomb, the whole new source."""

    path: str
    line: int
    kind: str
    source: bytes


def bombs_of(path: str, source: bytes) -> tuple[Bomb, ...]:
    """One for each function body and each branch. A file without any has one at its top: is it imported at all?"""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    lines = source.splitlines(keepends=True)
    found: dict[bytes, Bomb] = {}
    for kind, body in list(_bodies(tree)) or _top(tree):
        first = body[1] if _is_text(body[0]) and len(body) > 1 else body[0]
        made = _with_bomb(lines, first)
        if made is not None:
            found.setdefault(made, Bomb(path=path, line=first.lineno, kind=kind, source=made))
    return tuple(sorted(found.values(), key=lambda one: one.line))


def _top(tree: ast.Module) -> list[tuple[str, list[ast.stmt]]]:
    """The statements of a module without blocks, behind its text and what must stand first."""
    body = tree.body[1:] if tree.body and _is_text(tree.body[0]) else tree.body
    body = [one for one in body if not (isinstance(one, ast.ImportFrom) and one.module == "__future__")]
    return [("module", body)] if body else []


def _bodies(tree: ast.AST) -> Iterator[tuple[str, list[ast.stmt]]]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield f"function {node.name}", node.body
            case ast.If():
                yield "if", node.body
                if node.orelse and not isinstance(node.orelse[0], ast.If):
                    yield "else", node.orelse
            case ast.For() | ast.AsyncFor() | ast.While():
                yield "loop", node.body
            case ast.ExceptHandler():
                yield "except", node.body
            case ast.match_case():
                yield "case", node.body


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _with_bomb(lines: list[bytes], first: ast.stmt) -> bytes | None:
    """The bomb on a line of its own, or before a statement that stands behind a colon."""
    at = first.lineno - 1
    if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and first.decorator_list:
        at = min(one.lineno for one in first.decorator_list) - 1
    line = lines[at]
    indent = line[: len(line) - len(line.lstrip())]
    if at != first.lineno - 1 or len(indent) == first.col_offset:
        made = [*lines[:at], indent + BOMB.encode() + b"\n", *lines[at:]]
    else:
        made = [
            *lines[:at],
            line[: first.col_offset] + BOMB.encode() + b"; " + line[first.col_offset :],
            *lines[at + 1 :],
        ]
    whole = b"".join(made)
    try:
        ast.parse(whole)
    except (SyntaxError, ValueError):
        return None
    return whole
