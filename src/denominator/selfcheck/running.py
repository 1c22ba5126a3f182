"""The whole check in order: what needs no sandbox first. Everything happens below one temporary folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator._version import __version__
from denominator.errors import MachineError
from denominator.packs.audit import corpus_digest
from denominator.pipeline.rules import rules_digest
from denominator.ports import Reporter
from denominator.records.selfchecks import Found, SelfCheck, SelfCheckLine
from denominator.selfcheck.attacks import ATTACK, PROBE, attack_lines
from denominator.selfcheck.bundles import RUN, import_bundle_lines, run_bundle_lines
from denominator.selfcheck.imports import import_lines
from denominator.selfcheck.rules import gate_lines, label_lines

QUICK = "left out by --quick"
Part = Callable[[], Iterator[SelfCheckLine]]


def selfcheck(reporter: Reporter, *, quick: bool = False) -> SelfCheck:
    """Try everything that ships. `quick` leaves out what takes a sandbox; a machine without one leaves that unknown."""
    with tempfile.TemporaryDirectory(prefix="denominator-selfcheck-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        parts: tuple[tuple[str, Part], ...] = (
            ("rules of the gate", gate_lines),
            ("rules of the labels", label_lines),
            (
                "broken inputs",
                lambda: import_lines(_made(folder / "imports"), 1 if quick else 2, QUICK if quick else ""),
            ),
            ("bundles of imports", lambda: import_bundle_lines(_made(folder / "import"))),
        )
        lines = [line for name, part in parts for line in _said(name, part, reporter)]
        sandboxed: tuple[tuple[tuple[str, ...], Part], ...] = (
            ((RUN,), lambda: run_bundle_lines(_made(folder / "run"), reporter)),
            ((PROBE, ATTACK), lambda: attack_lines(_made(folder / "attacks"), reporter)),
        )
        for kinds, part in sandboxed:
            lines += (
                [_not_tried(kind, Found.NOT_SHOWN, QUICK) for kind in kinds] if quick else _tried(kinds, part, reporter)
            )
    return SelfCheck(
        version=__version__,
        rules_digest=rules_digest(),
        corpus_sha=corpus_digest(),
        quick=quick,
        lines=tuple(lines),
    )


def _said(name: str, part: Part, reporter: Reporter) -> Iterator[SelfCheckLine]:
    reporter.line(name)
    yield from part()


def _tried(kinds: tuple[str, ...], part: Part, reporter: Reporter) -> list[SelfCheckLine]:
    """Lines of a part that takes a sandbox; where none works, that nobody knows."""
    try:
        return list(_said(" and ".join(kinds), part, reporter))
    except MachineError as error:
        return [_not_tried(kind, Found.UNKNOWN, f"{error.what} (without a sandbox: --quick)") for kind in kinds]


def _not_tried(kind: str, found: Found, why: str) -> SelfCheckLine:
    return SelfCheckLine(kind=kind, name=f"every {kind}", rule="", twin="", found=found, seen=why)


def _made(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o755)
    return folder
