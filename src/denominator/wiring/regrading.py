"""`verify --regrade` on this machine: the real grader in the real sandbox, and no agent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.packs import find_pack
from denominator.pipeline.baselines import Bench
from denominator.pipeline.sealing import read_box
from denominator.pipeline.verify_asked import BenchOf
from denominator.ports import Reporter
from denominator.records.boxes import Box
from denominator.records.envelopes import SandboxTerms
from denominator.records.packs import BaselineRun
from denominator.records.values import NotMeasured
from denominator.wiring.regrade_toolchain import terms_here
from denominator.wiring.running import stop_on_signals
from denominator.wiring.world import a_world


def bench_here(folder: Path, reporter: Reporter, python: str = "", site: str = "") -> BenchOf:
    """Where patches are graded again: in this machine's sandbox with its own toolchain, or nowhere, with the reason."""

    @contextmanager
    def bench_of(sealed: SandboxTerms) -> Iterator[tuple[Bench | NotMeasured, Box | None]]:
        terms = terms_here(sealed, python, site)
        if isinstance(terms, NotMeasured):
            yield terms, None
            return
        with ExitStack() as stack:
            try:
                stop = stack.enter_context(stop_on_signals())
                world = stack.enter_context(a_world(terms, reporter, hidden=(folder,)))
                facts = world.sandbox.facts(terms)
                box = read_box(world, terms, folder)
            except DenominatorError as error:
                found: tuple[Bench | NotMeasured, Box | None] = NotMeasured(f"no sandbox here: {error.what}"), None
            else:
                note = _Counted(reporter)
                bench = Bench(
                    grader=world.grader, sandbox=world.sandbox, clock=world.clock, terms=terms, stop=stop, note=note
                )
                found = (bench if facts.usable else NotMeasured(f"no sandbox here: {facts.why_not}")), box
            yield found

    return bench_of


def pack_folder(name: str) -> Path | None:
    """The pack that was named: a folder, or one that comes with the package; None for no name."""
    return Path(find_pack(name)) if name else None


class _Counted:
    """Says now and then how many gradings have ended."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter, self.done = reporter, 0

    def __call__(self, _: BaselineRun) -> None:
        self.done += 1
        if self.done % 50 == 0:
            self.reporter.line(f"{self.done} gradings have ended")
