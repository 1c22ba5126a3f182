"""Building the real adapters for one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from denominator.adapters.box import SystemBox
from denominator.adapters.clock import SystemClock, clock_from_environment
from denominator.adapters.failpoints import from_environment
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.bare import Bare
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.adapters.sandboxes.docker.client import Engine, EngineError, socket_path
from denominator.adapters.sandboxes.docker.images import resolve
from denominator.adapters.sandboxes.docker.owners import sweep
from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.errors import DenominatorError, MachineError
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Failpoints, Reporter, Sandbox
from denominator.records.envelopes import GatewayTerms, SandboxTerms
from denominator.records.seals import Seal
from denominator.run.spending import Spending, caps_of
from denominator.wire import scratch
from denominator.wiring.cassettes import PLACE
from denominator.wiring.journals import recorder

HELD = ("bare", "baseline", "facts", "grading", "kit", "landlock")  # kinds of temporary folders, held by a lock


def enter_private_mounts(sandbox: Sandbox) -> None:
    """Take the private mounts that sized workspaces need; must happen before any thread starts."""
    if sys.platform == "linux" and isinstance(sandbox, Bubblewrap):
        sandbox.enter()


@contextmanager
def a_world(
    terms: SandboxTerms, reporter: Reporter, *, unsandboxed: bool = False, hidden: Sequence[Path] = ()
) -> Iterator[World]:
    """Every port, with the sandbox that the terms name; its workspaces and control groups are gone afterwards."""
    require_linux()
    sandbox = make_sandbox(terms, unsandboxed=unsandboxed, hidden=hidden)
    enter_private_mounts(sandbox)
    try:
        yield World(
            clock=clock_from_environment(),
            sandbox=sandbox,
            grader=CleanTree(),
            box=SystemBox(),
            failpoints=from_environment(),
            reporter=reporter,
        )
    finally:
        sandbox.close()


def require_linux() -> None:
    """Agents and hidden tests run on Linux only; reading and judging what they left works anywhere."""
    if sys.platform != "linux":
        raise MachineError(
            f"agents and hidden tests run on Linux only, and this is {sys.platform}",
            fix="run on Linux; import, gate, card, show, status, pack lint, explain and schema work here",
        )


def make_sandbox(terms: SandboxTerms, *, unsandboxed: bool, hidden: Sequence[Path] = ()) -> Sandbox:
    """The sandbox of these terms. `bare` needs the explicit flag and nothing else accepts it."""
    if unsandboxed:
        return Bare()
    if terms.backend == "docker":
        return Docker(image=terms.image, hidden=hidden)
    if terms.backend == "landlock":
        return Landlock(python=terms.python, site=terms.site, hidden=hidden)
    if terms.backend != "bubblewrap":
        raise MachineError(
            f"no sandbox is called {terms.backend!r}",
            where="sandbox.backend",
            fix='use "bubblewrap", "docker" or "landlock" (weak), or run with --no-sandbox; the last two are stamped on the result',
        )
    return Bubblewrap(python=terms.python, site=terms.site, hidden=hidden)


def pin_image(name: str) -> str:
    """The reference that means this image for ever, as the engine of this machine has it now; nothing is fetched."""
    return resolve(Engine(socket_path(os.environ.get("DOCKER_HOST", ""))), name).pin


def sweep_containers(dry_run: bool) -> list[str]:
    """Remove what dead harnesses left in the engine of this machine; nothing where there is none."""
    try:
        place = socket_path(os.environ.get("DOCKER_HOST", ""))
        return sweep(Engine(place), dry_run=dry_run) if place.exists() else []
    except (DenominatorError, EngineError):
        return []


def sweep_folders(dry_run: bool) -> list[str]:
    """Remove temporary folders whose process was killed: hidden tests lie in some of them."""
    return [str(path) for kind in HELD for path in scratch.sweep(kind, remove_tree, dry_run=dry_run)]


def with_relay(run: OpenRun, failpoints: Failpoints) -> OpenRun:
    """The run with the gateway and the budgets that its seal asks for; as it was where the network is off."""
    envelope = run.seal.envelope
    if envelope.sandbox.network != "gateway":
        return run
    endpoint, key_env = upstream_of(run.seal)
    cap = run.seal.arm.model.max_output_tokens
    settings = Settings(
        endpoint=endpoint,
        # Where a recording answers nobody is asked, so the process gets no key.
        key_env="" if run.seal.cassette else key_env,
        blobs=str(run.folder.blobs.absolute()),
        output_cap=cap if isinstance(cap, int) else 0,
        terms=playing(run),
    )
    guard = Spending(caps_of(envelope), run.journal.calls())
    record = recorder(run)
    relay = Relay(settings, environ=os.environ, clock=SystemClock(), record=record, guard=guard, failpoints=failpoints)
    return replace(run, relay=relay, guard=guard)


def playing(run: OpenRun) -> GatewayTerms:
    """The sealed terms, with the run's own copy of the recording in the place of what the envelope named."""
    terms = run.seal.envelope.gateway
    return replace(terms, cassette=str((run.folder.root / PLACE).absolute())) if run.seal.cassette else terms


def upstream_of(seal: Seal) -> tuple[str, str]:
    """Base URL and the name of the variable that holds the key."""
    endpoint, key_env = seal.arm.model.endpoint, seal.arm.model.key_env
    if not isinstance(endpoint, str):
        raise MachineError("the arm names no endpoint", where="arm.model.endpoint", fix="fill it in and seal again")
    return endpoint, key_env if isinstance(key_env, str) else ""


def utc_now() -> str:
    """UTC now, ISO 8601 with milliseconds."""
    return SystemClock().wall()
