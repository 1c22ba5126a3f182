"""Texts that code puts together: constants as they are, everything else as a hole."""

from __future__ import annotations

import ast
import re

from denominator.readers.api.scopes import Scope, last_name, visible
from denominator.readers.api.templates import HOLE

FORMATTED = re.compile(r"\{[^{}]*\}")
PERCENT = re.compile(r"%(?:\([^()%]*\))?[-+ #0-9.]*[a-zA-Z]")
DEPTH = 8


def text_of(node: ast.expr | None, scope: Scope, depth: int = 0) -> str | None:
    """The text of an expression with holes; nothing when it is no text as far as can be seen."""
    if node is None or depth > DEPTH:
        return None
    if isinstance(node, ast.Constant):
        return FORMATTED.sub(HOLE, node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = [v.value if isinstance(v, ast.Constant) else HOLE for v in node.values]
        return "".join(str(p) for p in parts)
    if isinstance(node, ast.BinOp):
        return _operation(node, scope, depth)
    if isinstance(node, ast.Call):
        return _call(node, scope, depth)
    return text_of(constant(node, scope), scope, depth + 1) if isinstance(node, ast.Name) else None


def _operation(node: ast.BinOp, scope: Scope, depth: int) -> str | None:
    left = text_of(node.left, scope, depth + 1)
    if isinstance(node.op, ast.Mod):
        return PERCENT.sub(HOLE, left) if left is not None else None
    if isinstance(node.op, ast.Add):
        right = text_of(node.right, scope, depth + 1)
        return None if left is None and right is None else (left or HOLE) + (right or HOLE)
    return None


def _call(node: ast.Call, scope: Scope, depth: int) -> str | None:
    called = last_name(node.func)
    if called == "format" and isinstance(node.func, ast.Attribute):
        left = text_of(node.func.value, scope, depth + 1)
        return FORMATTED.sub(HOLE, left) if left is not None else None
    if called == "urljoin" and len(node.args) == 2:
        end = text_of(node.args[1], scope, depth + 1)
        return None if end is None else f"{HOLE}/{end.lstrip('/')}"
    return None


def constant(node: ast.expr, scope: Scope) -> ast.expr | None:
    """The one expression that a name is bound to, if there is exactly one."""
    if not isinstance(node, ast.Name):
        return None
    for home in visible(scope, node.id):
        made = home.bindings[node.id]
        return made[0].value if len(made) == 1 and made[0].kind == "value" else None
    return None
