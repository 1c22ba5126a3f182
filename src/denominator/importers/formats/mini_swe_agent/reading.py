"""The importer of mini-swe-agent's output."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.agentruns import evaluations, lacking, tell_evaluations
from denominator.importers.foreign import chosen, undeclared
from denominator.importers.formats.mini_swe_agent.endings import ENDINGS
from denominator.importers.formats.mini_swe_agent.folder import folders, planned
from denominator.importers.formats.mini_swe_agent.material import NAME, Material
from denominator.importers.formats.mini_swe_agent.rows import Rows
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source

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
        try:
            runs = folders(files)
            if not runs:
                return None
            graded = bool(evaluations(files))
        except InputError:
            return None
        n = sum(len(one.trajectories) for one in runs.values())
        why = f"{n} trajectories of mini-swe-agent" + (", with an evaluation beside them" if graded else "")
        parts = tuple(Part(name=name, title=f"{len(one.trajectories)} trajectories") for name, one in runs.items())
        return Recognition(why=why, parts=parts, sure=not graded)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one trajectory."""
        runs = folders(files)
        if not runs:
            raise InputError("holds no trajectories of mini-swe-agent", where=files.name)
        name = chosen([Part(name=one) for one in runs], part, files.name).name
        told = Told()
        tell_evaluations(evaluations(files), told)
        run = Material(name, files, runs[name], told)
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
