"""Routes and request bodies that frozen specifications list: OpenAPI 3 as JSON, and a small `paths` list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from denominator.readers.api import small
from denominator.readers.api.small import METHODS

__all__ = ["METHODS", "Route", "Spec", "read_spec", "resolve", "resolve_at"]
REFS_MAX = 20


@dataclass(frozen=True, slots=True)
class Route:
    """One path template. `methods` is None when the document does not list them."""

    template: str
    at: str
    methods: frozenset[str] | None
    bodies: Mapping[str, Any] = field(default_factory=dict)
    prefixes: tuple[str, ...] = ()


@dataclass(slots=True)
class Spec:
    """All routes of a specification; `unread` are documents that could not be read, with why.

    `symbols` has the last part of every listed name, `names` the whole of it; both say which document lists it.
    `stated`: at least one document is a list of what may be used.
    """

    routes: list[Route] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    documents: dict[str, Any] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)
    stated: bool = False


def read_spec(files: Mapping[str, bytes]) -> Spec:
    """Reads every JSON document; what is YAML is named as unread."""
    spec = Spec()
    for path in sorted(files):
        if path.endswith((".yaml", ".yml")):
            spec.unread.append((path, "YAML is not read, give JSON"))
        elif path.endswith(".json"):
            try:
                spec.documents[path] = json.loads(files[path])
            except (ValueError, RecursionError):
                spec.unread.append((path, "not JSON"))
    for path, document in spec.documents.items():
        if isinstance(document, dict):
            _document(spec, path, document)
    return spec


def _document(spec: Spec, path: str, document: dict[str, Any]) -> None:
    paths = document.get("paths")
    if isinstance(document.get("openapi"), str) and document["openapi"].startswith("3."):
        _openapi(spec, path, document, paths if isinstance(paths, dict) else {})
    elif "swagger" in document or "openapi" in document:
        spec.unread.append((path, "an OpenAPI version other than 3"))
    elif small.is_small(document):
        _small(spec, path, document)


def _small(spec: Spec, path: str, document: dict[str, Any]) -> None:
    spec.stated = True
    for template, methods, host in small.routes(document):
        spec.routes.append(Route(template, path, methods))
        spec.hosts |= {host} if host else set()
    for name in small.symbols(document):
        spec.names[name] = path
        spec.symbols[name.rpartition(".")[2]] = path


def _openapi(spec: Spec, path: str, document: dict[str, Any], paths: dict[str, Any]) -> None:
    spec.stated = True
    servers = [s.get("url", "") for s in document.get("servers", []) if isinstance(s, dict)]
    split = [urlsplit(str(url)) for url in servers]
    spec.hosts |= {part.netloc for part in split if part.netloc}
    prefixes = tuple(sorted({part.path.rstrip("/") for part in split} - {""}))
    for template, item in sorted(paths.items()):
        here = resolve(spec, path, item)
        if not isinstance(here, dict):
            spec.routes.append(Route(template, path, None, {}, prefixes))
            continue
        methods = frozenset(m for m in here if m in METHODS)
        bodies = {m: _body(spec, path, here[m]) for m in methods}
        spec.routes.append(Route(template, path, methods, {m: b for m, b in bodies.items() if b}, prefixes))


def _body(spec: Spec, path: str, operation: Any) -> Any:
    """(document, schema) of the JSON request body, or nothing."""
    body = resolve(spec, path, operation.get("requestBody")) if isinstance(operation, dict) else None
    content = body.get("content") if isinstance(body, dict) else None
    for kind, media in sorted(content.items()) if isinstance(content, dict) else ():
        if (kind == "application/json" or kind.endswith("+json")) and isinstance(media, dict):
            return (path, media.get("schema"))
    return None


def resolve(spec: Spec, path: str, node: Any) -> Any:
    """Follows `$ref` inside the document and into other documents of the specification; nothing when it leads nowhere."""
    found = resolve_at(spec, path, node)
    return found[1] if found else None


def resolve_at(spec: Spec, path: str, node: Any) -> tuple[str, Any] | None:
    """As `resolve`, with the document that the node was found in."""
    for _ in range(REFS_MAX):
        if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
            return path, node
        other, _, pointer = node["$ref"].partition("#")
        path = _beside(path, other) if other else path
        node = spec.documents.get(path)
        for part in [p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:]]:
            node = node.get(part) if isinstance(node, dict) else None
        if node is None:
            return None
    return None


def _beside(path: str, other: str) -> str:
    folders = path.split("/")[:-1]
    for part in other.split("/"):
        if part == "..":
            folders = folders[:-1]
        elif part != ".":
            folders.append(part)
    return "/".join(folders)
