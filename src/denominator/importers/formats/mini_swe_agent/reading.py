"""The importer of mini-swe-agent's output."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.agentruns import lacking, opened, recognised
from denominator.importers.foreign import undeclared
from denominator.importers.formats.mini_swe_agent.endings import ENDINGS
from denominator.importers.formats.mini_swe_agent.folder import folders, planned
from denominator.importers.formats.mini_swe_agent.material import NAME, Material
from denominator.importers.formats.mini_swe_agent.rows import Rows
from denominator.records.foreign import ForeignRun, Recognition
from denominator.wire.sources import Source

TOOL = "mini-swe-agent"
NO_PLAN = "mini-swe-agent writes no list of the instances that it was asked to run"


class MiniSweAgent:
    """Patches and endings of a run of mini-swe-agent; no verdicts."""

    name = NAME
    title = "mini-swe-agent: an output folder, or one trajectory"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "mini-swe-agent records the name that was asked for, and no snapshot",
        "harness_commit": "mini-swe-agent records its version, and no commit",
        "scoring_script_sha256": "mini-swe-agent grades nothing",
        "env_image_digest": "mini-swe-agent records the name of an image, and no digest",
        "budget_tokens_per_task": "mini-swe-agent limits steps, cost and time, not tokens",
        "retry_policy": "mini-swe-agent records no policy of retries, of calls or of instances",
        "network": "mini-swe-agent records nothing of the network of its boxes",
        "concurrency": "mini-swe-agent records no number of workers",
        "task_slice_sha256": "mini-swe-agent records neither the data set nor the ids that were selected",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Trajectories `.traj.json`, or files of exit statuses, that begin as the tool writes them."""
        return recognised(TOOL, files, folders)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one trajectory."""
        name, folder, told = opened(TOOL, files, folders(files), part)
        run = Material(name, files, folder, told)
        run.look()
        lacking(run.document, run.unknown, self.cannot_tell)
        for member in run.folder.twice:
            told.say("duplicate_trajectory", member, "a second trajectory of its id: the first one is read")
        n = planned(files, run.folder.log)
        if run.folder.log:
            told.files[run.folder.log] = "how many instances were to be run" if n is not None else "no single start"
        return ForeignRun(
            name=name, arm=name, document=run.document, unknown=run.unknown, told=told, rows=Rows(run).every(),
            declared=undeclared(name, NO_PLAN, n),
        )  # fmt: skip


IMPORTER = MiniSweAgent()
