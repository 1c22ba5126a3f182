"""From a job to the request for its container: environment, script and pipes, small files, what is shown."""

from __future__ import annotations

import os
import resource
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.docker.client import EngineError
from denominator.adapters.sandboxes.docker.gate import Gate, script
from denominator.adapters.sandboxes.docker.images import Image
from denominator.adapters.sandboxes.docker.spec import Order, spec
from denominator.adapters.sandboxes.layout import Machine, environment, etc_files, hides, view
from denominator.ports import Job

__all__ = ["Dialect", "enforced", "make_spec", "writable"]

FILES = ("/etc/passwd", "/etc/group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What engines want in different words: the filter as text or as a path, options of tmpfs."""

    seccomp: str
    podman: bool


def make_spec(
    job: Job,
    image: Image,
    gate: Gate,
    ids: tuple[int, int],
    machine: Machine,
    labels: dict[str, str],
    dialect: Dialect,
) -> dict[str, object]:
    """Make the gate's pipes and files, and the request that shows them. Raises `EngineError` for a mount that is not there."""
    text = script(job.argv, variables(job, image), job.cwd, stdin=bool(job.stdin), report=job.report)
    gate.make(text, ids, stdin=bool(job.stdin), report=job.report)
    shown = view(job, machine, scratch=None, files={}, seccomp=None)
    for bind in shown.binds:
        if not os.path.lexists(bind.host):  # Podman would make a folder of it
            raise EngineError(f"what is to be shown at {bind.inside} is not there: {bind.host}")
    return spec(
        Order(
            job=job,
            image=image.id,
            view=shown,
            hides=hides(machine, shown.binds),
            ids=ids,
            gate=gate.folder,
            files=_files(gate.folder.parent, ids),
            labels=labels,
            seccomp=dialect.seccomp,
            open_files_max=open_files_max(),
            podman=dialect.podman,
        )
    )


def variables(job: Job, image: Image) -> Mapping[str, str]:
    """The image's own variables, ours over them, the job's over all; the image's PATH stays where the job has none."""
    made = {**image.variables, **environment(job, ())}
    if "PATH" in image.variables and "PATH" not in job.env:
        made["PATH"] = image.variables["PATH"]
    return made


def _files(folder: Path, ids: tuple[int, int]) -> dict[str, Path]:
    """The user and its group have names inside, whatever the image knows."""
    made = {}
    for inside, data in etc_files(*ids).items():
        if inside in FILES:
            made[inside] = folder / Path(inside).name
            made[inside].write_bytes(data)
            made[inside].chmod(0o444)
    return made


def open_files_max() -> int:
    """More than this process may have cannot be given: an engine may lack the right to raise it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return 1 << 20 if hard == resource.RLIM_INFINITY else hard


def writable(job: Job) -> list[Path]:
    """The host folders that the command may write to."""
    found = [job.workdir, job.outdir, *(mount.host for mount in job.mounts if mount.writable)]
    return [path for path in found if path]


def enforced(job: Job, measured: bool) -> dict[str, str]:
    """What will be enforced, limit by limit, and by whom."""
    limits = job.limits
    return {
        "wall": f"{int(limits.wall_s * 1000)} ms harness",
        "memory": f"{limits.memory_bytes} engine, swap included, files in tmpfs included",
        "processes": f"{limits.processes} engine, threads included",
        "disk": f"{limits.disk_bytes} polled, tmpfs" if measured else f"{limits.disk_bytes} tmpfs, in parts",
        "file": f"{limits.file_bytes} rlimit",
        "open_files": f"{limits.open_files} rlimit",
        "output": f"{limits.output_bytes} harness, each of stdout and stderr",
    }
