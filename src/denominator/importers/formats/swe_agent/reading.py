"""The importer of SWE-agent's output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.agentruns import (
    NAMED,
    Handed,
    Prediction,
    Settings,
    evaluations,
    exit_statuses,
    handed,
    predictions,
    table_of,
    tell_evaluations,
)
from denominator.importers.foreign import at, chosen, foreign_row, readable_id, undeclared
from denominator.importers.formats.swe_agent.endings import (
    ENDINGS,
    LOST,
    SUBMITTED,
    UNFINISHED,
    bare,
    ending_of,
    plain_status,
)
from denominator.importers.formats.swe_agent.folder import Folder, folders
from denominator.importers.formats.swe_agent.trajectory import Trajectory, replay_of, settings_of, trajectory_of
from denominator.importers.swebench.endings import NO_PATCH
from denominator.importers.swebench.lists import looks_like_report, read_report
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source, loose_json, loose_yaml

NAME = "swe-agent"
NO_PLAN = "SWE-agent writes no list of the instances that it was asked to run"
NOT_COLLECTED = NotMeasured("nothing was submitted, and no file says what was on disk")
ESTIMATED = NotMeasured("SWE-agent keeps its own estimate of tokens, not the provider's count")


class SweAgent:
    """Patches and endings of a run of SWE-agent; no verdicts."""

    name = NAME
    title = "SWE-agent: an output folder, or one trajectory"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "SWE-agent records the name that was asked for, and no snapshot",
        "scoring_script_sha256": "SWE-agent grades nothing",
        "env_image_digest": "SWE-agent records the name of an image, and no digest",
        "budget_tokens_per_task": "SWE-agent limits cost, calls and the time of commands, not tokens",
        "wall_cap_s": "SWE-agent limits no wall time",
        "seed": "SWE-agent records no seed",
        "retry_policy": "SWE-agent runs an id again when its trajectory has no ending, and records nothing of it",
        "network": "SWE-agent records nothing of the network of its boxes",
        "task_slice_sha256": "SWE-agent records a filter at most, and no ids that were selected",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Trajectories `.traj` with the keys of SWE-agent, or its file of exit statuses."""
        try:
            runs = folders(files)
            if not runs:
                return None
            graded = bool(evaluations(files))
        except InputError:
            return None
        n = sum(len(one.trajectories) for one in runs.values())
        why = f"{n} trajectories of SWE-agent" + (", with an evaluation beside them" if graded else "")
        parts = tuple(Part(name=name, title=f"{len(one.trajectories)} trajectories") for name, one in runs.items())
        return Recognition(why=why, parts=parts, sure=not graded)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one trajectory."""
        runs = folders(files)
        if not runs:
            raise InputError("holds no trajectories of SWE-agent", where=files.name)
        name = chosen([Part(name=one) for one in runs], part, files.name).name
        told = Told()
        tell_evaluations(evaluations(files), told)
        run = _Run(name, files, runs[name], told)
        run.look()
        return ForeignRun(
            name=name, arm=name, document=run.document, unknown=run.unknown, told=told, rows=run.rows(),
            declared=undeclared(name, NO_PLAN + run.selected),
        )  # fmt: skip


@dataclass(slots=True)
class _Run:
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
    unlisted: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def look(self) -> None:
        """Read every file once: the conditions of a run are what all of its trajectories agree on. Conversations are dropped."""
        self.document |= {"run_id": self.name, "agent_id": NAME, "harness_name": "SWE-agent"}
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

    def rows(self) -> Iterator[ForeignRow]:
        """Every id that any file names."""
        found = (self.entries, self.statuses, self.folder.trajectories, self.folder.begun)
        tasks = {task for one in found for task in one}
        for task in sorted(tasks):
            if readable_id(self.told, self.folder.path, task):
                yield self._row(task)
        self._tell(len(tasks))

    def _row(self, task: str) -> ForeignRow:
        member, entry, found = self.folder.trajectories.get(task, ""), self.entries.get(task), self.talks.get(task)
        listed = self.statuses.get(task)
        status = found.status if found is not None and found.status else listed
        if found is not None and found.status and listed and listed != found.status:
            what = f"{task}: the trajectory says {found.status[:60]!r}, the exit statuses say {listed[:60]!r}"
            self.told.say("conflicting_endings", self.folder.statuses, what, task)
        patch = self._patch(task, entry, found)
        calls = found.calls if found is not None else None
        ending = self._ending(task, status, patch, found, calls)
        place = member or next(
            (
                one
                for one in (self.folder.predicted.get(task), self.folder.statuses, self.folder.begun.get(task))
                if one
            ),
            "".join(self.folder.predictions[:1]),
        )
        where = at(place, element=[task, status, patch and patch.facts.sha256])
        empty = status == "submitted" and (patch is not None or found is not None)
        fields: dict[str, Any] = {"patch": NOT_COLLECTED, "usage": Usage(prompt=ESTIMATED, completion=ESTIMATED)}
        if patch is not None and (not patch.empty or empty):
            fields |= {"patch": patch.facts, "patch_made_by": "harness"}
        elif empty:
            fields["patch"] = NO_PATCH
        if self.folder.predictions and entry is None:
            self.unlisted.append(task)
        if not member:
            self.unseen.append(task)
        if found is not None:
            fields |= _facts(found)
            if len(found.tries) > 1:
                self.tried.append(task)
        return foreign_row(
            self.name, ending, task, importer=NAME, source=where, numbered=False, extra=_extra(status, found), **fields
        )

    def _ending(
        self, task: str, status: str | None, patch: Handed | None, found: Trajectory | None, calls: int | None
    ) -> Ending | None:
        if not status:
            if patch is not None and patch.is_diff:
                return SUBMITTED
            return UNFINISHED if found is not None or task in self.statuses else LOST
        if status == "submitted" and patch is None and found is None:
            return LOST
        ending = ending_of(status, patch, calls, found.message if found is not None else "")
        if ending is None:
            where = self.folder.trajectories.get(task) or self.folder.statuses
            self.told.say("unknown_ending", where, f"{task}: exit status {status[:60]!r} is no known ending", task)
        return ending

    def _patch(self, task: str, entry: Prediction | None, found: Trajectory | None) -> Handed | None:
        """The patch that would be graded: the prediction's, else the trajectory's; two that differ block."""
        stated = entry.patch if entry is not None else None
        told = found.submission if found is not None else None
        if stated is not None and told is not None and stated.facts != told.facts:
            what = f"{task}: its prediction is not what the trajectory submitted"
            self.told.say("patch_differs", self.folder.path, what, task)
        return stated if stated is not None else told

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

    def _tell(self, n: int) -> None:
        """What holds for the whole run."""
        self.told.notes += [
            f"{n} ids are named by any of trajectories, predictions and exit statuses",
            "this run holds patches and no verdicts: grade them, then import the evaluation",
        ]
        for tasks, kind, what in (
            (self.unlisted, "incomplete_files", "are in no merged predictions: a grader never sees them"),
            (self.unseen, "incomplete_files", "have no trajectory: the box never started, or the file was lost"),
            (
                self.tried,
                "chosen_tries",
                "were tried several times, and the agent's own reviewer chose one: one row each",
            ),
        ):
            if tasks:
                self.told.say(kind, self.folder.path, f"{len(tasks)} ids {what}", *tasks[:NAMED], blocks=False)


def _facts(found: Trajectory) -> dict[str, Any]:
    fields: dict[str, Any] = {"own_account": found.account}
    fields["usage"] = Usage(
        prompt=ESTIMATED, completion=ESTIMATED, calls=NotMeasured("not counted") if found.calls is None else found.calls
    )
    model = found.settings.get("model_id")
    if isinstance(model, str):
        fields["asked_model"] = model
    caps = {"cost_usd": found.settings.get("cost_cap_usd"), "calls": found.settings.get("call_cap")}
    fields["limits_enforced"] = {name: str(value) for name, value in caps.items() if value not in (None, "none")}
    return fields


def _extra(status: str | None, found: Trajectory | None) -> dict[str, object]:
    extra: dict[str, object] = {"exit_status": status or "", "submitted_after": bare(status or "") != (status or "")}
    if found is not None:
        extra |= {"steps": found.steps, "execution_ms": found.execution_ms}
        if found.tries:
            extra |= {"tries": list(found.tries), "chosen_try": found.chosen}
    return {name: value for name, value in extra.items() if value is not None}


IMPORTER = SweAgent()
