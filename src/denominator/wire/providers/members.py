"""Where the members of a JSON object stand in its bytes, so that one can be put in without touching another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]', re.DOTALL)
_OPEN, _SHUT = (b"{", b"["), (b"}", b"]")


@dataclass(frozen=True, slots=True)
class Member:
    """One member: its name, and where its value begins and ends, spaces around it included."""

    name: str
    begin: int
    end: int


def members(body: bytes) -> Iterator[Member]:
    """The members of the object that `body` is, in their order. `body` is known to be a JSON object."""
    depth, name, begin, text = 0, "", 0, b""
    for token in _TOKEN.finditer(body):
        mark = token.group()
        if depth == 1 and mark == b":" and not begin:
            name, begin = _name(text), token.end()
        elif depth == 1 and begin and mark in (b",", b"}"):
            yield Member(name, begin, token.start())
            begin = 0
        if mark in _OPEN:
            depth += 1
        elif mark in _SHUT:
            depth -= 1
        elif mark.startswith(b'"'):
            text = mark


def _name(text: bytes) -> str:
    return str(json.loads(text.decode("utf-8", "surrogatepass")))


def with_member(body: bytes, name: str, value: bytes) -> bytes:
    """The object with this value for a member: in its place where the name is there, else as the first member."""
    places = [found for found in members(body) if found.name == name]
    for place in reversed(places):
        body = body[: place.begin] + value + body[place.end :]
    if places:
        return body
    first = body.index(b"{") + 1
    empty = body[first:].lstrip(b" \t\r\n").startswith(b"}")
    return body[:first] + json.dumps(name).encode() + b":" + value + (b"" if empty else b",") + body[first:]
