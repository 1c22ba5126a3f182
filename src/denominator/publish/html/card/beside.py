"""What stands beside the numbers of a run: its spend, what it survived and its fault bench, endpoint probe, replays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.html.card.findings import group
from denominator.publish.html.card.numbers import HEADS, line
from denominator.publish.html.parts import Cell, bullets, code, folded, heading, paragraph, table
from denominator.publish.html.probe import by_group
from denominator.publish.terminal.beside import HOW, bench_of, benches, window_line
from denominator.publish.terminal.replays import replay_line
from denominator.publish.terminal.spend import spend_rows
from denominator.records.companions import BenchFound, ProbeFound
from denominator.records.durability import FaultLine
from denominator.records.reports import Report
from denominator.records.values import NotMeasured, counted


def spend(report: Report) -> Iterable[str]:
    """The account of the arm, line by line."""
    found = report.beside.spend
    if isinstance(found, NotMeasured):
        yield paragraph(f"{found.not_measured.capitalize()}.")
        return
    rows: list[tuple[str, str]] = []
    for name, text in spend_rows(found):
        rows.append((name or (rows[-1][0] if rows else "standing"), text))
    if rows:
        yield table("What was spent, and what that bought", ("what", "known"), rows)


def durability(report: Report) -> Iterable[str]:
    """Facts of the rows of all slices, then the fault bench of the same runner and pack."""
    facts = report.facts
    yield bullets(
        (
            f"{counted(facts.attempts, 'attempt')} promised, {facts.started} started, {facts.closed} closed",
            f"begun by one process and ended by a later one: {facts.carried_on}",
            f"second and later attempts: {facts.further}",
            f"kept from starting or cut by the cap of the run: {facts.run_cap_cut}",
        )
    )
    if facts.defects:
        yield table("What is wrong with the rows", ("kind", "how many"), ((k, str(n)) for k, n in facts.defects), (1,))
    found = benches(report.beside)
    if not found:
        yield paragraph(_absent("fault bench", report.beside.faultbench))
    for one in found:
        yield heading(3, f"Fault bench: {one.card.bench}")
        yield from _bench(one)


def _bench(found: BenchFound) -> Iterable[str]:
    """A bench with its own verdict: nothing that its own gate withholds is on it."""
    card, which = found.card, f"{found.card.bench} {found.card.digest[:12]}".strip()
    yield paragraph(f"{card.verdict.status.upper()} ({card.verdict.rung.replace('_', ' ')}): {card.verdict.sentence}")
    yield paragraph(f"Bench {card.digest[:12]}, {bench_of(found)}", "soft")
    measured = [one for one in card.durability if isinstance(one.value, str) or one.denominator]
    if measured:
        yield table(f"Durability, bench {which}; no part of any rate of the run", HEADS, map(line, measured), (1, 2, 3))
    absent = [(one.metric, one.value) for one in card.durability if one not in measured]
    if absent:
        yield folded(
            "What was not measured, and why", [table(f"Bench {which} without a number", ("number", "why"), absent)]
        )
    if card.by_fault:
        heads = ("fault", "trials", "came", "cut", "passed after resume", "applied twice", "unknown state")
        yield table(f"Bench {which} by fault; cut: work really stopped", heads, map(_fault, card.by_fault), range(1, 7))
    if stops := [one for one in card.verdict.findings if one.severity in ("block", "unknown")]:
        yield folded("What its own gate says", group(stops, {}))


def _fault(one: FaultLine) -> Sequence[Cell]:
    apart = " (interrupts nothing)" if one.apart else ""
    ended = (one.recovered, one.applied_twice, one.unknown_state)
    return (f"{one.fault}{apart}", one.trials, one.fired, one.interrupted, *ended)


def probe(report: Report) -> Iterable[str]:
    """Each probe of the endpoint, and what it learned."""
    found = report.beside.probe
    if isinstance(found, NotMeasured):
        yield paragraph(_absent("probe", found))
        return
    for one in found:
        if len(found) > 1:
            yield heading(3, f"Probe {one.name}")
        yield from _probe(one, f"{one.name} {one.seal_sha256[:12]}")


def _probe(found: ProbeFound, which: str) -> Iterable[str]:
    """One probe; `which` tells its tables from those of another one."""
    facts = found.facts
    if found.sentences:
        yield bullets(found.sentences)
    rows: list[Sequence[Cell]] = [
        ("probe", found.name),
        ("standing", "the run was sealed with it" if found.sealed else "named beside the run"),
        ("seal", code(found.seal_sha256)),
        ("fixture", code(found.fixture_sha256)),
        ("model", found.model),
        ("path", found.path),
        ("client and classifier", f"{found.client}, {found.classifier}"),
        ("windows begun (UTC)", ", ".join(found.begun) or "none"),
        ("planned attempts missing", str(found.missing)),
        ("models, as echoed", ", ".join(facts.models) or NotMeasured("no answer named one")),
        ("finish reasons", ", ".join(facts.finish_reasons) or NotMeasured("none was given")),
        ("usage conventions", ", ".join(facts.usage_conventions) or NotMeasured("no usage was read")),
    ]
    yield table(f"Probe {which}: what was asked, and what was heard", ("what", "value"), rows)
    if isinstance(found.windows, NotMeasured) or isinstance(found.classes, NotMeasured):
        yield paragraph(f"Counts by class: {found.classes}.", "soft")
        return
    yield bullets(map(window_line, found.windows))
    yield folded("Counts by group and class", by_group(found.windows, found.classes, which))


def replays(report: Report) -> Iterable[str]:
    """Later runs of the same tasks under the same seal."""
    found = report.beside.replays
    if isinstance(found, NotMeasured):
        yield paragraph(_absent("replay", found))
    else:
        yield bullets(map(replay_line, found))


def refused(report: Report) -> Iterable[str]:
    """What lay there and is of something else."""
    if report.beside.refused:
        yield bullets(report.beside.refused)


def _absent(name: str, found: object) -> str:
    return f"{found.not_measured.capitalize() if isinstance(found, NotMeasured) else 'None'}: {HOW[name]}."
