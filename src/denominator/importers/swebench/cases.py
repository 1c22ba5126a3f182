"""All that is known of one instance, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.importers.swebench.folders import Folder
from denominator.importers.swebench.predictions import Prediction
from denominator.records.foreign import Ending, Told


@dataclass(slots=True)
class Said:
    """What the lists of a run say of an instance: its state, the harness's mark (infra, ambiguous) and its reason."""

    state: str = ""
    tier: str = ""
    reason: str = ""


@dataclass(slots=True)
class Found:
    """How an instance ended, the facts of its row and what a reader may want; `ending` None: nobody knows how."""

    ending: Ending | None
    fields: dict[str, object] = field(default_factory=dict)
    extra: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Case:
    """All that is known of one instance. `told` takes what contradicts itself."""

    task: str
    told: Told
    said: Said = field(default_factory=Said)
    folder: Folder | None = None
    prediction: Prediction | None = None

    def say(self, kind: str, what: str, *, blocks: bool = True) -> None:
        """Something odd about it."""
        where = self.folder.where if self.folder is not None else ""
        self.told.say(kind, where, f"{self.task}: {what}", self.task, blocks=blocks)
