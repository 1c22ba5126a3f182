"""An arm is looked at before it is sealed: a mistake that is found later is sealed with it and costs a run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from denominator.adapters.agents.command import problems as command_problems
from denominator.adapters.agents.mounts import at_home, read_mount
from denominator.adapters.agents.placeholders import NEEDS_MODEL, used
from denominator.adapters.agents.preset import equipped, preset_problems
from denominator.adapters.agents.presets import preset_named
from denominator.adapters.gateway.upstream import read_upstream
from denominator.errors import InputError, Problem
from denominator.ports import Mount
from denominator.records.envelopes import Arm, Envelope
from denominator.records.seals import SealedMount
from denominator.records.values import NotMeasured
from denominator.wire.private import PERSONAL
from denominator.wire.trees import TreeLimits, read_tree, tree_digest

BYTECODE = "__pycache__"
HOME = PERSONAL["a home folder"]
MOUNT_LIMITS = TreeLimits(files=500_000, file_bytes=4 << 30, total_bytes=64 << 30, path_bytes=4_000, depth=200)
"""A mount is the user's own choice, and may hold a whole toolchain."""


def placed(arm: Arm, folder: Path) -> Arm:
    """The arm as it is sealed: filled from its preset, mounts absolute (relative ones are beside the envelope).

    What lies below the home folder of whoever seals is written as `~/...`: a name of a person is in no seal, and a bundle
    of the run may travel.
    """
    beside = folder.absolute()
    mounts = (str(beside / mount) if _relative(mount) else mount for mount in arm.mounts)
    return replace(equipped(arm), mounts=tuple(map(_below_home, mounts)))


def _relative(mount: str) -> bool:
    host, sign, _ = mount.rpartition("=")
    return bool(sign and host) and not host.startswith("/") and at_home(host) == host


def _below_home(mount: str) -> str:
    home, (host, _, inside) = str(Path.home()), mount.rpartition("=")
    if not HOME.match(home) or not (host == home or host.startswith(f"{home}/")):
        return mount
    return f"~{host[len(home) :]}={inside}"


def sealed_mounts(arm: Arm) -> tuple[SealedMount, ...]:
    """What the mounts of an arm hold now. One that cannot be read whole is unknown, with the first path that cannot."""
    found = (read_mount(text) for text in arm.mounts)
    return tuple(SealedMount(inside=one.inside, sha256=_held(one.host)) for one in found if isinstance(one, Mount))


def _held(host: Path) -> str | NotMeasured:
    if host.is_file():
        return hashlib.sha256(host.read_bytes()).hexdigest()
    tree = read_tree(host, MOUNT_LIMITS, trusted=True)
    if tree.refused:
        first = tree.refused[0]
        return NotMeasured(f"{first.path or '.'} {first.why}")
    return tree_digest(entry for entry in tree.entries if BYTECODE not in Path(entry.path).parts)


def check_arm(arm: Arm, envelope: Envelope, where: str, env: Mapping[str, str] | None) -> None:
    """Refuse an arm that could not run here, all mistakes in one pass; without an environment its key is elsewhere."""
    found = arm_problems(arm, envelope, env)
    if found:
        what = f"arm {arm.label!s} could not be run"
        raise InputError(what, where=where, problems=found, fix="mend the envelope, then denominator envelope check")


def arm_problems(arm: Arm, envelope: Envelope, env: Mapping[str, str] | None = None) -> list[Problem]:
    """What would keep this arm from running here; without the harness's environment its key is not looked for."""
    found = (*_command(arm, envelope), *_mounts(arm), *_endpoint(arm, envelope, env))
    return [Problem(f"arm.{p.where.removeprefix('arm.')}", p.what, p.fix) for p in found]


def _command(arm: Arm, envelope: Envelope) -> Iterator[Problem]:
    if arm.agent != "command" and preset_named(arm.agent) is None:
        return
    yield from preset_problems(arm)
    yield from (p for p in command_problems(arm) if not p.where.startswith("mounts"))
    if envelope.sandbox.network == "gateway":
        return
    texts = [(f"command[{n}]", part) for n, part in enumerate(arm.command, 1)]
    texts += [(f"env.{name}", value) for name, value in arm.env.items()]
    for where, text in texts:
        for name in used(text):
            if name in NEEDS_MODEL:
                yield Problem(where, f"{{{name}}} has no value: the network is off", 'sandbox.network = "gateway"')


def _mounts(arm: Arm) -> Iterator[Problem]:
    for text in arm.mounts:
        mount = read_mount(text)
        if isinstance(mount, Problem):
            yield mount
        elif isinstance(mount, Mount) and not mount.host.exists():
            yield Problem(f"mounts: {text!r}", f"{mount.host} is not there", "relative paths start beside the envelope")


def _endpoint(arm: Arm, envelope: Envelope, env: Mapping[str, str] | None) -> Iterator[Problem]:
    endpoint, key_env = arm.model.endpoint, arm.model.key_env
    if envelope.sandbox.network != "gateway" or not isinstance(endpoint, str):
        return
    try:
        # Where a recording answers nobody is asked, so no key is needed.
        wanted = key_env if env is not None and not envelope.gateway.cassette else ""
        read_upstream(endpoint, wanted, env or {})
    except InputError as error:
        yield Problem(error.where, error.what, error.fix)
