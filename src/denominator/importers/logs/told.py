"""Collected facts (`facts` of a meta.json) and the log's events as one table of typed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from denominator.importers import values
from denominator.importers.columns import BY_NAME, Cells
from denominator.importers.logs.story import Story, disagreements, story_of
from denominator.importers.values import BadValueError, Reader

READERS: Mapping[str, Reader] = {
    "agent_started": values.flag,
    "setup_exit": values.integer,
    "killed_by": values.text,
    "wall_cap_s": values.seconds,
    "working_cap_s": values.seconds,
    "elapsed_s": values.seconds,
    "working_s": values.seconds,
    "paused_s": values.seconds,
    "provider_wait_s": values.seconds,
    "provider_retries": values.count,
    "claimed_timeout_s": values.seconds,
    "limits": values.table,
    "oom_killed": values.flag,
    "exit_signal": lambda value: value,
    "agent_signal": lambda value: value,
    "container": values.table,
    "pod_events": lambda value: value,
    "node_events": lambda value: value,
    "image_pull": values.table,
    "disk_free_mb": lambda value: value,
    "clean_reverify_exit": values.integer,
    "workspace_reused_from": values.text,
    "workspace_reused": values.flag,
    "previous_job": values.text,
    "in_place": values.table,
    "restored": values.table,
    "clean_verify": values.table,
}
"""The facts that this reader understands beside those that are columns, with how each is read."""
COLUMNS = {"agent_exit": "agent_exit", "verify_exit": "exit_code", "patch_bytes": "patch_bytes"}
COLUMNS |= {"tests_executed": "tests_executed"}
"""Facts of events that are columns: the event speaks where the columns are silent."""


@dataclass(slots=True)
class Told:
    """What is known of one run, facts and events together."""

    facts: Mapping[str, object] = field(default_factory=dict)
    story: Story = field(default_factory=Story)

    def number(self, name: str) -> int | None:
        """A whole number, or None."""
        found = self.facts.get(name)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def flag(self, name: str) -> bool | None:
        """A boolean, or None."""
        found = self.facts.get(name)
        return found if isinstance(found, bool) else None

    def text(self, name: str) -> str:
        """A text, empty when absent."""
        found = self.facts.get(name)
        return found if isinstance(found, str) else ""

    def table(self, name: str) -> Mapping[str, object]:
        """An object, empty when absent."""
        found = self.facts.get(name)
        return found if isinstance(found, dict) else {}

    @property
    def empty(self) -> bool:
        """Is there neither a fact nor an event?"""
        return not self.facts and not self.story.at


def tell(cells: Cells) -> Told:
    """Read the facts, add the events, let events fill empty columns; what disagrees is a problem of the row."""
    given = cells.raw.value.get("facts")
    stated = {**_at_top(cells), **(given if isinstance(given, dict) else {})}
    story = story_of(cells.raw.log)
    known = {**stated, "agent_exit": cells.number("agent_exit"), "verify_exit": cells.number("exit_code")}
    if cells.table("provider_error"):
        known["provider"] = cells.table("provider_error")
    cells.problems += [f"facts and log disagree: {one}" for one in disagreements(story, _plain(known))]
    _fill(cells, story)
    merged = _read(cells, {**story.facts, **{key: value for key, value in stated.items() if value is not None}})
    for name in ("container", "image_pull"):
        if isinstance(story.facts.get(name), dict) and isinstance(merged.get(name), dict):
            merged[name] = {**_table(story.facts[name]), **_table(merged[name])}
    return Told(merged, story)


def _fill(cells: Cells, story: Story) -> None:
    """Events speak where the columns are silent; a value that cannot be what its column says is a problem of the row."""
    for fact, column in COLUMNS.items():
        if fact not in story.facts or column in cells.known:
            continue
        try:
            cells.known[column] = BY_NAME[column].reader(story.facts[fact])
        except BadValueError as error:
            cells.problems.append(f"{story.told_by[fact]}: {fact}: {error}")


def _at_top(cells: Cells) -> dict[str, object]:
    """Facts that stand among the columns of the row, where they are what their names say."""
    found = {}
    for name in READERS.keys() & cells.raw.value.keys():
        value = cells.raw.value[name]
        try:
            if value is not None and READERS[name](value) is not None:
                found[name] = value
        except BadValueError:
            continue
    return found


def _read(cells: Cells, facts: Mapping[str, object]) -> dict[str, object]:
    found = {}
    for name, value in facts.items():
        reader = READERS.get(name)
        if reader is None:
            continue
        try:
            found[name] = reader(value)
        except BadValueError as error:
            cells.problems.append(f"facts.{name}: {error}")
    return found


def _plain(facts: Mapping[str, object]) -> dict[str, object]:
    """Decimal numbers that are whole, as whole numbers, so that 900 and 900.0 agree."""
    whole = {
        key: int(value)
        for key, value in facts.items()
        if isinstance(value, Decimal) and value == value.to_integral_value()
    }
    return {**facts, **whole}


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
