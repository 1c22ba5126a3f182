"""One foreign card as the material that lint rules look at: the same rules as for a folder, on what the card says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from denominator.packs.layout import TaskPaths
from denominator.packs.lint.cards import keys
from denominator.packs.lint.cards.reading import RawCard
from denominator.packs.lint.cards.rewards import check_lists, empty_rewards
from denominator.packs.lint.cards.values import command_of, first, is_path, lists_of, shown_texts, stated, texts_of
from denominator.packs.lint.golds import Gold, read_gold
from denominator.packs.lint.material import TaskMaterial, Text
from denominator.packs.listing import Listed
from denominator.records.packs import Task, TaskSource, Verify
from denominator.records.words import Slice

NOWHERE = Path("no-folder")


@dataclass(frozen=True)
class CardMaterial(TaskMaterial):
    """A card. It has no folder; `place` is the line at which it stands, `raw` what it says."""

    place: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)

    def states(self, what: str, /) -> bool:
        """Is there a key for it, even an empty one? A card that holds nothing but its id says nothing of a `task`."""
        if what == "task":
            return bool(set(self.raw) - set(keys.ID))
        named = {
            "hidden": (*keys.HIDDEN, *keys.HIDDEN_TEXT),
            "ids": (*keys.FLIP, *keys.HOLD, *keys.IDS),
            "command": keys.COMMAND,
        }
        return stated(self.raw, named.get(what, ())) or (what == "ids" and bool(check_lists(self.raw)))

    @property
    def where(self) -> str:
        """The card's line."""
        return self.place

    def relative(self, _path: Path, /) -> str:
        """The card's line: it has no files."""
        return self.place

    def in_repo(self, _path: str, /) -> str:
        """The card's line."""
        return self.place

    def line_of(self, _key: str, /) -> str:
        """The card's line."""
        return self.place

    @property
    def checks(self) -> int:
        """Ids, and assertions in lists."""
        return len(self.task.verify.expected_tests) + sum(check_lists(self.raw).values())

    @property
    def outside(self) -> tuple[str, ...]:
        """What the listing found outside the repository."""
        return tuple(text for key, value in self.raw.items() if keys.OUTSIDE.search(key) for text in texts_of(value))

    @property
    def newer(self) -> tuple[str, ...]:
        """What the listing found in the history beside the base commit."""
        return tuple(dict.fromkeys(_newer(self.raw, self.task.source.commit)))

    @property
    def values(self) -> tuple[str, ...]:
        """Values that the card itself calls expected."""
        return lists_of(self.raw, keys.VALUES)

    @property
    def empty_rewards(self) -> tuple[str, ...]:
        """Empty lists that the reward counts."""
        return empty_rewards(self.raw)

    @property
    def must_flip(self) -> tuple[str, ...] | None:
        """Ids that must turn green, where the card tells them apart."""
        return lists_of(self.raw, keys.FLIP) if stated(self.raw, keys.FLIP) else None

    @cached_property
    def gold(self) -> Gold | None:
        """The reference solution, as a patch or as bare lines."""
        value = first(self.raw, keys.GOLD)
        text = "\n".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
        if not isinstance(text, str) or not text.strip():
            return None
        gold = read_gold(text.encode("utf-8", "replace"), NOWHERE)
        return gold if gold.added else Gold(added=tuple(("", line) for line in text.splitlines()), text=text)

    @cached_property
    def visible(self) -> tuple[Text, ...]:
        """Every text of the card that an agent is shown."""
        return tuple(shown_texts(self.raw, self.place))

    @cached_property
    def repo(self) -> tuple[Text, ...]:
        """Files whose text the card holds."""
        return tuple(text for text in self.visible if not text.prose)

    @cached_property
    def hidden(self) -> tuple[Text, ...]:
        """Text of hidden tests that the card holds."""
        lines = [line.removeprefix("+") for text in lists_of(self.raw, keys.HIDDEN_TEXT) for line in text.splitlines()]
        return (Text(f"{self.place} hidden", tuple(lines), prose=False),) if lines else ()


def material_of(card: RawCard, number: int) -> CardMaterial:
    """A card as material. One without an id is named by its place."""
    task = _task(card, card.name or f"card {number}")
    files = {path: None for value in (first(card.values, keys.FILES),) if isinstance(value, Mapping) for path in value}
    image = [text for key, one in card.values.items() if keys.IMAGE.search(key) for text in texts_of(one)]
    return CardMaterial(
        root=NOWHERE,
        task=task,
        paths=TaskPaths(NOWHERE),
        repo_files=tuple(Listed(path, 0, False) for path in dict.fromkeys([*files, *image])),
        hidden_files=tuple(Listed(path, 0, False) for path in _hidden_paths(card.values)),
        place=card.where,
        raw=card.values,
    )


def is_listing(card: RawCard) -> bool:
    """Is it a listing of an image rather than a task card?"""
    tasks = (*keys.FLIP, *keys.HOLD, *keys.IDS, *keys.COMMAND, *keys.HIDDEN_TEXT, *keys.GOLD)
    shown = any(keys.SHOWN.search(key) for key in card.values)
    return any(keys.is_listing_key(key) for key in card.values) and not stated(card.values, tasks) and not shown


def not_read(card: RawCard) -> set[str]:
    """Keys that no rule looks at."""
    named = {*keys.ID, *keys.FLIP, *keys.HOLD, *keys.IDS, *keys.HIDDEN, *keys.HIDDEN_TEXT, *keys.CHECKS, *keys.COMMAND}
    named |= {*keys.GOLD, *keys.VALUES, *keys.FILES, *keys.ABOUT}
    told = (keys.SHOWN, keys.REWARD)
    return {
        k for k in card.values if k not in named and not keys.is_listing_key(k) and not any(p.search(k) for p in told)
    }


def _task(card: RawCard, name: str) -> Task:
    values = card.values
    told = (*lists_of(values, keys.FLIP), *lists_of(values, keys.HOLD))
    more = [one for one in lists_of(values, keys.IDS) if one not in told]
    more += [one for one in lists_of(values, keys.HIDDEN) if not is_path(one) and one not in told]
    ids = (*told, *more)
    level = "G2" if ids or stated(values, (*keys.FLIP, *keys.HOLD, *keys.IDS)) or check_lists(values) else "G1"
    word = str(values.get("slice") or ("negative" if values.get("negative_control") is True else "solvable"))
    return Task(
        id=name,
        title=name,
        slice=word if word in [one.value for one in Slice] else "solvable",
        expected="pass",
        reason="",
        license="",
        allowed=("**",),
        verify=Verify(
            runner="command",
            timeout_s=1,
            level=level,
            expected_tests=ids,
            command=command_of(first(values, keys.COMMAND)),
        ),
        source=TaskSource(commit=_word(values, ("base_commit", "base_sha", "sha", "commit"))),
        canary=_word(values, ("canary",)),
    )


def _word(values: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = first(values, names)
    return value if isinstance(value, str) else ""


def _hidden_paths(values: Mapping[str, Any]) -> dict[str, None]:
    """Files that grade: named as such, in front of an id, or changed by the patch of the tests."""
    told = [one for one in lists_of(values, keys.HIDDEN) if is_path(one)]
    told += [one.split("::", 1)[0] for one in lists_of(values, (*keys.HIDDEN, *keys.IDS, *keys.FLIP)) if "::" in one]
    for text in lists_of(values, keys.HIDDEN_TEXT):
        changed = read_gold(text.encode("utf-8", "replace"), NOWHERE).paths
        told += changed or ("hidden text",)
    return dict.fromkeys(told)


def _newer(values: Mapping[str, Any], base: str) -> Iterator[str]:
    """Entries of keys that say "newer"; entries of plain lists of refs that are not the base commit itself."""
    day = values.get("base_date")
    for key, value in values.items():
        if not keys.NEWER.search(key) and key not in keys.REFS:
            continue
        entries = value if isinstance(value, list) else [value]
        for entry in entries:
            dated = entry.get("date") if isinstance(entry, Mapping) else None
            if isinstance(dated, str) and isinstance(day, str) and dated[: len(day)] <= day:
                continue
            for text in texts_of([entry]):
                known = text.rsplit("/", 1)[-1].lower() in keys.SAME or (bool(base) and text == base)
                if keys.NEWER.search(key) or not known:
                    yield text
