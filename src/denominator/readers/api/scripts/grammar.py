"""Grammars of the extra `languages`, loaded when the first file needs one; without the extra there is none."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any

EXTRA = "install denominator[languages] to have its imports and requests read"
BYTES_MAX = 1_000_000
GRAMMARS = {
    ".js": ("tree_sitter_javascript", "language"),
    ".mjs": ("tree_sitter_javascript", "language"),
    ".cjs": ("tree_sitter_javascript", "language"),
    ".jsx": ("tree_sitter_javascript", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".mts": ("tree_sitter_typescript", "language_typescript"),
    ".cts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}
Node = Any
"""A node of the parser: `type`, `children`, `child_by_field_name`, `text`, `start_point`, `end_point`."""


def suffix_of(path: str) -> str:
    """The suffix that chooses the grammar, "" when none does."""
    dot = path.rpartition("/")[2].rpartition(".")[2]
    return f".{dot}" if f".{dot}" in GRAMMARS else ""


@cache
def _parser(module: str, function: str) -> Any:
    """A parser, or nothing where the extra is not installed."""
    try:
        binding, grammar = importlib.import_module("tree_sitter"), importlib.import_module(module)
    except ImportError:
        return None
    return binding.Parser(binding.Language(getattr(grammar, function)()))


def parse(path: str, data: bytes) -> tuple[Node, str]:
    """The root of one file, or nothing and why."""
    if len(data) > BYTES_MAX:
        return None, f"more than {BYTES_MAX} bytes"
    parser = _parser(*GRAMMARS[suffix_of(path)])
    if parser is None:
        return None, f"another language: {suffix_of(path).lstrip('.')}; {EXTRA}"
    root = parser.parse(data).root_node
    return (None, "parse error") if root.has_error else (root, "")


def walk(root: Node) -> Iterator[Node]:
    """Every node below a root, in the order of the source, without recursion."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(node.children)


def text(node: Node) -> str:
    """The source of a node, "" for none."""
    return "" if node is None else node.text.decode("utf-8", "replace")
