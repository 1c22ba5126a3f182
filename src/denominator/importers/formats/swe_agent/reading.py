"""The importer of SWE-agent's output."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.agentruns import evaluations, lacking, tell_evaluations
from denominator.importers.foreign import chosen, undeclared
from denominator.importers.formats.swe_agent.endings import ENDINGS
from denominator.importers.formats.swe_agent.folder import folders
from denominator.importers.formats.swe_agent.material import Material
from denominator.importers.formats.swe_agent.rows import NAME, Rows
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source

NO_PLAN = "SWE-agent writes no list of the instances that it was asked to run"


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
        run = Material(name, files, runs[name], told)
        run.look()
        lacking(run.document, run.unknown, self.cannot_tell)
        return ForeignRun(
            name=name, arm=name, document=run.document, unknown=run.unknown, told=told, rows=Rows(run).every(),
            declared=undeclared(name, NO_PLAN + run.selected),
        )  # fmt: skip


IMPORTER = SweAgent()
