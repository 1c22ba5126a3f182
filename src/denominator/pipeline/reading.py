"""Readers over what an attempt left: bytes become facts once, are journalled, and are judged from then on."""

from __future__ import annotations

from denominator.pipeline.material import Material, Reader
from denominator.pipeline.surfaces import read_surfaces
from denominator.pipeline.toolcalls import read_tools
from denominator.records.events import Json
from denominator.records.facts import Facts

__all__ = ["READERS", "Material", "Reader", "read_all"]

READERS: tuple[tuple[str, Reader], ...] = (("api", read_surfaces), ("tools", read_tools))
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
