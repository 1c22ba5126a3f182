"""Routes that the repository and the patch serve themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from denominator.readers.api.modules import SourceModule
from denominator.readers.api.scopes import last_name
from denominator.readers.api.shape import Origin
from denominator.readers.api.templates import NAMED, fits_end, matches
from denominator.readers.api.tree import SUFFIXES
from denominator.readers.api.world import World

SERVING = frozenset(
    [
        "route",
        "add_url_rule",
        "add_route",
        "add_api_route",
        "path",
        "re_path",
        "Route",
        "APIRoute",
        "register",
        "mount",
        "websocket",
    ]
)
DECORATING = frozenset(
    ["get", "put", "post", "delete", "options", "head", "patch", "trace", "route", "websocket", "api_route"]
)
MAY_SERVE = re.compile(
    rb"(?:" + b"|".join(word.encode() for word in sorted(SERVING | DECORATING)) + rb")\s*\(\s*[rRuUbBfF]{0,2}[\"']"
)


class Served:
    """Looks for definitions of routes, once and only when it is asked."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._known: list[tuple[str, Origin]] | None = None

    def where(self, path: str) -> Origin | None:
        """Who serves a path, if anybody here does."""
        if self._known is None:
            self._known = list(self._all())
        return next((o for template, o in self._known if matches(template, path) or fits_end(template, path)), None)

    def _all(self) -> Iterator[tuple[str, Origin]]:
        files, effort = self.world.after.files, self.world.effort
        for path in sorted(path for path in files if path.endswith(SUFFIXES)):
            if effort.limited:
                return
            effort.scan(len(files[path]))
            module = self.world.load(path) if MAY_SERVE.search(files[path]) else None
            if isinstance(module, SourceModule):
                for text, node in _texts(module.parsed.tree):
                    yield "/" + NAMED.sub("{}", text).strip("/"), module.origin(node)


def _texts(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """First arguments of calls that define routes."""
    for node in ast.walk(tree):
        decorators = (
            node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
        )
        calls = [d for d in decorators if isinstance(d, ast.Call) and last_name(d.func) in DECORATING]
        if isinstance(node, ast.Call) and last_name(node.func) in SERVING:
            calls.append(node)
        for call in calls:
            first = call.args[0] if call.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value, call
