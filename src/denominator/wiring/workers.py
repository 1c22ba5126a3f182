"""`--workers ENGINE://...`: which engine carries attempts elsewhere, and what cannot be combined with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Protocol
from urllib.parse import SplitResult, parse_qs, urlsplit

from denominator.errors import InputError, Problem
from denominator.pipeline.carrier import HERE, Carrier
from denominator.pipeline.carrier_far import Far
from denominator.pipeline.world import OpenRun
from denominator.ports import Workers
from denominator.records.envelopes import Envelope
from denominator.wiring.workers_places import reference_of

MODULE = "denominator.wiring.worker_main"
GROUP = "denominator.workers"
CLAIM_S = 30.0
LEAST_CLAIM_S, MOST_CLAIM_S = 2.0, 3600.0


class Engine(Protocol):
    """What an entry point of `denominator.workers` is. `connect` raises InputError, MachineError, OpenPromisesError."""

    on_many_machines: bool

    def connect(self, address: SplitResult, module: str) -> Workers: ...


def check_workers(address: str, envelopes: Iterable[Envelope], *, on_server: bool) -> None:
    """Refuse what cannot be carried out elsewhere before anything is touched. Raises InputError with all of it."""
    if not address:
        return
    claim_of(address)
    found = []
    if _factory(address).on_many_machines and not on_server:
        fix = "run with --journal postgresql://..., or with --workers processes://N"
        found.append(Problem("--workers", "a journal in SQLite is for the processes of one machine", fix))
    if any(isinstance(envelope.run.run_cap_tokens, int) for envelope in envelopes):
        what = "a cap of the whole run is kept by one process, and workers are many"
        fix = "leave it out (budget.tokens caps every attempt, also in workers), or run without --workers"
        found.append(Problem("run.run_cap_tokens", what, fix))
    if found:
        raise InputError("workers cannot carry out this run", problems=found, fix="docs/workers.md")


@contextmanager
def open_workers(address: str) -> Iterator[Workers | None]:
    """The engine of an address, connected; None without one."""
    if not address:
        yield None
        return
    workers: Workers = _factory(address).connect(urlsplit(address), MODULE)
    try:
        yield workers
    finally:
        workers.close()


def carrier_of(workers: Workers | None, address: str, runs: Sequence[OpenRun]) -> Carrier:
    """Who carries attempts: the slot threads themselves, or the workers."""
    if workers is None:
        return HERE
    return Far(workers, {run.run_id: reference_of(run) for run in runs}, claim_of(address))


def claim_of(address: str) -> float:
    """How many seconds a claim holds unrenewed: `?claim=SECONDS`. Raises InputError."""
    asked = parse_qs(urlsplit(address).query, keep_blank_values=True)
    texts = asked.pop("claim", [str(CLAIM_S)])
    try:
        seconds = float(texts[-1])
    except ValueError:
        seconds = 0
    if asked or not LEAST_CLAIM_S <= seconds <= MOST_CLAIM_S:
        raise InputError(
            f"{address!r} asks for what is not known",
            where="--workers",
            fix=f"?claim=SECONDS, from {LEAST_CLAIM_S:g} to {MOST_CLAIM_S:g}",
        )
    return seconds


def _factory(address: str) -> Engine:
    """The engine of an address, by entry point."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    name = urlsplit(address).scheme.partition("+")[0]
    if name not in found:
        shown = ", ".join(f"{each}://..." for each in sorted(found))
        raise InputError(f"no engine is called {name or address!r}", where="--workers", fix=f"one of: {shown}")
    engine: Engine = found[name].load()
    return engine
