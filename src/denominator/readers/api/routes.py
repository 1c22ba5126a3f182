"""Paths that calls send requests to, against the routes of the frozen specification."""

from __future__ import annotations

import ast
from collections.abc import Callable
from urllib.parse import urlsplit

from denominator.readers.api.bodies import body_of, keys
from denominator.readers.api.clients import speaks_http
from denominator.readers.api.found import Collector, Place
from denominator.readers.api.openapi import METHODS, Route, Spec
from denominator.readers.api.scopes import Scope, Use, last_name
from denominator.readers.api.served import Served
from denominator.readers.api.shape import INVENTED, KNOWN, Origin
from denominator.readers.api.stdlib import TableClass
from denominator.readers.api.templates import HOLE, fits_end, matches, overlap
from denominator.readers.api.texts import text_of
from denominator.readers.api.values import Inst, Std
from denominator.readers.api.world import World

PATH_WORDS = frozenset(("url", "path", "uri", "endpoint", "route"))
ANY_METHOD = frozenset(("urlopen", "Request", "fetch", "request"))
METHOD_FIRST = frozenset(("stream", "build_request", "prepare_request"))
LENIENT = frozenset(("head", "options"))
UNREAD = "cannot be held against the specification, "
"""How the reason begins where a document of the specification could not be read."""
NO_HTTP = "what the method is called on is not known to speak HTTP"
Added = Callable[..., bool]


class Routes:
    """Judges calls that look like requests."""

    def __init__(self, world: World, spec: Spec) -> None:
        self.world = world
        self.spec = spec
        self.served = Served(world)

    def judge(self, node: ast.Call, use: Use, out: Collector, added: Added) -> None:
        """Adds the route and the body keys of one call, if it is a request."""
        sent = request_of(node, use.scope)
        if sent is None or use.decorator:
            return
        method, where = sent
        lines = [*range(where.lineno, (where.end_lineno or where.lineno) + 1), node.func.end_lineno or 0]
        text = text_of(where, use.scope)
        if text is None or not added(use, *lines) or self._no_client(node, use.scope):
            return
        client = speaks_http(self.world, node, use.scope)
        path = self._path(text, client)
        if path:
            pin = use.pin or where
            place = Place(pin.lineno, pin.col_offset)  # type: ignore[attr-defined]
            found = self._route(method, path, client, f"{method.upper() or 'ANY'} {shown(path)}", place, out)
            self._keys(node, use, found, method, path, out, added)

    def said(self, method: str, text: str, place: Place, out: Collector) -> None:
        """Adds the route of a request that is surely one, with its path as a text with holes."""
        path = self._path(text, client=True)
        if path:
            self._route(method, path, True, f"{method.upper() or 'ANY'} {shown(path)}", place, out)

    # --- which path of which host

    def _path(self, text: str, client: bool) -> str:
        """The path of a text; "" when it is none, "!host" when it belongs to another host."""
        text = text.partition("?")[0].partition("#")[0]
        if text.startswith(("http://", "https://")):
            try:
                split = urlsplit(text.replace(HOLE, "%00"))
            except ValueError:
                return ""
            if "%00" not in split.netloc and split.netloc not in self.spec.hosts:
                return f"!{split.netloc}"
            return split.path.replace("%00", HOLE)
        rest = text.lstrip(HOLE)
        if rest.startswith("/"):
            return rest
        return f"/{rest}" if client and rest and rest == text and " " not in rest else ""

    def _no_client(self, node: ast.Call, scope: Scope) -> bool:
        """Is it a dictionary or another thing of the standard library that has a method of this name?"""
        if not isinstance(node.func, ast.Attribute):
            return False
        values = self.world.infer.of(node.func.value, scope)
        return bool(values) and all(
            (isinstance(v, Inst) and isinstance(v.info, TableClass) and not v.info.full.startswith("http.client"))
            or (isinstance(v, Std) and v.name != "None")
            for v in values
        )

    # --- the judgement

    def _route(self, method: str, path: str, client: bool, name: str, place: Place, out: Collector) -> list[Route]:
        if path.startswith("!"):
            out.not_evaluated("route", name.replace("!", "//"), "another host than the specification's", place)
            return []
        found = self._matching(path)
        if found:
            self._method(method, found, name, place, out)
            return found
        why = self._doubt(path, client)
        if why:
            out.not_evaluated("route", name, why, place)
        elif at := self.served.where(path):
            out.known("route", name, at, place)
        else:
            out.invented("route", name, f"the {len(self.spec.routes)} paths of {self.spec.routes[0].at}", place)
        return []

    def _matching(self, path: str) -> list[Route]:
        every = [path, path.removesuffix(HOLE)] if path.endswith(HOLE) and not path.endswith(f"/{HOLE}") else [path]
        found = [r for r in self.spec.routes for full in templates_of(r) for p in every if matches(full, p)]
        plain = [r for r in found if "{" not in r.template]
        return plain if plain and HOLE not in path else found

    def _method(self, method: str, found: list[Route], name: str, place: Place, out: Collector) -> None:
        takes = [r for r in found if r.methods is None or not method or method in r.methods]
        if takes:
            out.known("route", name, Origin("spec", f"{takes[0].at} {takes[0].template}"), place)
        elif method in LENIENT:
            out.not_evaluated("route", name, f"many servers answer {method.upper()} without listing it", place)
        else:
            out.invented("route", name, f"the methods of {found[0].template} in {found[0].at}", place)

    def _doubt(self, path: str, client: bool) -> str:
        """Why a path that no template fits may be right after all, or ""."""
        if self.spec.unread:
            document, why = self.spec.unread[0]
            return f"{UNREAD}{document}: {why}" if client else NO_HTTP
        if not self.spec.routes:
            return "no specification lists routes"
        full = [t for route in self.spec.routes for t in templates_of(route)]
        other = path.rstrip("/") if path.endswith("/") else f"{path}/"
        if any(matches(t, other) for t in full):
            return "differs from a listed path by the slash at its end"
        if any(fits_end(t, path) for t in full):
            return "fits the end of a listed path; what stands before it is not known"
        if HOLE in path and any(overlap(t, path) for t in full):
            return "a value that is put in decides"
        return "" if client else NO_HTTP

    def _keys(
        self, node: ast.Call, use: Use, found: list[Route], method: str, path: str, out: Collector, added: Added
    ) -> None:
        body = body_of(node, use.scope)
        schema = next((r.bodies[method] for r in found if method in r.bodies), None)
        if body is None or schema is None:
            return
        for key, dotted, state, why in keys(self.spec, schema, body):
            if not added(use, key.lineno):
                continue
            name = f"{method.upper()} {shown(path)} {dotted}"
            place = Place(key.lineno, key.col_offset)
            if state == KNOWN:
                out.known("key", name, Origin("spec", schema[0]), place)
            elif state == INVENTED:
                out.invented("key", name, f"the properties of the body in {schema[0]}", place)
            else:
                out.not_evaluated("key", name, why, place)


def request_of(node: ast.Call, scope: Scope) -> tuple[str, ast.expr] | None:
    """Method ("" when unknown) and the expression of the path, if a call has the form of a request."""
    called = last_name(node.func).lstrip("_")
    args = list(node.args)
    if called in METHODS:
        method = called
    elif called in ANY_METHOD or called in METHOD_FIRST:
        method = _method_of(node, scope)
        first = (text_of(args[0], scope) or "").lower() if args else ""
        if first in METHODS or called == "request":
            method, args = first if first in METHODS else method, args[1:]
        elif called in METHOD_FIRST:
            return None
    else:
        return None
    named = [k.value for k in node.keywords if k.arg in PATH_WORDS]
    path = args[0] if args else named[0] if named else None
    return (method, path) if path is not None else None


def _method_of(node: ast.Call, scope: Scope) -> str:
    """The method that a keyword names, "" when none does."""
    named = [text_of(k.value, scope) or "" for k in node.keywords if k.arg == "method"]
    method = named[0].lower() if named else ""
    return method if method in METHODS else ""


def shown(path: str) -> str:
    """A path for people: holes as {}."""
    return path.replace(HOLE, "{}")


def templates_of(route: Route) -> list[str]:
    """The template alone and behind each base path of the specification's servers."""
    return [route.template, *(prefix + route.template for prefix in route.prefixes)]
