"""Processes of the command line that are forked from one that has the package imported: a start costs a fork."""

from __future__ import annotations

import multiprocessing
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["denominator.cli.main", "denominator.wiring.running_cli", "denominator.cli.running"])


def start(folder: Path, *args: str, env: dict[str, str] | None = None) -> BaseProcess:
    """`denominator ARGS` in `folder`, in a session of its own; what it says is in `folder/said`."""
    process = CONTEXT.Process(target=_main, args=(str(folder), args, env or {}))
    process.start()
    return process


def finish(process: BaseProcess, folder: Path) -> int:
    """The exit code, minus the signal's number where one ended it. A traceback is an error of the test."""
    process.join(180)
    said = (folder / "said").read_text(errors="replace")
    assert process.exitcode is not None, said
    assert "Traceback" not in said, said
    return process.exitcode


def _main(folder: str, args: tuple[str, ...], env: dict[str, str]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.pop("DENOMINATOR_FAILPOINTS", None)
    os.environ.update({"XDG_CACHE_HOME": f"{folder}/cache", **env})
    out = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for descriptor in (1, 2):
        os.dup2(out, descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["denominator", *args]
    from denominator.cli import main

    main()
