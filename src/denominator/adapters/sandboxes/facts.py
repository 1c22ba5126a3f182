"""What the sandbox can promise on this machine: tried, not believed. A protection that is not there says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.trials import LIMITS, Trial, Tried
from denominator.errors import DenominatorError
from denominator.ports import Ended
from denominator.records.boxes import Protection, SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = [
    "NAMES",
    "WALLS",
    "escapes",
    "find",
    "held",
    "in_order",
    "in_words",
    "no_words",
    "not_tried",
    "seen_protections",
    "stopped_by_disk",
]

NAMES = (
    "no_network",
    "pid_namespace",
    "private_proc",
    "separate_uids",
    "no_capabilities",
    "no_new_privileges",
    "seccomp",
    "userns_closed",
    "memory_limit",
    "process_limit",
    "disk_limit",
    "file_size_limit",
    "output_cap",
    "open_files",
    "no_core_dumps",
    "all_dead_at_end",
    "dies_with_harness",
    "toolchain_executable",
)
WALLS = ("no_network", "pid_namespace", "private_proc", "no_capabilities", "no_new_privileges", "all_dead_at_end")
"""Without these no hostile command is run."""


def _version(program: str) -> str:
    if not program:
        return "missing"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def held(name: str, holds: bool, how: str, detail: str = "") -> Protection:
    """A protection in words; one that does not hold is said to be not available."""
    return Protection(name=name, holds=holds, how=how if holds else f"not available: {how}", detail=detail)


def seen_protections(ended: Ended, said: Mapping[str, Any]) -> list[Protection]:
    """The protections that one look from inside decides, whatever made the sandbox."""
    words = said["words"]
    network = [str(said[name]) for name in ("loopback", "abstract", "vsock")]
    caps = {words[name] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")}
    own_uid = said["uid"] not in (0, os.getuid())
    filtered = words["Seccomp"] == "2" and str(said["keyctl"]).startswith("refused") and not said["passed"]
    environ = str(said["first_environ"])
    return [
        held(
            "no_network",
            said["interfaces"] == ["lo"] and all(word.startswith("refused") for word in network),
            "own network namespace; the host's loopback, abstract and vsock sockets are out of reach",
            ", ".join(dict.fromkeys(word.removeprefix("refused: ") for word in network)),
        ),
        held(
            "pid_namespace",
            said["pids"][0] == 1 and len(said["pids"]) <= 4 and (not environ or environ.startswith("refused")),
            "own pid namespace; no environment or command line of the harness is visible",
        ),
        held(
            "private_proc",
            said["proc_sys_readonly"] and str(said["core_pattern"]).startswith("refused"),
            "/proc/sys is read-only",
        ),
        held(
            "separate_uids",
            own_uid,
            f"setpriv to uid {said['uid']} for the agent of slot 0, another for each role and slot"
            if own_uid
            else "an ordinary user has one uid only",
        ),
        held("no_capabilities", caps == {"0" * 16}, "all sets are empty"),
        held("no_new_privileges", words["NoNewPrivs"] == "1", "no_new_privs is set"),
        held("seccomp", filtered, "filter active" if filtered else _no_filter(said)),
        held("userns_closed", said["nested"] == "refused", "a user namespace inside is refused"),
        held("file_size_limit", said["file"] <= LIMITS.file_bytes, "rlimit, per file"),
        held("open_files", said["handles"] < LIMITS.open_files, "rlimit, per process"),
        _no_core_dumps(said),
        held("output_cap", ended.output_truncated and len(ended.stdout) == LIMITS.output_bytes, "harness"),
    ]


def _no_filter(said: Mapping[str, Any]) -> str:
    """What is wrong with the filter."""
    if said["words"]["Seccomp"] == "2" and said["passed"]:
        return f"calls pass that should be refused, by number: {', '.join(map(str, said['passed']))}"
    return "no filter for this machine's instruction set"


def _no_core_dumps(said: Mapping[str, Any]) -> Protection:
    """A limit keeps the kernel from writing a file, and not from handing the memory to a program that the machine names."""
    piped = bool(said["core_piped"])
    how = (
        "core_pattern names a program, which runs in spite of the limit" if piped else "rlimit 0; no program takes them"
    )
    return held("no_core_dumps", said["core_limit"] == [0, 0] and not piped, how)


def _processes(sandbox: Tried, forks: int) -> Protection:
    group = sandbox.cgroups.pids
    how = f"cgroup v{group[1]}, threads included" if group else "rlimit, per uid"
    return held("process_limit", forks < LIMITS.processes, how, f"{forks} forks under a limit of {LIMITS.processes}")


def _memory(sandbox: Tried, ended: Ended) -> Protection:
    group = sandbox.cgroups.memory
    if group:
        return held("memory_limit", ended.oom, f"cgroup v{group[1]}")
    return held("memory_limit", False, f"rlimit only, per process ({sandbox.cgroups.why_not})")


def _killing(sandbox: Tried) -> str:
    return f"killed with the pid namespace{' and the control group' if sandbox.cgroups.folders else ''}"


def _disk(sandbox: Tried, ended: Ended) -> Protection:
    if sandbox.workspaces.private:
        return held("disk_limit", ended.exit_code == 3, "sized tmpfs in private mounts")
    return held("disk_limit", ended.killed_by == "budget_disk", "polled", sandbox.private_why)


def _protections(sandbox: Tried, trial: Trial) -> tuple[list[Protection], str]:
    ended, said = trial.seen()
    if not said:
        return not_tried(), no_words(trial, ended)
    found = seen_protections(ended, said)
    found += [
        _processes(sandbox, said["forks"]),
        _memory(sandbox, trial.memory()),
        _disk(sandbox, trial.disk()),
        held("all_dead_at_end", trial.orphan_dies(), _killing(sandbox)),
        held("dies_with_harness", trial.dies_with_harness(), "a harness was killed with SIGKILL"),
        held("toolchain_executable", True, f"{trial.python} ran under the sandbox's uid"),
    ]
    return in_order(found), escapes(found)


def escapes(found: list[Protection]) -> str:
    """Why nothing may be run here: what got out of the sandbox, "" when nothing did. Limits may lack, walls may not."""
    out = [each.name for each in found if each.name in WALLS and not each.holds]
    return f"an escape was tried and it worked: {', '.join(out)} does not hold" if out else ""


def no_words(trial: Trial, ended: Ended) -> str:
    """Why nothing was seen."""
    words = ended.start_error or ended.stderr.decode("utf-8", "replace").strip() or f"exit {ended.exit_code}"
    return f"{trial.python} does not run in the sandbox: {words[-500:]}"


def in_order(found: list[Protection]) -> list[Protection]:
    """In the order of `NAMES`."""
    return sorted(found, key=lambda each: NAMES.index(each.name))


def not_tried() -> list[Protection]:
    """All of them, where nothing could be tried."""
    return [held(name, False, "not tried, nothing runs in the sandbox") for name in NAMES]


def _none(why_not: str) -> SandboxFacts:
    """There is no sandbox here."""
    return SandboxFacts(
        name="bubblewrap", version="none", mode="none", usable=False, protections=tuple(not_tried()), why_not=why_not
    )


def in_words(error: DenominatorError) -> str:
    """Why nothing could be tried, and what to do about it."""
    return f"{error.what}; {error.fix}" if error.fix else error.what


def stopped_by_disk(ended: Ended) -> bool:
    """Did the trial that fills the disk end at its limit: refused, or found out by a look?"""
    return ended.exit_code == 3 or ended.killed_by == "budget_disk"


def find(sandbox: Tried, terms: SandboxTerms) -> SandboxFacts:
    """Try every protection; about a second."""
    if sys.platform != "linux":
        return _none(f"the sandbox is made of parts of Linux, and this is {sys.platform}")
    with scratch_folder("facts", remove_tree) as base:
        try:
            found, why_not = _protections(sandbox, Trial(sandbox, terms.python, base))
        except DenominatorError as error:
            found, why_not = not_tried(), in_words(error)
    return SandboxFacts(
        name=sandbox.name,
        version=_version(sandbox.bwrap),
        mode="user" if sandbox.as_user else "root",
        usable=not why_not,
        protections=tuple(found),
        why_not=why_not,
    )
