"""Nothing private leaves: every byte of a bundle is looked at before one is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from denominator.bundles.redaction import FORMS, private_places, private_values
from denominator.errors import BlockedError, DenominatorError, Problem
from denominator.packs.listing import checked_files
from denominator.pipeline.sealed import task_digest
from denominator.pipeline.world import OpenRun
from denominator.records.packs import LockedTask
from denominator.wire.bounded import read_bytes
from denominator.wire.secrets import NONE as NO_SECRETS

SHOWN = 20
FILE_BYTES = 1 << 28
DIFF = ".patch"
NONE: frozenset[str] = frozenset()


def refuse_private(files: Mapping[str, bytes], fix: str, run: OpenRun | None = None) -> None:
    """BlockedError where a file holds what may not travel: places and kinds are named, never what stands there."""
    if problems := private_problems(files, run):
        raise BlockedError(
            "holds what may not travel", where="bundle", problems=_first(problems), fix=_fix(problems, fix)
        )


def private_problems(
    files: Mapping[str, bytes], run: OpenRun | None, forms: Mapping[str, re.Pattern[str]] = FORMS
) -> list[Problem]:
    """Where these files hold what may not travel. What the sealed pack of the run holds is none, and is asked for only then."""
    secrets = NO_SECRETS if run is None else run.secrets
    found = {
        name: data
        for name, data in files.items()
        if any(True for _ in private_places(name, data, NONE, secrets, forms))
    }
    known = sealed_values(run) if found and run is not None else NONE
    return [one for name, data in found.items() for one in private_places(name, data, known, secrets, forms)]


def sealed_values(run: OpenRun) -> frozenset[str]:
    """Digests of what looks private in the tasks as they were sealed; changed files of a task excuse nothing."""
    return frozenset(
        value for one in run.seal.tasks for value in task_values(run.task_folder(one.locked.id), one.locked)
    )


def task_values(folder: Path, locked: LockedTask) -> Iterator[str]:
    """Digests of what looks private in the files of one task; none where they are not those that were sealed."""
    if task_digest(folder, locked.id) != locked.digest:
        return
    for file in checked_files(folder):
        try:
            data = read_bytes(folder / file.path, FILE_BYTES)
        except DenominatorError:
            continue
        yield from private_values(data)
        if file.path.endswith(DIFF):  # what a patch brings stands behind a sign
            yield from private_values(b"\n".join(line[1:] for line in data.split(b"\n")))


def _fix(problems: list[Problem], fix: str) -> str:
    blobs = {one.where.split("/")[1].split(":")[0] for one in problems if one.where.startswith("blobs/")}
    others = len(blobs) < len({one.where.split(":")[0] for one in problems})
    stay = "bytes of a patch or report stay at home with --thin, or one by one with --leave-out SHA256"
    return f"see what it is; {stay}{fix if others else ''}"


def _first(problems: list[Problem]) -> Iterator[Problem]:
    yield from problems[:SHOWN]
    if len(problems) > SHOWN:
        yield Problem("more", f"{len(problems) - SHOWN} places")
