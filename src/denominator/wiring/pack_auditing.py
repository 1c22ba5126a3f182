"""`pack audit` on this machine: the real sandbox and grader, and the result beside the lock."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from denominator.adapters.sandboxes.docker.client import Engine, EngineError, socket_path
from denominator.adapters.sandboxes.docker.images import pinned
from denominator.adapters.sandboxes.docker.saving import Stream, saved
from denominator.errors import InputError, MachineError
from denominator.packs import find_pack, load_pack
from denominator.packs.audit import AUDIT_FILE, write_audit
from denominator.pipeline.pack_audit import audit_pack
from denominator.ports import Reporter
from denominator.records.pack_audits import PackAudit
from denominator.wiring.locking import bench_here
from denominator.wiring.world import pin_image


def audit_here(
    pack_name: str,
    repeats: int,
    concurrency: int,
    reporter: Reporter,
    *,
    quick: bool,
    out: Path | None,
    keep: bool,
    images: Sequence[str] = (),
) -> tuple[PackAudit, Path | None]:
    """Audit a pack, and write what was found: to `out`, else into the pack's folder, unless `keep` is false or it was quick."""
    found = load_pack(find_pack(pack_name))
    root = Path(found.root)
    place = out if out is not None else (root / AUDIT_FILE if keep and not quick else None)
    if out is not None and not out.parent.is_dir():
        raise InputError("no such folder", where=str(out.parent), fix="make it, or name another file")
    if place is not None and not os.access(place.parent, os.W_OK | os.X_OK):
        raise InputError("may not be written", where=str(place.parent), fix="add --out FILE, or --no-write")
    with bench_here(root, reporter) as (bench, box):
        audit = audit_pack(
            found,
            bench,
            box=box,
            repeats=repeats,
            concurrency=concurrency,
            quick=quick,
            images=tuple(_pin(name) for name in images),
            open_image=_open,
            say=reporter.line,
        )
    if place is not None:
        write_audit(place, audit)
    return audit, place


def _pin(name: str) -> str:
    """What a name means to the engine now; the name itself where no engine answers, which the check then says."""
    try:
        return pin_image(name)
    except MachineError:
        return name


@contextmanager
def _open(pin: str) -> Iterator[Stream]:
    """An image as the engine of this machine saves it."""
    engine = Engine(socket_path(os.environ.get("DOCKER_HOST", "")))
    try:
        with saved(engine, pinned(engine, pin).id) as stream:
            yield stream
    except EngineError as error:
        raise MachineError(
            f"the layers cannot be had: {error}", where=str(engine.path), fix="start the engine, or set DOCKER_HOST"
        ) from error
