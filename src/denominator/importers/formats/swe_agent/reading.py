"""The importer of SWE-agent's output."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.agentruns import lacking, opened, recognised
from denominator.importers.foreign import undeclared
from denominator.importers.formats.swe_agent.endings import ENDINGS
from denominator.importers.formats.swe_agent.folder import folders
from denominator.importers.formats.swe_agent.material import Material
from denominator.importers.formats.swe_agent.rows import NAME, Rows
from denominator.records.foreign import ForeignRun, Recognition
from denominator.wire.sources import Source

TOOL = "SWE-agent"
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
        return recognised(TOOL, files, folders)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one trajectory."""
        name, folder, told = opened(TOOL, files, folders(files), part)
        run = Material(name, files, folder, told)
        run.look()
        lacking(run.document, run.unknown, self.cannot_tell)
        return ForeignRun(
            name=name, arm=name, document=run.document, unknown=run.unknown, told=told, rows=Rows(run).every(),
            declared=undeclared(name, NO_PLAN + run.selected),
        )  # fmt: skip


IMPORTER = SweAgent()
