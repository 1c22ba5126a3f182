"""Which lists a card's reward is made of, and which of them hold nothing to check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from denominator.packs.lint.cards import keys

DEPTH = 3


def empty_rewards(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of empty lists that stand inside a reward, or that a reward names."""
    lists = dict(_lists(values, DEPTH))
    inside = {
        name
        for key, value in _rewards(values, DEPTH)
        for name, one in _lists({key: value}, DEPTH)
        if _counted(name, one)
    }
    named = {_bare(one) for _, value in _rewards(values, DEPTH) for one in _names(value)}
    told = {
        name for name, one in lists.items() if not one and any(_same(_bare(name.rsplit(".", 1)[-1]), n) for n in named)
    }
    return tuple(sorted(inside | told))


def check_lists(values: Mapping[str, Any]) -> dict[str, int]:
    """Lists of assertions by name, and how many each holds."""
    found = dict(_lists(values, DEPTH))
    return {name: len(one) for name, one in found.items() if name.rsplit(".", 1)[-1] in keys.CHECKS}


def _counted(name: str, one: list[Any]) -> bool:
    """An empty list inside a reward, but for the list of the reward's own parts."""
    return not one and "." in name


def _lists(values: Mapping[str, Any], depth: int, prefix: str = "") -> Iterator[tuple[str, list[Any]]]:
    for key, value in values.items():
        name = f"{prefix}{keys.plain(str(key))}"
        if isinstance(value, list):
            yield name, [one for one in value if one not in (None, "", {}, [])]
        elif isinstance(value, Mapping) and depth:
            yield from _lists(value, depth - 1, f"{name}.")


def _rewards(values: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if keys.REWARD.search(keys.plain(str(key))):
            yield keys.plain(str(key)), value
        elif isinstance(value, Mapping) and depth:
            yield from _rewards(value, depth - 1)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from re.split(r"[\s,*+]+", value)
    elif isinstance(value, list | Mapping):
        yield from (one for one in value if isinstance(one, str))


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("s")


def _same(name: str, told: str) -> bool:
    return bool(told) and len(told) > 2 and (name == told or name.endswith(told) or told.endswith(name))
