"""The files of a run of mini-swe-agent, read once: predictions and trajectories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.agentruns import Prediction, Settings, predictions
from denominator.importers.formats.mini_swe_agent.folder import Folder
from denominator.importers.formats.mini_swe_agent.trajectory import Trajectory, trajectory_of, under_billed
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json

NAME = "mini-swe-agent"


@dataclass(slots=True)
class Material:
    """What the files say, by id; conversations are dropped. `cheap` are ids whose cost is 0."""

    name: str
    files: Source
    folder: Folder
    told: Told
    settings: Settings = field(default_factory=Settings)
    document: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    entries: Mapping[str, Prediction] = field(default_factory=dict)
    talks: dict[str, Trajectory | None] = field(default_factory=dict)
    cheap: list[str] = field(default_factory=list)

    def look(self) -> None:
        """Read every file once: the conditions of a run are what all of its trajectories agree on."""
        self.document |= {"run_id": self.name, "agent_id": NAME, "harness_name": NAME}
        if self.folder.predictions:
            self.entries = predictions(self.files, self.folder.predictions, self.told)
        for task, member in self.folder.trajectories.items():
            self.talks[task] = self._trajectory(member, task)
        for task, one in self.entries.items():
            if one.model:
                self.settings.take(task, {"model_id": one.model})
        self.settings.settle(self.document, self.unknown, self.told, self.folder.path or self.files.name)

    def _trajectory(self, member: str, task: str) -> Trajectory | None:
        """A trajectory that can be read; what is broken is told, and its row keeps its place."""
        self.told.files[member] = "a trajectory"
        try:
            found = trajectory_of(loose_json(self.files.read(member), member))
        except InputError as error:
            self.told.say("broken_file", member, f"{task}: {error.what}", task)
            return None
        if found is None:
            self.told.say("broken_file", member, f"{task}: is no trajectory of mini-swe-agent", task)
            return None
        if found.task and found.task != task:
            self.told.say("id_mismatch", member, f"it says that it is of {found.task[:80]!r}", task)
        self.settings.take(task, found.settings)
        if under_billed(found):
            what = f"{task}: its calls sum to {found.billed} dollars, it counts {found.cost}: the cost is unknown"
            self.told.say("accounting_anomaly", member, what, task, blocks=False)
        if found.cost == 0 and found.messages > 2:
            self.cheap.append(task)
        return found
