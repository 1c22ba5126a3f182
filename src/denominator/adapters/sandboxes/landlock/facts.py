"""What a Landlock domain really holds on this machine: the trials of every backend, and those of what it cannot hide."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.facts import (
    NAMES,
    held,
    in_words,
    no_words,
    not_tried,
    seen_protections,
    stopped_by_disk,
)
from denominator.adapters.sandboxes.landlock.calls import LEAST_ABI
from denominator.adapters.sandboxes.landlock.probes import HARNESS, OUTSIDE
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.trials import LIMITS, Trial
from denominator.errors import DenominatorError
from denominator.ports import Job, Sandbox
from denominator.records.boxes import WEAK, Protection, SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = ["OWN_NAMES", "WALLS", "find", "too_old"]

OWN_NAMES = ("files_outside", "signals_outside", "metadata_outside")
"""Protections that other backends have by showing nothing of the host at all."""
ORDER = (*NAMES, *OWN_NAMES)
WALLS = (
    "no_network", "private_proc", "no_capabilities", "no_new_privileges", "seccomp", "all_dead_at_end", "dies_with_harness",
    "files_outside", "signals_outside",
)  # fmt: skip
"""Without these no hostile command is run here."""
FILES = ("read_file", "read_root", "write_file", "make_file", "link_file", "environ", "memory", "its_root")
NETWORK = ("path_socket", "datagram", "netlink", "far", "any_address")


class Tried(Sandbox, Protocol):
    """What is asked of the sandbox whose facts are found."""

    as_user: bool
    abi: int

    @property
    def cgroups(self) -> Cgroups: ...


def too_old(abi: int) -> str:
    """Why a kernel with this version of Landlock (0: none) will not do."""
    if not abi:
        return "this kernel has no Landlock, or it is switched off (`lsm=` on its command line)"
    return f"Landlock of this kernel is ABI {abi}; {LEAST_ABI} (Linux 6.12) is the first that keeps signals and abstract sockets in"


def find(sandbox: Tried, terms: SandboxTerms) -> SandboxFacts:
    """Try every protection; a few seconds."""
    found, why_not = [replace(each) for each in _not_tried()], ""
    if sys.platform != "linux":
        why_not = f"Landlock is a part of Linux, and this is {sys.platform}"
    elif sandbox.abi < LEAST_ABI:
        why_not = too_old(sandbox.abi)
    else:
        with scratch_folder("facts", remove_tree) as base:
            try:
                found, why_not = _protections(sandbox, Trial(sandbox, terms.python, base, HARNESS))
            except DenominatorError as error:
                why_not = in_words(error)
    return SandboxFacts(
        name=sandbox.name,
        version=f"ABI {sandbox.abi}" if sandbox.abi else "none",
        mode=f"{WEAK}, {'user' if sandbox.as_user else 'root'}",
        usable=not why_not,
        protections=tuple(found),
        why_not=why_not,
    )


def _not_tried() -> list[Protection]:
    return [*not_tried(), *(held(name, False, "not tried, nothing runs in the sandbox") for name in OWN_NAMES)]


def _protections(sandbox: Tried, trial: Trial) -> tuple[list[Protection], str]:
    ended, said = trial.seen()
    outside = _outside(trial)
    if not said or not outside:
        return _not_tried(), no_words(trial, ended)
    found = [_reworded(each, said, outside) for each in seen_protections(ended, said)]
    found += [
        _processes(sandbox, said["forks"]),
        _memory(sandbox, trial),
        held("disk_limit", stopped_by_disk(trial.disk()), "polled"),
        held("all_dead_at_end", trial.orphan_dies(), "its supervisor kills whatever descends from it"),
        held(
            "dies_with_harness",
            trial.dies_with_harness(),
            "a harness was killed with SIGKILL; the supervisor killed all and ended",
        ),
        held("toolchain_executable", True, f"{trial.python} ran under the sandbox's uid"),
        held(
            "files_outside", *_refused(outside, FILES, "Landlock: files, folders and processes of the host are closed")
        ),
        held("signals_outside", *_refused(outside, ("signal",), "Landlock: signals reach this sandbox only")),
        _metadata(outside),
    ]
    gone = [each.name for each in found if each.name in WALLS and not each.holds]
    why_not = f"an escape was tried and it worked: {', '.join(gone)} does not hold" if gone else ""
    return sorted(found, key=lambda each: ORDER.index(each.name)), why_not


def _outside(trial: Trial) -> dict[str, str]:
    """What a command could do to a file, a folder, a socket and a process of the host that it knows by name."""
    secret = trial.base / "outside"
    secret.write_text("of the host")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(trial.base / "listener"))
        listener.listen()
        places = (secret, trial.base.parent, trial.base / "listener")
        words = [os.fsencode(each).hex() for each in places]
        argv = (trial.python, "-I", "-S", "-c", OUTSIDE, *words, str(os.getpid()))
        ended = trial.sandbox.run(Job(argv=argv, role="agent", limits=LIMITS, report=True))
    try:
        said: dict[str, str] = json.loads(ended.report)
    except ValueError:
        return {}
    return said


def _refused(outside: Mapping[str, str], names: tuple[str, ...], how: str) -> tuple[bool, str, str]:
    done = [name for name in names if not outside[name].startswith("refused")]
    return not done, how, ", ".join(done)


def _metadata(outside: Mapping[str, str]) -> Protection:
    holds = outside["metadata"].startswith("refused")
    how = "its own uid" if holds else "Landlock looks at no mode, owner or time of a file"
    return held(
        "metadata_outside", holds, how, "" if holds else "this user's files anywhere may get another mode or time"
    )


def _reworded(each: Protection, said: Mapping[str, Any], outside: Mapping[str, str]) -> Protection:
    """The same facts where nothing is hidden but everything is refused."""
    if each.name == "no_network":
        words = {name: str(said[name]) for name in ("loopback", "abstract", "vsock")} | dict(outside)
        return held(
            each.name, *_refused(words, ("loopback", "abstract", "vsock", *NETWORK), "every address is asked about")
        )
    if each.name == "pid_namespace":
        how = "the machine's processes have names here; their files, environment and memory are closed"
        return held(each.name, False, how, f"{len(said['pids'])} process ids and command lines can be read")
    if each.name == "private_proc":
        return held(each.name, str(said["core_pattern"]).startswith("refused"), "Landlock: /proc is read-only")
    if each.name == "separate_uids" and each.holds:
        return replace(each, how=each.how.replace("setpriv to uid", "uid"))
    return each


def _processes(sandbox: Tried, forks: int) -> Protection:
    group = sandbox.cgroups.pids
    how = f"cgroup v{group[1]}, threads included" if group else "rlimit, per uid"
    if not group and sandbox.as_user:
        how = "rlimit, beyond what this user had at the start; all of the user's processes count"
    return held("process_limit", forks < LIMITS.processes, how, f"{forks} forks under a limit of {LIMITS.processes}")


def _memory(sandbox: Tried, trial: Trial) -> Protection:
    if group := sandbox.cgroups.memory:
        return held("memory_limit", trial.memory().oom, f"cgroup v{group[1]}")
    return held("memory_limit", False, f"rlimit only, per process ({sandbox.cgroups.why_not})")
