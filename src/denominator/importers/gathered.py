"""What is odd about many rows in one way, said once with how many they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.records.foreign import Told

MOST_NAMED = 20


@dataclass(slots=True)
class _Group:
    where: str
    rows: int = 0
    tasks: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class Gathered:
    """Takes what `Told.say` takes; what has one kind and one sentence becomes one defect, at the first place of it."""

    groups: dict[tuple[str, str, bool], _Group] = field(default_factory=dict)

    def say(self, kind: str, where: str, what: str, *keys: str, blocks: bool = True) -> None:
        """Note something wrong with a row."""
        group = self.groups.setdefault((kind, what, blocks), _Group(where))
        group.rows += 1
        if len(group.tasks) < MOST_NAMED:
            group.tasks.update(dict.fromkeys(keys))

    def tell(self, told: Told) -> None:
        """Say all of it."""
        for (kind, what, blocks), group in self.groups.items():
            text = what if group.rows == 1 else f"{what} ({group.rows} rows)"
            told.say(kind, group.where, text, *sorted(group.tasks)[:MOST_NAMED], blocks=blocks)
