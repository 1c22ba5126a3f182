"""What one job may use of the host, as grants: the system, its own folders, what was mounted for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.host_paths import places
from denominator.adapters.sandboxes.landlock.orders import DEVICE, READ, WRITE, Grant, grants
from denominator.adapters.sandboxes.layout import HOME, Machine, own_package
from denominator.ports import Job

__all__ = ["Shown", "given", "mounted", "own_folders", "system"]

DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
ETC = ("passwd", "group", "hosts", "nsswitch.conf", "localtime", "ssl/openssl.cnf", "python3*")
"""What programs of /usr read of /etc and stumble over when it is closed: it is there for everybody."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A host folder or file that a job may use, and the paths inside that mean it."""

    host: Path
    rights: int
    inside: str


def own_folders(job: Job, scratch: Path, owner: tuple[int, int] | None) -> Iterator[Shown]:
    """The private folders of one command."""
    names = {"/tmp": "tmp", HOME: "home"} | ({} if job.workdir else {"/work": "work"})
    for inside, name in names.items():
        folder = scratch / name
        folder.mkdir(mode=0o700)
        if owner:
            os.chown(folder, *owner)
        yield Shown(folder, WRITE, inside)


def mounted(job: Job) -> Iterator[Shown]:
    """What the job was given: workspace, /out, mounts, the socket."""
    found = places(job, Path())
    kept = {"/work": job.workdir, "/out": job.outdir}
    may_write = {mount.inside for mount in job.mounts if mount.writable} | set(kept)
    for inside, path in found.items():
        if kept.get(inside, path):
            yield Shown(path, READ | (WRITE if inside in may_write else 0), inside)


def _hidden(machine: Machine) -> list[Path]:
    return [path.resolve() for path in (*machine.hidden, own_package()) if path.is_dir()]


def system(machine: Machine) -> Iterator[Grant]:
    """What every command may read: /usr, the toolchain, a few files of /etc, names in /proc, devices without memory."""
    hidden = _hidden(machine)
    for bind in (*machine.system, *machine.late):
        if Path(bind.host).exists():
            yield from grants(Path(bind.host), hidden)
    for pattern in ETC:
        yield from (Grant(path=str(path), rights=READ) for path in Path("/etc").glob(pattern))
    yield Grant(path="/proc", rights=READ)
    yield from (Grant(path=path, rights=DEVICE) for path in DEVICES)


def given(shown: Sequence[Shown], machine: Machine, at: dict[str, Path]) -> Iterator[Grant]:
    """A folder that is shown whole is one grant; where something hidden lies below, around that."""
    hidden = _hidden(machine)
    for each in shown:
        whole = Grant(path=str(each.host.resolve()), rights=each.rights, place=str(at.get(each.inside, "")))
        below = [] if each.rights & ~READ else list(grants(each.host, hidden))
        if len(below) > 1:
            yield Grant(path=whole.path, rights=below[0].rights, place=whole.place)
            yield from below[1:]
        else:
            yield whole
