"""Is something known to speak HTTP? By what it is, by what made it, by its name."""

from __future__ import annotations

import ast

from denominator.readers.api.scopes import Binding, Scope, last_name, visible
from denominator.readers.api.stdlib import TableClass
from denominator.readers.api.values import Inst, Mod
from denominator.readers.api.world import World

WORDS = ("client", "session", "http", "api", "requests", "rest", "gateway", "transport", "conn")
MODULES = frozenset(["requests", "httpx", "aiohttp", "urllib3", "urllib.request", "http.client", "niquests"])
FUNCTIONS = frozenset(("urlopen", "Request"))
STEPS_MAX = 8


def speaks_http(world: World, node: ast.Call, scope: Scope) -> bool:
    """Is what this call is made on, or the function itself, known to send requests?"""
    if not isinstance(node.func, ast.Attribute):
        return last_name(node.func) in FUNCTIONS
    receiver = node.func.value
    name = last_name(receiver).lower()
    if any(word in name for word in WORDS):
        return True
    for value in world.infer.of(receiver, scope):
        if isinstance(value, Mod) and value.container.name in MODULES:
            return True
        if isinstance(value, Inst) and isinstance(value.info, TableClass) and value.info.full.startswith("http.client"):
            return True
        if isinstance(value, Inst) and not isinstance(value.info, TableClass) and value.info.module.where == "spec":
            return True
    return made_by_library(receiver, scope)


def made_by_library(node: ast.expr, scope: Scope, steps: int = 0) -> bool:
    """Does every value of an expression come out of a library that is there for sending requests?"""
    base, names = node, []
    while isinstance(base, ast.Attribute | ast.Call | ast.Await):
        names += [base.attr] if isinstance(base, ast.Attribute) else []
        base = base.func if isinstance(base, ast.Call) else base.value
    if not isinstance(base, ast.Name) or steps > STEPS_MAX:
        return False
    for home in visible(scope, base.id):
        return all(_made(one, list(reversed(names)), steps) for one in home.bindings[base.id])
    return False


def _made(made: Binding, names: list[str], steps: int) -> bool:
    if made.kind in ("import", "from") and not made.level:
        full = [*made.target.split("."), *([made.name] if made.name else []), *names]
        return any(".".join(full[:size]) in MODULES for size in range(1, len(full) + 1))
    return (
        made.value is not None
        and made.kind in ("value", "opaque")
        and made_by_library(made.value, made.scope, steps + 1)
    )
