"""`bundle --open`: rows of a run that a verifier asked for, with proofs under its roots and all that grading needs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.bundles.layout import blob_name
from denominator.bundles.opened import OPENED, TASKS, opening_of
from denominator.errors import InputError, InternalError
from denominator.packs.listing import checked_files
from denominator.pipeline.bundle_gathering import evidence_of
from denominator.pipeline.bundle_judging import judge_again
from denominator.pipeline.bundle_parts import head_of
from denominator.pipeline.bundle_private import refuse_private
from denominator.pipeline.bundling import refuse_unfinished
from denominator.pipeline.results import judge_run
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.rows import AttemptRow
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.durable import new_folder, write_file
from denominator.wire.names import safe_name

FILE_BYTES = 1 << 30
FIX = "; a row cannot be opened in part: tell the verifier which rows stay closed, and why"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An opening: where it is, its rows, files, the root that it proves them under, and patches that were gone."""

    place: str
    rows: tuple[int, ...]
    files: int
    rows_root: str
    gone: int


def places_of(text: str) -> tuple[int, ...]:
    """What was typed after --open: places of rows from 0, with commas, as `verify --sample` prints them."""
    parts = [one.strip() for one in text.split(",")]
    if not all(one.isascii() and one.isdigit() and len(one) < 10 for one in parts):
        fix = "copy the line that verify --sample prints: --open 3,14,15"
        raise InputError(f"{text[:60]!r} is no list of rows", where="--open", fix=fix)
    return tuple(sorted({int(one) for one in parts}))


def open_rows(run: OpenRun, wanted: Sequence[int], target: Path) -> Opened:
    """Write the rows to a new folder. InputError: no such row, or something is there already; BlockedError as for a bundle."""
    if os.path.lexists(target):
        raise InputError("there is something already", where=str(target), fix="name a new one: -o NAME")
    result = judge_run(run)
    refuse_unfinished(run, result)
    evidence = evidence_of(run, result)
    again = judge_again(evidence)
    head, rows = head_of(evidence, again, ()), again.ledger.rows
    if outside := [one for one in wanted if one >= len(rows)]:
        what = f"there is no row {outside[0]}: the ledger has {len(rows)}, 0 to {len(rows) - 1}"
        raise InputError(what, where="--open", fix=f"denominator verify {head.run_id}.bundle --sample K --nonce NONCE")
    sealed = sorted(run.seal.tasks, key=lambda one: one.task.id)
    opening = opening_of(head, [_plain(one) for one in rows], [_plain(one) for one in sealed], wanted)
    files, executables, gone = {OPENED: canonical(opening) + b"\n"}, set[str](), 0
    for row in (rows[one] for one in wanted):
        gone += _put_patch(run, row, files)
    for name, data, executable in _material(run, sorted({rows[one].key.task_id for one in wanted})):
        files[name] = data
        executables |= {name} if executable else set()
    refuse_private(files, FIX, run)
    with new_folder(target) as half:
        for name, data in files.items():
            (half / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(half / name, data, mode=0o755 if name in executables else 0o644)
    return Opened(place=str(target), rows=tuple(wanted), files=len(files), rows_root=head.rows_root, gone=gone)


def _plain(record: object) -> dict[str, Json]:
    """A record as plain JSON with the same canonical form, which is what the roots are over."""
    made = to_json(record)
    if not isinstance(made, dict) or canonical(made) != canonical(record):
        raise InternalError("a leaf would not be the one under the root", where="bundle --open")
    return made


def _put_patch(run: OpenRun, row: AttemptRow, files: dict[str, bytes]) -> int:
    """The patch of a row and the contents that it brings; how many of them are gone."""
    if isinstance(row.patch, NotMeasured) or not row.patch.sha256:
        return 0
    if not run.blobs.has(row.patch.sha256):
        return 1
    data = run.blobs.get(row.patch.sha256)
    files[blob_name(row.patch.sha256)] = data
    contents = {change.blob for change in from_json(Patch, loads(data)).changes if change.blob}
    there = {one for one in contents if run.blobs.has(one)}
    files |= {blob_name(one): run.blobs.get(one) for one in sorted(there)}
    return len(contents - there)


def _material(run: OpenRun, tasks: Sequence[str]) -> Iterator[tuple[str, bytes, bool]]:
    """Every file that a task's digest covers: name, bytes, may be executed."""
    for task_id in tasks:
        folder = run.task_folder(task_id)
        for file in checked_files(folder):
            data = read_bytes(folder / file.path, FILE_BYTES)
            yield f"{TASKS}/{safe_name(task_id)}/{file.path}", data, file.executable
