"""One job as the engine is asked for it: what the container sees, may do and may use. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.argv import Tmpfs, View
from denominator.adapters.sandboxes.docker import gate
from denominator.ports import Job

__all__ = ["Order", "spec"]

PROCESSES_OF_OURS = 1  # the gate
PROCESSES_OF_A_UID = 4096  # a second fence: the engine's own count of the container is the first
SHM = "/dev/shm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A job and what was decided about it. `files` are small host files over those of the image.

    `podman`: options of tmpfs are read as Podman reads them."""

    job: Job
    image: str
    view: View
    hides: tuple[Tmpfs, ...]
    ids: tuple[int, int]
    gate: Path
    files: dict[str, Path]
    labels: dict[str, str]
    seccomp: str
    open_files_max: int
    podman: bool = False


def spec(order: Order) -> dict[str, object]:
    """The body of a request to create the container. Nothing that matters is left to a default of the engine."""
    uid, gid = order.ids
    return {
        "Image": order.image,
        "Hostname": order.view.hostname,
        "User": f"{uid}:{gid}",
        "Entrypoint": ["/bin/sh", f"{gate.INSIDE}/run"],
        "Cmd": [],
        "Env": [],
        "WorkingDir": "/",
        "Tty": False,
        "OpenStdin": False,
        "AttachStdin": False,
        "AttachStdout": False,
        "AttachStderr": False,
        "NetworkDisabled": True,
        "Healthcheck": {"Test": ["NONE"]},
        "Labels": order.labels,
        "HostConfig": _host(order),
    }


def _host(order: Order) -> dict[str, object]:
    limits = order.job.limits
    return {
        "NetworkMode": "none",
        "IpcMode": "private",
        "CgroupnsMode": "private",
        "Privileged": False,
        "ReadonlyRootfs": True,
        "AutoRemove": False,
        "Init": False,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges", *([f"seccomp={order.seccomp}"] if order.seccomp else [])],
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no"},
        "Memory": limits.memory_bytes,
        "MemorySwap": limits.memory_bytes,
        "PidsLimit": limits.processes + PROCESSES_OF_OURS,
        "ShmSize": next((tmpfs.size for tmpfs in order.view.tmpfs if tmpfs.inside == SHM), 4096),
        "Ulimits": _ulimits(order),
        "Mounts": _mounts(order),
        "Tmpfs": _tmpfs(order),
    }


def _ulimits(order: Order) -> list[dict[str, object]]:
    limits = order.job.limits
    values = {
        "core": 0,
        "fsize": limits.file_bytes,
        "nofile": min(limits.open_files, order.open_files_max),
        "nproc": limits.processes + PROCESSES_OF_A_UID,
    }
    return [{"Name": name, "Soft": value, "Hard": value} for name, value in values.items()]


def _mounts(order: Order) -> list[dict[str, object]]:
    """As mounts, not as "binds": a source that is not there is an error and no new folder of root's."""
    wanted = [(bind.host, bind.inside, bind.writable) for bind in order.view.binds]
    wanted += [(str(path), inside, False) for inside, path in order.files.items()]
    wanted.append((str(order.gate), gate.INSIDE, False))
    return [
        {
            "Type": "bind",
            "Source": host,
            "Target": inside,
            "ReadOnly": not writable,
            "BindOptions": {"Propagation": "rprivate"},
        }
        for host, inside, writable in wanted
    ]


def _tmpfs(order: Order) -> dict[str, str]:
    """Sized. runc keeps the mode that a place has in the image, so the owner is set too, where the engine can."""
    uid, gid = order.ids
    own = "notmpcopyup" if order.podman else f"uid={uid},gid={gid}"
    made = {
        tmpfs.inside: f"rw,exec,nosuid,nodev,size={tmpfs.size},mode={tmpfs.mode:04o},{own}"
        for tmpfs in order.view.tmpfs
        if tmpfs.inside != SHM
    }
    return made | {hide.inside: f"ro,noexec,nosuid,nodev,size={hide.size},mode=0755" for hide in order.hides}
