"""Values of foreign cards as texts and lists, and what is wrong with those that are neither."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from denominator.errors import InputError
from denominator.packs.lint.cards import keys
from denominator.packs.lint.material import PROSE_SUFFIXES, Text
from denominator.wire.strict import loads

_PATH = re.compile(r"/|\.\w{1,5}\Z")


def first(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value of the first of these keys that is there; None where none is."""
    return next((values[name] for name in names if name in values), None)


def stated(values: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Is one of these keys there, whatever it holds?"""
    return any(name in values for name in names)


def texts_of(value: Any) -> tuple[str, ...]:
    """A list of texts; a text that is a JSON list; one text; the keys of an object. Blank ones do not count."""
    if isinstance(value, str):
        value = _json_list(value)
    if isinstance(value, Mapping):
        value = list(value)
    if not isinstance(value, list):
        value = [] if value is None else [value]
    return tuple(text for one in value if (text := _text(one).strip()))


def lists_of(values: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """The texts of all of these keys, in order."""
    return tuple(text for name in names if name in values for text in texts_of(values[name]))


def command_of(value: Any) -> str:
    """A command as one shell line: words of an argument list are quoted, several lines must all succeed."""
    if isinstance(value, str):
        return value
    words = texts_of(value)
    return " && ".join(words) if words and " " in words[0] else shlex.join(words)


def is_path(test: str) -> bool:
    """Does a hidden test's name say a file rather than an id?"""
    return "::" not in test and " " not in test and bool(_PATH.search(test))


def shown_texts(values: Mapping[str, Any], where: str) -> Iterator[Text]:
    """Every text that the agent can read: prompts, READMEs, comments, hints, files by their path."""
    for key, value in values.items():
        if key in keys.FILES and isinstance(value, Mapping):
            for path, text in value.items():
                prose = PurePosixPath(path).suffix.lower() in PROSE_SUFFIXES
                yield Text(f"{where} {path}", tuple(_text(text).splitlines()), prose)
        elif keys.SHOWN.search(key) and key not in keys.ABOUT and not keys.is_listing_key(key):
            yield from _prose(value, f"{where} {key}")


def _prose(value: Any, where: str) -> Iterator[Text]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _prose(one, f"{where}.{key}")
    else:
        lines = [line for text in (value if isinstance(value, list) else [value]) for line in _text(text).splitlines()]
        if lines:
            yield Text(where, tuple(lines), prose=True)


def _text(value: Any) -> str:
    """A text, or the name, path or id of an object that stands for one."""
    if isinstance(value, Mapping):
        return _text(first(value, ("id", "sha", "name", "ref", "path", "file", "test", "text", "content")) or "")
    return "" if value is None or isinstance(value, list) else str(value)


def _json_list(text: str) -> Any:
    if text.lstrip().startswith("["):
        try:
            return loads(text, floats="decimal")
        except InputError:
            return [text]
    return [text]
