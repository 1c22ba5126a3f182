"""Opening the folder of a run: its seal, journal, blobs and agent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path

from denominator.adapters.agents.contract import Setup
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.errors import DenominatorError, InputError, InternalError
from denominator.pipeline.replaying import FILE as REPLAY_FILE
from denominator.pipeline.replaying import replay_note
from denominator.pipeline.sealing import read_sealed
from denominator.pipeline.world import OpenRun
from denominator.ports import Agent, AgentPlan, AgentTask, Blobs, Clock, Failpoints
from denominator.records.envelopes import Arm
from denominator.records.seals import Seal
from denominator.run.layout import RunFolder
from denominator.wire.secrets import Secrets, secrets_of
from denominator.wiring.journals import look_at_store, open_store

SCRIPT_MARK = "sha256:"
SHOWN = 8
"""Runs that a message names at most."""


def find_run(name: str, runs_dir: Path) -> RunFolder:
    """The folder of a run by id or by path. Raises InputError naming the runs that exist."""
    for root in (runs_dir / name, Path(name)):
        if _is_run(root):
            return RunFolder(root.absolute())
    if any(os.path.isfile(Path(name) / one) for one in ("ledger.json", "terms.json")):  # noqa: PTH113
        fix = f"denominator card {name}"
        if os.path.isfile(Path(name) / "ledger.jsonl"):  # noqa: PTH113
            fix += (
                "; its rows are many and held by kind: to show or label single ones, import fewer (--declare, [subset])"
            )
        raise InputError("is an import, not a run", where=name, fix=fix)
    known = [path.name for path in list_runs(runs_dir)]
    if kept := _imports_in(Path(name)):
        more = f" and {len(kept) - SHOWN} more" if len(kept) > SHOWN else ""
        raise InputError("is a folder of imports", where=name, fix=f"name one of: {', '.join(kept[:SHOWN])}{more}")
    if _is_foreign(Path(name)):
        raise InputError(
            "is no run of ours and no import", where=name, fix=f"a result of another harness: denominator audit {name}"
        )
    if os.path.isdir(runs_dir / name):  # noqa: PTH112
        raise InputError(
            f"{name} holds no seal.json: it is no run, or it lost its seal", where=str(runs_dir), fix=_names(known)
        )
    raise InputError(f"no run is called {name!r}", where=str(runs_dir), fix=_names(known, name))


def _imports_in(folder: Path) -> list[str]:
    """The kept imports in a folder, as `audit -o` of several runs leaves them; none for a name that no folder has."""
    try:
        return sorted(str(one.parent) for one in folder.glob("*/terms.json"))
    except (OSError, ValueError):
        return []


def _is_foreign(folder: Path) -> bool:
    """A folder that holds something, and no run among it: named by a path, so it was not meant as a run id."""
    try:
        return len(folder.parts) > 1 and any(folder.iterdir()) and not any(folder.glob("*/seal.json"))
    except (OSError, ValueError):
        return False


def _is_run(root: Path) -> bool:
    """False, no error, for a name that no file can have."""
    return os.path.isfile(root / "seal.json")  # noqa: PTH113


def _names(known: list[str], near: str = "") -> str:
    """Runs to choose from: those that are spelled alike, else the last ones."""
    if not known:
        return "denominator run"
    shown = get_close_matches(near, known, 3) or known[-SHOWN:]
    more = f" ... (denominator runs ls shows all {len(known)})" if len(known) > len(shown) else ""
    return f"one of: {', '.join(shown)}{more}"


def latest_run(runs_dir: Path) -> RunFolder:
    """The run that was sealed last."""
    runs = sorted(list_runs(runs_dir), key=lambda path: (path / "seal.json").stat().st_mtime_ns)
    if not runs:
        raise InputError("there is no run yet", where=str(runs_dir), fix="denominator run, or denominator demo")
    return RunFolder(runs[-1])


def list_runs(runs_dir: Path) -> list[Path]:
    """Folders of runs, by name."""
    if not runs_dir.exists():
        return []
    if not runs_dir.is_dir():
        raise InputError("is no folder", where=str(runs_dir), fix="name the folder of runs with --runs-dir")
    return sorted(path for path in runs_dir.iterdir() if not path.name.startswith(".") and _is_run(path))


def look_into(folder: RunFolder, *, untouched: bool = False) -> OpenRun:
    """Open a run for reading only: neither its agent nor its blobs need to be there; `untouched`: no byte changes."""
    seal, digest = read_sealed(folder.seal)
    journal, blobs = look_at_store(folder, folder.root.name, SystemClock(), NoFailpoints(), untouched=untouched)
    return OpenRun(
        run_id=folder.root.name,
        seal=seal,
        seal_digest=digest,
        folder=folder,
        pack_root=folder.pack,
        journal=journal,
        blobs=blobs,
        agent=Absent(),
        secrets=_secrets(seal),
        replays=lambda: replay_runs(folder),
    )


def replay_runs(folder: RunFolder) -> Iterator[OpenRun]:
    """Runs beside this one that say they repeat it, opened for reading one after the other.

    One that cannot be read keeps nobody from judging this run; with a seal of its own it is listed among the other runs.
    """
    for path in sorted(folder.root.parent.glob(f"*/{REPLAY_FILE}")):
        try:
            note = replay_note(path.parent)
            if note is None or note.of != folder.root.name or not _is_run(path.parent):
                continue
            again = look_into(RunFolder(path.parent))
        except DenominatorError:
            continue
        yield again


def _secrets(seal: Seal) -> Secrets:
    """What this process holds and nobody may read out of the run: the provider's key before all."""
    key = seal.arm.model.key_env
    return secrets_of(os.environ, *([key] if isinstance(key, str) and key else []))


class Absent:
    """Stands for the agent of a run that is only looked at."""

    name = "absent"
    needs_gold = False

    def version(self) -> str:
        """None is known."""
        return ""

    def plan(self, task: AgentTask) -> AgentPlan:
        """Never called: nothing is run."""
        raise InternalError(f"the run of {task.task.id} was opened for reading only")


def open_run(folder: RunFolder, clock: Clock, failpoints: Failpoints, *, keep: bool = False) -> OpenRun:
    """Open a sealed run to go on with it."""
    seal, digest = read_sealed(folder.seal)
    run_id = folder.root.name
    journal, blobs = open_store(folder, run_id, clock, failpoints)
    return OpenRun(
        run_id=run_id,
        seal=seal,
        seal_digest=digest,
        folder=folder,
        pack_root=folder.pack,
        journal=journal,
        blobs=blobs,
        agent=make_agent(seal, blobs),
        keep=keep,
        secrets=_secrets(seal),
        replays=lambda: replay_runs(folder),
    )


def make_agent(seal: Seal, blobs: Blobs) -> Agent:
    """The agent that the sealed arm names, with the script as it was sealed."""
    script = seal.arm.script
    text = blobs.get(script.removeprefix(SCRIPT_MARK)).decode() if script.startswith(SCRIPT_MARK) else script
    return build_agent(seal.arm, seal.envelope.sandbox.python, text)


def build_agent(arm: Arm, python: str, script: str) -> Agent:
    """An agent by entry point. Raises InputError for an unknown name or a script that cannot be used."""
    found = {point.name: point for point in entry_points(group="denominator.agents")}
    if not isinstance(arm.agent, str) or arm.agent not in found:
        known = ", ".join(sorted(found))
        raise InputError(f"no agent is called {arm.agent!r}", where="arm.agent", fix=f"one of: {known}")
    agent = found[arm.agent].load()(Setup(python=python, script=script))
    assert isinstance(agent.name, str)
    return agent  # type: ignore[no-any-return]
