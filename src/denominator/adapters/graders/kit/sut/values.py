"""What crosses the door: plain data of exact built-in types, with tags so that a tuple stays a tuple."""

from __future__ import annotations

import json
import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

DIGITS_MAX = 4300


class Raised(Exception):
    """The solution raised: `.type` is the class name, `.bases` the names of its bases, `.message` its text."""

    def __init__(self, kind: str, message: str, bases: Any = ()) -> None:
        super().__init__(f"{kind}: {message}")
        self.type, self.message, self.bases = kind, message, tuple(bases)


class Broken(Exception):
    """No usable answer: the solution died, hung, talked nonsense or returned something that is not plain data."""


class Handle:
    """Names an object that lives on the solution's side; it can be passed as an argument."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


def read_json(line: bytes) -> Any:
    """Strict JSON: UTF-8, no key twice, no NaN, numbers of a sane length. Raises ValueError or RecursionError."""
    return json.loads(line.decode("utf-8"), parse_constant=_refuse, parse_int=_whole, object_pairs_hook=_once)


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _whole(text: str) -> int:
    if len(text) > DIGITS_MAX:
        raise ValueError("a number that is too long")
    return int(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key that comes twice")
    return found


def encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (str, int, bool, float):
        return value
    if kind in (list, tuple):
        return ["l" if kind is list else "t", *map(encode, value)]
    if kind is dict and all(type(k) is str for k in value):
        return ["d", *([k, encode(v)] for k, v in value.items())]
    if kind is Handle:
        return ["h", value.number]
    raise TypeError(f"an argument must be plain data or a handle, not {kind.__name__}")


def decode(value: Any) -> Any:
    """The value behind the tags. Raises ValueError, TypeError, IndexError or RecursionError."""
    kind = type(value)
    if value is None or kind in (str, int, bool):
        return value
    if kind is float and math.isfinite(value):
        return value
    if kind is not list:
        raise ValueError("untagged value")
    tag, items = value[0], value[1:]
    if tag == "l":
        return [decode(item) for item in items]
    if tag == "t":
        return tuple(decode(item) for item in items)
    if tag == "h" and len(items) == 1 and type(items[0]) is int:
        return Handle(items[0])
    if tag == "d" and all(type(pair) is list and len(pair) == 2 and type(pair[0]) is str for pair in items):
        return _once([(key, decode(item)) for key, item in items])
    raise ValueError("unknown tag")
