"""What stands around a piece of code and says that its author expects it to fail."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

CATCHES = {
    "ImportError": "import",
    "ModuleNotFoundError": "import",
    "AttributeError": "attribute",
    "NameError": "name",
    "TypeError": "keyword",
}
EVERYTHING = frozenset(("Exception", "BaseException"))
VERSION_FLAG = re.compile(r"\b_?(?:IS_)?PY(?:THON)?_?[23]", re.I)
"""A constant that says under which Python something is: PY3, PY_3_12_PLUS, _PY315_PLUS."""
PLATFORM_WORDS = ("version_info", "sys.platform", "os.name", "platform.", "hasattr(", "hexversion", "implementation")


@dataclass(frozen=True, slots=True)
class Guard:
    """`caught` are kinds of failure that a handler takes; `platform` and `typing` are kinds of branches."""

    caught: frozenset[str] = frozenset()
    platform: bool = False
    typing: bool = False

    def __or__(self, other: Guard) -> Guard:
        return Guard(self.caught | other.caught, self.platform or other.platform, self.typing or other.typing)

    def inside_function(self) -> Guard:
        """A handler around a definition does not catch what the call does later."""
        return Guard(frozenset(), self.platform, self.typing)

    def without_typing(self) -> Guard:
        """The other branch of a check for type checkers."""
        return Guard(self.caught, self.platform, False)


NO_GUARD = Guard()


def guard_of_try(node: ast.Try | ast.TryStar) -> Guard:
    """What the handlers of a try statement catch."""
    caught: set[str] = set()
    for handler in node.handlers:
        caught |= {"import"} if handler.type is None else caught_by(handler.type)
    return Guard(frozenset(caught))


def guard_of_handler(handler: ast.ExceptHandler) -> Guard:
    """What runs only when something is absent: the second choice may be absent too. A broad handler says nothing."""
    if handler.type is None:
        return NO_GUARD
    return Guard(caught_by(handler.type, frozenset()))


def caught_by(expression: ast.expr, broad: frozenset[str] = frozenset(("import",))) -> frozenset[str]:
    """Kinds of failure that an exception class, or a tuple of them, stands for.

    Broad classes are taken as the sign of an optional import, never as the sign of an optional member.
    """
    parts = expression.elts if isinstance(expression, ast.Tuple) else [expression]
    out: set[str] = set()
    for part in parts:
        name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        out |= broad if name in EVERYTHING else {CATCHES[name]} if name in CATCHES else set()
    return frozenset(out)


def guard_of_with(node: ast.With | ast.AsyncWith) -> Guard:
    """`with suppress(ImportError)` and `with pytest.raises(AttributeError)`."""
    caught: frozenset[str] = frozenset()
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call):
            for argument in call.args:
                caught |= caught_by(argument)
    return Guard(caught)


def guard_of_if(test: ast.expr) -> Guard:
    """Checks of a version, a platform or a type checker."""
    text = ast.unparse(test)
    typing = text.rpartition(".")[2] == "TYPE_CHECKING"
    return Guard(
        platform=any(word in text for word in PLATFORM_WORDS) or bool(VERSION_FLAG.search(text)), typing=typing
    )
