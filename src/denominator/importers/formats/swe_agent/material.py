"""The files of a run of SWE-agent, read once: predictions, exit statuses, trajectories, settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.agentruns import NAMED, Prediction, Settings, exit_statuses, handed, predictions, table_of
from denominator.importers.formats.swe_agent.endings import plain_status
from denominator.importers.formats.swe_agent.folder import Folder
from denominator.importers.formats.swe_agent.trajectory import Trajectory, replay_of, settings_of, trajectory_of
from denominator.importers.swebench.lists import looks_like_report, read_report
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json, loose_yaml


@dataclass(slots=True)
class Material:
    """What the files say, by id; conversations are dropped. `selected` names in words which instances were selected."""

    name: str
    files: Source
    folder: Folder
    told: Told
    settings: Settings = field(default_factory=Settings)
    document: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    entries: dict[str, Prediction] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)
    talks: dict[str, Trajectory | None] = field(default_factory=dict)
    selected: str = ""

    def look(self) -> None:
        """Read every file once: the conditions of a run are what all of its trajectories agree on."""
        self.document |= {"run_id": self.name, "agent_id": "swe-agent", "harness_name": "SWE-agent"}
        for member in self.folder.twice:
            self.told.say("duplicate_trajectory", member, "a second file of its id: the first one is read")
        for member in self.folder.inner:
            self.told.files[member] = "a try of a retry agent: its trajectory holds it too"
        self._predictions()
        if self.folder.statuses:
            found = exit_statuses(self.files, self.folder.statuses, self.told)
            self.statuses = {task: plain_status(word) for task, word in found.items()}
        for task, member in self.folder.trajectories.items():
            self.talks[task] = self._trajectory(member, task)
        self._configs()
        self.settings.settle(self.document, self.unknown, self.told, self.folder.path or self.files.name)
        if self.folder.results and looks_like_report(self.files, self.folder.results):
            report = Told()
            read_report(self.files, self.folder.results, report)
            self.told.published += report.published

    def _predictions(self) -> None:
        for name in self.folder.predictions:
            self._merge(name, predictions(self.files, name, self.told))
        merged = frozenset(self.entries)
        without = []
        for task, name in self.folder.predicted.items():
            self.told.files[name] = "a prediction"
            try:
                found = loose_json(self.files.read(name), name)
            except InputError as error:
                self.told.say("broken_file", name, f"{task}: {error.what}", task)
                continue
            one = found if isinstance(found, dict) else {}
            if isinstance(other := one.get("instance_id"), str) and other != task:
                self.told.say("id_mismatch", name, f"the prediction of {task} says that it is of {other[:80]!r}", task)
            if merged and task not in merged:
                without.append(task)
            model = one.get("model_name_or_path")
            self._merge(
                name, {task: Prediction(model if isinstance(model, str) else "", handed(one.get("model_patch")))}
            )
        if without:
            what = f"{len(without)} ids have a prediction of their own that the merged file leaves out: a grader never sees them"
            self.told.say("incomplete_files", self.folder.predictions[0], what, *sorted(without)[:NAMED], blocks=False)

    def _merge(self, name: str, found: Mapping[str, Prediction]) -> None:
        for task, one in found.items():
            before = self.entries.setdefault(task, one)
            if before.patch is not None and one.patch is not None and before.patch.facts != one.patch.facts:
                self.told.say("patch_differs", name, f"{task}: two files hold different predictions of it", task)

    def _trajectory(self, member: str, task: str) -> Trajectory | None:
        """A trajectory that can be read; what is broken is told, and its row keeps its place."""
        self.told.files[member] = "a trajectory"
        try:
            found = trajectory_of(loose_json(self.files.read(member), member))
        except InputError as error:
            self.told.say("broken_file", member, f"{task}: {error.what}", task)
            return None
        if found is None:
            self.told.say("broken_file", member, f"{task}: is no trajectory of SWE-agent", task)
            return None
        self.settings.take(task, found.settings)
        return found

    def _configs(self) -> None:
        """Settings of the whole run, for what no trajectory states; which instances were selected, in words."""
        for name in self.folder.configs:
            self.told.files[name] = "settings"
            try:
                found = loose_yaml(self.files.read(name), name)
            except InputError as error:
                self.told.say("broken_file", name, error.what, blocks=False)
                continue
            config = replay_of(found)
            stated = settings_of(config)
            self.settings.take("", {key: value for key, value in stated.items() if key not in self.settings.values})
            chosen_by = table_of(config, "instances")
            words = [f"{key} {chosen_by[key]}" for key in ("subset", "split", "filter", "slice") if chosen_by.get(key)]
            if words:
                self.selected = f"; its settings name {', '.join(str(one)[:60] for one in words)}"
