"""What was worked out of a source once: a folder of many runs is read run by run, and what they share is parsed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from denominator.wire.sources.base import Source

T = TypeVar("T")
_KEPT: WeakKeyDictionary[Source, dict[object, Any]] = WeakKeyDictionary()


def remembered(files: Source, key: object, make: Callable[[], T]) -> T:
    """What `make` gives, made once for each source and key, and kept as long as the source is. Nobody may change it.

    For tables of names and counts, not for rows. An error is not kept.
    """
    kept = _KEPT.setdefault(files, {})
    if key not in kept:
        kept[key] = make()
    return cast(T, kept[key])
