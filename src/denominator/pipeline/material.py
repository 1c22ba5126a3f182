"""What a reader of a run of ours may look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun
from denominator.records.facts import Facts
from denominator.records.packs import Task
from denominator.records.trees import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The task, the patch, and the streams that the attempt left (stream -> blob digest)."""

    run: OpenRun
    notes: Notes
    task: Task
    patch: Patch
    streams: Mapping[str, str]


Reader = Callable[[Material], Facts | None]
