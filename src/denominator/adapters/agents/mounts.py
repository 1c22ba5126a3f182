"""`mounts = ["HOST=INSIDE"]`: folders of the host that an agent needs, such as its installation; read-only."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from denominator.errors import Problem
from denominator.ports import Mount

RESERVED = (
    "/work",
    "/in",
    "/out",
    "/run",
    "/proc",
    "/dev",
    "/sys",
    "/tmp",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/etc",
)


def read_mount(text: str) -> Mount | Problem:
    """One mount, or what is wrong with it. `~` at the start is the home folder of whoever runs."""
    where = f"mounts: {text!r}"
    host, sign, inside = text.rpartition("=")
    host = at_home(host)
    if not sign or not _is_clean(host) or not _is_clean(inside):
        return Problem(where, "not HOST=INSIDE with two absolute paths", 'such as "/opt/agent-venv=/opt/agent"')
    if inside == "/" or any(_overlap(inside, reserved) for reserved in RESERVED):
        return Problem(where, f"{inside} belongs to the sandbox", "choose a place below /opt")
    return Mount(host=Path(host), inside=inside)


def at_home(host: str) -> str:
    """The path that `~` or `~/...` names here; any other path as it is."""
    return f"{Path.home()}{host[1:]}" if host == "~" or host.startswith("~/") else host


def _is_clean(path: str) -> bool:
    return path.startswith("/") and "\0" not in path and ".." not in PurePosixPath(path).parts


def _overlap(path: str, reserved: str) -> bool:
    return (path.rstrip("/") + "/").startswith(reserved + "/")
