"""Whose container it is, and which ones nobody owns any more.

A container is labelled with the harness process that made it: boot, pid namespace, pid and start time of that process.
"""

from __future__ import annotations

from pathlib import Path

from denominator.adapters.sandboxes.cgroups import harness_name
from denominator.adapters.sandboxes.docker.client import Engine

__all__ = ["OWNER", "SESSION", "own_name", "remove_session", "sweep"]

OWNER, SESSION = "denominator.owner", "denominator.session"


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()


def own_name() -> str:
    """The label of this process's containers."""
    return f"{_boot()}/{harness_name()}"


def _is_gone(owner: str) -> bool:
    """Is this harness dead for sure? One in another pid namespace cannot be looked up, so it is not."""
    boot, _, name = owner.partition("/")
    if boot != _boot():
        return True
    namespace, _, rest = name.partition("-")
    pid = rest.partition("-")[0]
    if namespace != harness_name().partition("-")[0] or not pid.isdigit():
        return False
    return harness_name(int(pid)) != name


def sweep(engine: Engine, *, dry_run: bool = False) -> list[str]:
    """Remove the containers of dead harnesses; their ids."""
    gone = [
        str(each["Id"]) for each in engine.labelled(OWNER) if _is_gone(str((each.get("Labels") or {}).get(OWNER, "")))
    ]
    for container in () if dry_run else gone:
        engine.remove(container)
    return gone


def remove_session(engine: Engine, session: str) -> int:
    """Remove every container of one session; how many there were."""
    found = [str(each["Id"]) for each in engine.labelled(f"{SESSION}={session}")]
    for container in found:
        engine.remove(container)
    return len(found)
