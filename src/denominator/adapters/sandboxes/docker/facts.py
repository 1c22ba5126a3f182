"""What containers of this engine and image really hold: the same trials as for every sandbox."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from denominator.adapters.sandboxes.docker.client import Engine, EngineError
from denominator.adapters.sandboxes.docker.images import Image, resolve
from denominator.adapters.sandboxes.docker.owners import sweep
from denominator.adapters.sandboxes.facts import (
    escapes,
    held,
    in_order,
    in_words,
    no_words,
    not_tried,
    seen_protections,
    stopped_by_disk,
)
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.spawn import DEATH_S
from denominator.adapters.sandboxes.trials import LIMITS, Trial
from denominator.errors import DenominatorError
from denominator.ports import Sandbox
from denominator.records.boxes import Protection, SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = ["find"]

# A harness of its own that leaves an orphan in a container. argv: package, workspace, image, engine.
HARNESS = r"""
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.adapters.sandboxes.probes import ORPHAN
from denominator.ports import Job, Limits
limits = Limits(wall_s=30, memory_bytes=64 << 20, processes=32, disk_bytes=8 << 20, file_bytes=1 << 20,
                open_files=64, output_bytes=4096)
made = Docker(image=sys.argv[3], socket=sys.argv[4])
made.run(Job(argv=("sh", "-c", ORPHAN, "sh", "30"), role="agent", limits=limits, workdir=Path(sys.argv[2])))
"""


class Tried(Sandbox, Protocol):
    """What is asked of the sandbox whose facts are found."""

    as_user: bool
    image: str
    engine: Engine


def find(sandbox: Tried, terms: SandboxTerms) -> SandboxFacts:
    """Try every protection; a few seconds, for each trial is a container."""
    version, found, why_not = "none", not_tried(), ""
    with scratch_folder("facts", remove_tree) as base:
        try:
            image = resolve(sandbox.engine, sandbox.image)
            version = _version(sandbox.engine, image)
            if why_not := _unfit(sandbox.engine):
                return _facts(sandbox, version, found, why_not)
            words = (sandbox.image, str(sandbox.engine.path))
            found, why_not = _protections(Trial(sandbox, terms.python, base, HARNESS, words), sandbox.engine)
        except EngineError as error:
            why_not = str(error)
        except DenominatorError as error:
            why_not = in_words(error)
    return _facts(sandbox, version, found, why_not)


def _facts(sandbox: Tried, version: str, found: list[Protection], why_not: str) -> SandboxFacts:
    return SandboxFacts(
        name=sandbox.name,
        version=version,
        mode="user" if sandbox.as_user else "root",
        usable=not why_not,
        protections=tuple(found),
        why_not=why_not,
    )


def _unfit(engine: Engine) -> str:
    """Why no container of this engine can be a sandbox, "" where it can: every role needs a uid that is the same outside."""
    said = engine.call("GET", "/info") or {}
    options = " ".join(str(each) for each in said.get("SecurityOptions") or ())
    if said.get("Rootless") or "name=rootless" in options:
        kind = "is rootless"
    elif "name=userns" in options:
        kind = "remaps users"
    else:
        return ""
    what = f"the engine at {engine.path} {kind}: its uids are not this machine's"
    return f"{what}; use one that runs as root (DOCKER_HOST), or bubblewrap"


def _version(engine: Engine, image: Image) -> str:
    """The engine and its parts, and the image by its id: what a seal has to say."""
    said = engine.version()
    parts = [each for each in said.get("Components") or [] if isinstance(each, dict)]
    names = [f"{each.get('Name')} {str(each.get('Version')).splitlines()[0]}" for each in parts]
    return f"{', '.join(names)}; image {image.id}"


def _protections(trial: Trial, engine: Engine) -> tuple[list[Protection], str]:
    ended, said = trial.seen()
    if not said:
        return not_tried(), no_words(trial, ended)
    found = [_reworded(each, said) for each in seen_protections(ended, said)]
    memory = trial.memory()
    found += [
        held("process_limit", said["forks"] < LIMITS.processes, "engine, threads included", f"{said['forks']} forks"),
        held("memory_limit", memory.oom, memory.enforced["memory"].partition(" ")[2]),
        held("disk_limit", stopped_by_disk(trial.disk()), "polled; private folders are sized tmpfs"),
        held("all_dead_at_end", trial.orphan_dies(), "the container is killed and removed"),
        held(
            "dies_with_harness",
            trial.dies_with_harness() and _swept(engine),
            "a harness was killed with SIGKILL; its guard removed the container",
        ),
        held("toolchain_executable", True, f"{trial.python} of the image ran under the sandbox's uid"),
    ]
    return in_order(found), escapes(found)


def _swept(engine: Engine) -> bool:
    """Did the guard remove the container? A file that stands still says too little: on a busy machine its writer may only wait."""
    deadline = time.monotonic() + DEATH_S
    while sweep(engine, dry_run=True):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _reworded(each: Protection, said: Mapping[str, Any]) -> Protection:
    """The same facts in the words of an engine. The first process may be read: it is our gate, with nothing of ours in it."""
    if each.name == "separate_uids" and each.holds:
        return replace(each, how=each.how.replace("setpriv to uid", "user"))
    if each.name == "pid_namespace":
        names = {word.partition("=")[0] for word in str(said["first_environ"]).split("\0") if word}
        alone = said["pids"][0] == 1 and len(said["pids"]) <= 4
        how = "own pid namespace; nothing of the harness is visible"
        return held(each.name, alone and not any(name.startswith("DENOMINATOR") for name in names), how)
    return each
