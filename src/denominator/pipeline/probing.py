"""`probe run`, in order: warm-ups, then every planned attempt of a window that is not there yet. START HERE.

A window begins with its first stored attempt. Whatever ends the process, a resumed window asks what is missing and nothing
else; an attempt that was stopped in the middle is not known and is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from denominator.errors import InputError
from denominator.pipeline.probe_folder import ATTEMPTS, ProbeFolder
from denominator.pipeline.probe_pacing import Pace
from denominator.pipeline.probe_reaching import Unreachable, no_way, unreachable
from denominator.pipeline.probe_writing import WindowWriter, alone_with, begin, make_probe, resume
from denominator.ports import Clock, Stop
from denominator.probe.asking import request_body
from denominator.probe.order import WARMUP, asks
from denominator.probe.windows import dependence
from denominator.records.probe_results import Exchange, Heard
from denominator.records.probe_words import End
from denominator.records.probes import Ask, Fixture, ProbeSeal, Window


class Client(Protocol):
    """Asks the endpoint once. None when told to stop meanwhile: then nothing is known of the attempt.

    `knock` opens a connection and says nothing: how that failed, or None.
    """

    def exchange(
        self, body: bytes, ask: Ask, window: int, due_ns: int | None = None, stop: Stop | None = None
    ) -> Exchange | None: ...
    def knock(self, stop: Stop | None = None) -> End | None: ...


class Told(Protocol):
    """Is told what happens. `expect`: how many measured attempts are still to be made."""

    def expect(self, attempts: int) -> None: ...
    def line(self, text: str) -> None: ...
    def ended(self, exchange: Exchange) -> None: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """A probe that may ask: what is sealed, and with what it is done. `fixture_bytes` are the file as it was frozen.

    `anyway`: go on although the warm-up shows that nobody is there who answers.
    """

    root: Path
    seal: ProbeSeal
    fixture: Fixture
    fixture_bytes: bytes
    client: Client
    clock: Clock
    stop: Stop
    told: Told
    anyway: bool = False

    def body(self, ask: Ask) -> bytes:
        """The request of an attempt."""
        envelope = self.seal.envelope
        to = envelope.endpoint
        return request_body(self.fixture.case(ask.case_id), ask.mode, to.model, to.cap_field)

    def heard(self, exchange: Exchange) -> Heard | None:
        """What an attempt says, where its bytes are not to be kept."""
        envelope = self.seal.envelope
        if not envelope.redact_bodies:
            return None
        from denominator.probe.hearing import hear

        case = self.fixture.case(exchange.ask.case_id)
        return hear(case, exchange, envelope.endpoint.model, envelope.run)


@dataclass(frozen=True, slots=True)
class WindowRun:
    """How far a window is. Counts are of measured attempts; `made` are those of this process. `why`: it is not independent.

    `started_at` is the window's own first stamp; "" while nothing of it is stored.
    """

    number: int
    planned: int
    stored: int
    made: int
    independent: bool
    why: str = ""
    started_at: str = ""

    @property
    def missing(self) -> int:
        """Attempts that were planned and are not there."""
        return self.planned - self.stored


def run_window(bench: Bench, number: int) -> WindowRun:
    """Make the attempts of a window that are missing. A folder that is not there yet is made after the warm-up.

    Raises InputError when nobody answers the warm-up, MachineError, RunInUseError.
    """
    if not bench.root.exists():
        return _first(bench)
    with alone_with(bench.root):
        folder = ProbeFolder(bench.root)
        there = {window.number: window for window in folder.windows()}
        if number in there and there[number].ended_at:
            _refuse_lost(bench, folder, number)
            return _told(bench, folder, number, 0)
        if number in there:
            if _left(bench, folder, number):
                # What goes on has no warm-up any more, and a way that is closed would use up its attempts.
                _refuse(bench, no_way(bench.client.knock(bench.stop) or ""), "going on")
            return _go_on(bench, folder, resume(folder, there[number], bench.clock))
        return _begun(bench, folder, number)


def _refuse_lost(bench: Bench, folder: ProbeFolder, number: int) -> None:
    """A window that ended held every attempt. To ask again for one that was taken out would be a second try."""
    if lost := len(_left(bench, folder, number)):
        raise InputError(
            f"window {number} was whole when it ended, and {lost} of its attempts are gone",
            where=str(folder.place(number) / ATTEMPTS),
            fix="restore the file as it was written, or ask another window",
        )


def _first(bench: Bench) -> WindowRun:
    """The first window of a new probe: nothing is written while nobody answers."""
    window, warmed = _stamped(bench, 1), _warmed(bench, 1)
    if warmed is None:
        return WindowRun(1, _count(_plan(bench, 1)), 0, 0, True)
    folder = make_probe(bench.root, bench.seal, bench.fixture_bytes)
    with alone_with(bench.root):
        return _go_on(bench, folder, _opened(bench, folder, window, warmed))


def _begun(bench: Bench, folder: ProbeFolder, number: int) -> WindowRun:
    window = _stamped(bench, number)
    if why := why_dependent((*folder.windows(), window), number):
        bench.told.line(f"window {number} will not count as independent: {why}")
    warmed = _warmed(bench, number)
    if warmed is None:
        return _told(bench, folder, number, 0)
    return _go_on(bench, folder, _opened(bench, folder, window, warmed))


def _opened(bench: Bench, folder: ProbeFolder, window: Window, warmed: Sequence[Exchange]) -> WindowWriter:
    writer = begin(folder, replace(window, seal_sha256=folder.seal_sha256))
    for exchange in warmed:
        writer.put(exchange, bench.heard(exchange))
    return writer


def _stamped(bench: Bench, number: int) -> Window:
    clock = bench.clock
    return Window(number=number, started_at=clock.wall(), mono_ns=clock.mono_ns(), boot_id=clock.boot_id)


def _warmed(bench: Bench, number: int) -> list[Exchange] | None:
    """The warm-ups of a window; None when told to stop. Raises InputError when they show that asking on is of no use."""
    found: list[Exchange] = []
    for ask in (one for one in _plan(bench, number) if one.purpose == WARMUP):
        exchange = bench.client.exchange(bench.body(ask), ask, number, None, bench.stop)
        if exchange is None:
            return None
        bench.told.ended(exchange)
        found.append(exchange)
    _refuse(bench, unreachable(found[-1], bench.seal.envelope) if found else None, "the warm-up")
    return found


def _refuse(bench: Bench, why: Unreachable | None, at: str) -> None:
    if why is not None and not bench.anyway:
        raise InputError(f"{at}: {why.what}", where=bench.seal.envelope.endpoint.url, fix=why.fix)
    if why is not None:
        bench.told.line(f"{at}: {why.what}; asked all the same")


def _go_on(bench: Bench, folder: ProbeFolder, writer: WindowWriter) -> WindowRun:
    """Every attempt that is not there, at the pace of the terms."""
    number = writer.window.number
    missing = _left(bench, folder, number)
    warm = [one for one in missing if one.purpose == WARMUP]
    left = [one for one in missing if one.purpose != WARMUP]
    bench.told.expect(len(left))
    made: list[int] = []

    def make(ask: Ask, due_ns: int | None, stop: Stop) -> bool:
        exchange = bench.client.exchange(bench.body(ask), ask, number, due_ns, stop)
        if exchange is None:
            return False
        writer.put(exchange, bench.heard(exchange))
        made.append(ask.seq)
        bench.told.ended(exchange)
        return True

    if all(make(ask, None, bench.stop) for ask in warm):
        Pace(bench.seal.envelope.run, bench.clock, bench.stop).run(left, make)
    if len(made) == len(warm) + len(left):
        writer.end(bench.clock)
    return _told(bench, folder, number, sum(seq not in {one.seq for one in warm} for seq in made))


def _told(bench: Bench, folder: ProbeFolder, number: int, made: int) -> WindowRun:
    plan = _plan(bench, number)
    stored = sum(one.ask.purpose != WARMUP for one in folder.attempts(number))
    windows = folder.windows()
    why = why_dependent(windows, number)
    started_at = next((one.started_at for one in windows if one.number == number), "")
    return WindowRun(number, _count(plan), stored, made, not why, why, started_at)


def why_dependent(windows: Sequence[Window], number: int) -> str:
    """Why a window is not shown to be independent of those before it; "" where it is, or has none before it."""
    this = next((one for one in windows if one.number == number), None)
    earlier = [one for one in windows if one.number < number]
    return next((why for one in earlier if this and (why := dependence(one, this))), "")


def _left(bench: Bench, folder: ProbeFolder, number: int) -> list[Ask]:
    """What was planned and has no line, in its order."""
    there = {stored.ask.seq for stored in folder.attempts(number)}
    return [one for one in _plan(bench, number) if one.seq not in there]


def _plan(bench: Bench, number: int) -> tuple[Ask, ...]:
    return asks(bench.fixture, bench.seal.envelope.run, number)


def _count(plan: Sequence[Ask]) -> int:
    return sum(one.purpose != WARMUP for one in plan)
