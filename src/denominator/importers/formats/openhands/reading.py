"""The importer of OpenHands benchmarks."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.agentruns import lacking
from denominator.importers.foreign import chosen
from denominator.importers.formats.openhands.endings import ENDINGS
from denominator.importers.formats.openhands.folder import BESIDE, OLD, Folder, folders
from denominator.importers.formats.openhands.index import index_run
from denominator.importers.formats.openhands.reports import beside, plan_of
from denominator.importers.formats.openhands.rows import NAME, Rows
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class OpenHands:
    """Every attempt of a run of OpenHands benchmarks, or a table of its index."""

    name = NAME
    title = "OpenHands benchmarks: an output folder, or tables of the index"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "OpenHands records the name that was asked for, and no snapshot",
        "harness_version": "OpenHands benchmarks record no version of themselves",
        "scoring_script_sha256": "OpenHands benchmarks record no digest of the grader",
        "env_image_digest": "OpenHands benchmarks record no image",
        "budget_tokens_per_task": "OpenHands limits iterations, not tokens",
        "wall_cap_s": "OpenHands benchmarks record neither the limit on an instance nor how long it waited for a box",
        "network": "OpenHands benchmarks record nothing of the network of their boxes",
        "concurrency": "OpenHands benchmarks record no number of workers",
        "task_slice_sha256": "OpenHands benchmarks record a data set and a limit, and no digest of the ids",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Files of rows with `instance_id` and `test_result`, or tables in `instance_results`."""
        try:
            runs = folders(files)
        except InputError:
            return None
        if not runs:
            return None
        tables = sum(bool(one.table) for one in runs.values())
        why = " and ".join(
            words
            for n, words in ((len(runs) - tables, "output folders of OpenHands"), (tables, "tables of its index"))
            if n
        )
        return Recognition(why=why, parts=tuple(Part(name=name, title=_title(one)) for name, one in runs.items()))

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one table."""
        runs = folders(files)
        if not runs:
            raise InputError("holds no rows of OpenHands benchmarks", where=files.name)
        name = chosen([Part(name=one) for one in runs], part, files.name).name
        folder, told = runs[name], Told()
        if folder.table:
            return index_run(files, name, folder)
        for last, role in BESIDE.items():
            if member := folder.of(last):
                told.files[member] = role
        found = beside(files, folder, told)
        document = {"agent_id": NAME, **found.document, "run_id": name, "harness_name": "OpenHands benchmarks"}
        if found.report is not None or folder.of(OLD):
            document["scorer"] = "tests"
        unknown: dict[str, str] = {}
        lacking(document, unknown, self.cannot_tell)
        return ForeignRun(
            name=name, arm=name, document=document, told=told, unknown=unknown,
            declared=plan_of(name, files, folder, found, told),
            rows=Rows(name, files, folder, found, told).every(),
        )  # fmt: skip


def _title(folder: Folder) -> str:
    if folder.table:
        return "a table of the index"
    return f"{len(folder.attempts)} attempt files" if folder.attempts else "rows without attempt files"


IMPORTER = OpenHands()
