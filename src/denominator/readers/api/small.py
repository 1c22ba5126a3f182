"""The small form of a specification: lists of paths and symbols in one JSON document, without the rest of OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace"))
REQUEST = re.compile(r"(?:([A-Za-z]+)\s+)?(https?://\S+|/\S*)\Z")
COLON = re.compile(r"(?<=/):([A-Za-z_]\w*)")
PATH_KEYS = ("paths", "routes", "endpoints")
KEYS = (*PATH_KEYS, "symbols")
NOT_LISTED = frozenset(("servers", "tags", "security", "required", "enum", "examples"))


def split_request(text: str) -> tuple[str, str, str] | None:
    """(method or "", host or "", path) of "GET /v1/bills", "/v1/bills" or an address; nothing for another text."""
    found = REQUEST.match(text.strip())
    method = (found.group(1) or "").lower() if found else ""
    if found is None or (method and method not in METHODS):
        return None
    address = found.group(2)
    try:
        split = urlsplit(address) if not address.startswith("/") else urlsplit(f"x://y{address}")
    except ValueError:
        return None
    host = split.netloc if not address.startswith("/") else ""
    return method, host, COLON.sub(r"{\1}", split.path or "/")


def is_small(document: dict[str, Any]) -> bool:
    """Does it say by one of its keys that it is a list of what may be used? Any other JSON is an example or a schema."""
    return any(key in document for key in KEYS)


def listed(document: dict[str, Any]) -> Iterator[str]:
    """Every text that the lists of a small document hold, those of the path keys included."""
    for key, value in document.items():
        if isinstance(value, list) and key not in NOT_LISTED:
            yield from (item for item in value if isinstance(item, str))


def routes(document: dict[str, Any]) -> Iterator[tuple[str, frozenset[str] | None, str]]:
    """(template, methods or None, host) of every path of a small document; methods given more than once are joined."""
    methods: dict[str, frozenset[str] | None] = {}
    hosts: dict[str, str] = {}
    for text, given in _stated(document):
        sent = split_request(text)
        if sent is None:
            continue
        method, host, path = sent
        named = frozenset((method,)) if method else given
        before = methods.get(path, frozenset())
        methods[path] = None if named is None or before is None else before | named
        hosts.setdefault(path, host)
    for path in sorted(methods):
        yield path, methods[path], hosts[path]


def _stated(document: dict[str, Any]) -> Iterator[tuple[str, frozenset[str] | None]]:
    for text in listed(document):
        yield text, None
    for key in PATH_KEYS:
        value = document.get(key)
        if isinstance(value, dict):
            for text, below in value.items():
                words = below if isinstance(below, list | dict) else ()
                taken = frozenset(w.lower() for w in words if isinstance(w, str)) & METHODS
                yield text, taken or None


def symbols(document: dict[str, Any]) -> Iterator[str]:
    """Dotted names that a document lists: texts that are no path, and `{"Class": ["member", ...]}`."""
    for text in listed(document):
        if split_request(text) is None and text.strip():
            yield text.strip().partition("(")[0].strip()
    value = document.get("symbols")
    if isinstance(value, dict):
        for name, below in value.items():
            yield name
            members = below if isinstance(below, list | dict) else ()
            yield from (f"{name}.{m}".partition("(")[0] for m in members if isinstance(m, str))
