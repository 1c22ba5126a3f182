"""Readers over what an attempt left: bytes become facts once, are journalled, and are judged from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.facts import Facts
from denominator.records.packs import Task
from denominator.records.trees import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a reader may read: the task, the patch, and the streams that the attempt left (stream -> blob digest)."""

    run: OpenRun
    notes: Notes
    task: Task
    patch: Patch
    streams: Mapping[str, str]


Reader = Callable[[Material], Facts | None]
READERS: tuple[tuple[str, Reader], ...] = ()
"""Every reader of a run of ours with the name under which `ledger/readings.py` finds its facts."""


def read_all(material: Material) -> list[Facts]:
    """What every reader says. A reader that fails says so: its facts are unknown, and nothing else is lost."""
    found = (_read(name, reader, material) for name, reader in READERS)
    return [one for one in found if one is not None]


def _read(name: str, reader: Reader, material: Material) -> Facts | None:
    try:
        return reader(material)
    except Exception as error:
        why: dict[str, Json] = {"not_measured": f"the reader {name} failed: {type(error).__name__}: {error}"[:500]}
        return Facts(key=material.notes.key, reader=name, version=0, data=why)
