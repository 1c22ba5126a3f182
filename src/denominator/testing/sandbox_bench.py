"""What the checks of the sandbox suite share: a bench to run commands on, and limits small enough to be reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.ports import Ended, Job, Limits, Sandbox
from denominator.records.envelopes import SandboxTerms

__all__ = ["LIMITS", "MB", "VARIABLES", "Bench", "Check", "how", "unless"]

MB = 1 << 20
LIMITS = Limits(
    wall_s=30,
    memory_bytes=256 * MB,
    processes=48,
    disk_bytes=32 * MB,
    file_bytes=8 * MB,
    open_files=200,
    output_bytes=20_000,
)
VARIABLES = {"PATH", "HOME", "LANG", "TMPDIR", "PYTHONPYCACHEPREFIX"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A sandbox, an empty folder of the host that its uids may reach, and an interpreter that it can run."""

    sandbox: Sandbox
    folder: Path
    python: str = "/usr/bin/python3"

    def job(self, *argv: str, **more: object) -> Job:
        return replace(Job(argv=argv, role="agent", limits=LIMITS), **more)  # type: ignore[arg-type]

    def run(self, *argv: str, **more: object) -> Ended:
        return self.sandbox.run(self.job(*argv, **more))

    def sh(self, script: str, **more: object) -> Ended:
        return self.run("sh", "-c", script, **more)

    def py(self, script: str, *words: str, **more: object) -> Ended:
        return self.run(self.python, "-I", "-S", "-c", script, *words, **more)

    def work(self, name: str, role: str = "agent") -> Path:
        return self.sandbox.workspace(self.folder / name, role=role, slot=0, disk_bytes=LIMITS.disk_bytes)

    def holds(self, protection: str) -> bool:
        facts = self.sandbox.facts(SandboxTerms(python=self.python))
        return any(each.name == protection and each.holds for each in facts.protections)


Check = Callable[[Bench], list[str]]


def unless(true: bool, breach: str) -> list[str]:
    return [] if true else [breach]


def how(ended: Ended) -> str:
    words = f"exit {ended.exit_code} signal {ended.signal} killed_by {ended.killed_by} oom {ended.oom}"
    return f"{words} {ended.start_error} {ended.stdout[:300]!r} {ended.stderr[:300]!r}"
