"""Opening the folder of a run: its seal, journal, blobs and agent."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

from denominator.adapters.agents.contract import Setup
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.envelopes import seal_digest
from denominator.errors import InputError
from denominator.pipeline.sealing import read_seal
from denominator.pipeline.world import OpenRun
from denominator.ports import Agent, Blobs, Clock, Failpoints
from denominator.records.seals import Seal
from denominator.run.layout import RunFolder

SCRIPT_MARK = "sha256:"


def find_run(name: str, runs_dir: Path) -> RunFolder:
    """The folder of a run by id or by path. Raises InputError naming the runs that exist."""
    for root in (runs_dir / name, Path(name)):
        if (root / "seal.json").is_file():
            return RunFolder(root)
    known = [path.name for path in list_runs(runs_dir)]
    raise InputError(
        f"no run is called {name!r}",
        where=str(runs_dir),
        fix=f"one of: {', '.join(known)}" if known else "denominator run",
    )


def latest_run(runs_dir: Path) -> RunFolder:
    """The run that was sealed last."""
    runs = sorted(list_runs(runs_dir), key=lambda path: (path / "seal.json").stat().st_mtime_ns)
    if not runs:
        raise InputError("there is no run yet", where=str(runs_dir), fix="denominator demo")
    return RunFolder(runs[-1])


def list_runs(runs_dir: Path) -> list[Path]:
    """Folders of runs, by name."""
    if not runs_dir.is_dir():
        return []
    return sorted(path for path in runs_dir.iterdir() if (path / "seal.json").is_file())


def open_run(
    folder: RunFolder, clock: Clock, failpoints: Failpoints, *, create: bool = False, keep: bool = False
) -> OpenRun:
    """Open (or with `create` begin) the journal of a sealed run."""
    seal = read_seal(folder.seal)
    folder.blobs.mkdir(exist_ok=True)
    blobs = FolderBlobs(folder.blobs)
    run_id = folder.root.name
    journal = SqliteJournal(folder.journal, run_id, clock, failpoints, create=create)
    return OpenRun(
        run_id=run_id,
        seal=seal,
        seal_digest=seal_digest(seal),
        folder=folder,
        pack_root=folder.pack,
        journal=journal,
        blobs=blobs,
        agent=make_agent(seal, blobs),
        keep=keep,
    )


def make_agent(seal: Seal, blobs: Blobs) -> Agent:
    """The agent that the sealed arm names, by entry point."""
    name, script = seal.arm.agent, seal.arm.script
    found = {point.name: point for point in entry_points(group="denominator.agents")}
    if not isinstance(name, str) or name not in found:
        raise InputError(f"no agent is called {name!r}", where="arm.agent", fix=f"one of: {', '.join(sorted(found))}")
    text = blobs.get(script.removeprefix(SCRIPT_MARK)).decode() if script.startswith(SCRIPT_MARK) else script
    agent = found[name].load()(Setup(python=seal.envelope.sandbox.python, script=text))
    assert isinstance(agent.name, str)
    return agent  # type: ignore[no-any-return]
