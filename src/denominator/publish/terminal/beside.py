"""What stands beside a run, on its card: fault bench, spend, endpoint probe, replays. What is not there says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from denominator.publish.terminal.faultbench import estimate_line
from denominator.publish.terminal.page import RED, YELLOW, Page
from denominator.publish.terminal.replays import replay_line
from denominator.publish.terminal.spend import LABELS, told
from denominator.records.companions import BenchFound, Companions, ProbeFound
from denominator.records.durability import FaultLine
from denominator.records.estimates import Estimate
from denominator.records.probe_results import Line, WindowLine
from denominator.records.spends import ArmSpend
from denominator.records.values import NotMeasured, counted

TITLE = "BESIDE THE NUMBER (no part of any rate)"
COLUMN = 12
MOST = 12
FIGURES = ("total_tokens", "tokens_per_accepted")
HOW = {
    "fault bench": "denominator faultbench run -o BENCH, then --with BENCH",
    "probe": "denominator probe run, then --with its folder",
    "replay": "denominator replay RUN, a day later",
}
STOPS = ("block", "unknown")


def beside(page: Page, found: Companions) -> None:
    """Four names, each with its lines; then what was found and is not shown."""
    page.title(TITLE)
    for name, lines in parts_of(found):
        for at, line in enumerate(lines):
            page.item(f"{name if at == 0 else '':<{COLUMN}} {line}", hang=COLUMN + 1)
    for one in found.refused:
        page.item(f"{'not shown':<{COLUMN}} {one}", hang=COLUMN + 1, paint=YELLOW)


def beside_brief(page: Page, found: Companions) -> None:
    """What blocks itself, or was refused: the rest is on the whole card."""
    for one in benches(found):
        if one.card.verdict.exit:
            page.item(f"fault bench {one.card.bench}: {one.card.verdict.status}", paint=RED)
    for line in found.refused:
        page.item(f"not shown: {line}", paint=YELLOW)


def parts_of(found: Companions) -> Iterator[tuple[str, list[str]]]:
    """(name, lines) of each of the four."""
    many = [line for one in benches(found) for line in bench_lines(one)]
    yield "fault bench", many or [_absent("fault bench", found.faultbench)]
    yield (
        "spend",
        [found.spend.not_measured] if isinstance(found.spend, NotMeasured) else list(spend_lines(found.spend)),
    )
    asked = () if isinstance(found.probe, NotMeasured) else found.probe
    yield "probe", [line for one in asked for line in probe_lines(one)] or [_absent("probe", found.probe)]
    again = () if isinstance(found.replays, NotMeasured) else found.replays
    yield "replay", list(map(replay_line, again)) or [_absent("replay", found.replays)]


def _absent(name: str, found: object) -> str:
    return f"{found.not_measured if isinstance(found, NotMeasured) else 'none'} ({HOW[name]})"


def benches(found: Companions) -> tuple[BenchFound, ...]:
    """The fault benches, or none."""
    return () if isinstance(found.faultbench, NotMeasured) else found.faultbench


def bench_lines(found: BenchFound) -> Iterator[str]:
    """Which bench, its own verdict, durability, what each fault did."""
    card = found.card
    verdict = f"{card.verdict.status.upper()} ({card.verdict.rung.replace('_', ' ')})"
    yield f"{card.bench} {card.digest[:12]}: {verdict}; {bench_of(found)}"
    if blocked := sorted({one.code for one in card.verdict.findings if one.severity in STOPS}):
        yield f"blocked by its own gate: {', '.join(blocked)}"
    yield from _durability(card.durability)
    lines = [fault_line(one) for one in card.by_fault]
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"and {counted(len(lines) - MOST, 'more fault')}: denominator faultbench score"


def _durability(estimates: Sequence[Estimate]) -> Iterator[str]:
    """What has a number by line; the others by the reason why there is none, with what was counted."""
    absent: dict[str, list[str]] = {}
    for one in estimates:
        if isinstance(one.value, str):
            yield " ".join(estimate_line(one).split())
        else:
            seen = f" {one.numerator}/{one.denominator}" if isinstance(one.numerator, int) and one.denominator else ""
            absent.setdefault(one.value.not_measured, []).append(f"{one.metric}{seen}")
    yield from (f"no number: {', '.join(names)}: {why}" for why, names in absent.items())


def bench_of(found: BenchFound) -> str:
    """Of which runner and tasks."""
    card = found.card
    named = (
        ("runner", card.runner, card.runner_digest),
        ("pack", card.pack, ""),
        ("task set", "", card.taskset_digest),
    )
    told = [" ".join(part for part in (what, name, sha[:12]) if part) for what, name, sha in named if name or sha]
    return ", ".join((*told, counted(len(found.tasks), "task")))


def fault_line(one: FaultLine) -> str:
    """One fault: how often it came, cut, and what became of the trials."""
    head = f"{one.fault}: came {one.fired} of {one.trials}, cut {one.interrupted}"
    if isinstance(one.recovered, NotMeasured):
        return f"{head}; {one.recovered}"
    asked = one.fired if one.apart else one.interrupted
    twice = f"applied twice {one.applied_twice}"
    return f"{head}, passed {one.recovered} of {asked}, {twice}, unknown state {one.unknown_state}"


def spend_lines(arm: ArmSpend) -> Iterator[str]:
    """The total, what an accepted patch took, and who counted."""
    for one in arm.figures:
        if one.metric in FIGURES:
            yield f"{LABELS.get(one.metric, one.metric.replace('_', ' '))}: {told(one)}"
    named = (("usage from", arm.sources), ("counted by", arm.conventions))
    told_by = [f"{words} {', '.join(f'{name} ({n})' for name, n in found)}" for words, found in named if found]
    if told_by:
        yield "; ".join(told_by)
    yield f"reading: {arm.reading}; the whole account: denominator spend"


def probe_lines(found: ProbeFound) -> Iterator[str]:
    """Which probe, its windows, and what each group did in each of them; no number is over two groups."""
    how = "the run was sealed with it" if found.sealed else "named beside the run"
    yield f"{found.name} {found.seal_sha256[:12]}, fixture {found.fixture_sha256[:12]}: {found.model}, {found.path}; {how}"
    if isinstance(found.windows, NotMeasured) or isinstance(found.classes, NotMeasured):
        yield f"windows begun: {', '.join(found.begun) or 'none'}; by class: {_why(found)}"
    else:
        yield from map(window_line, found.windows)
        yield from class_lines(found.classes)
    if found.missing:
        yield f"{counted(found.missing, 'planned attempt')} never asked"


def _why(found: ProbeFound) -> str:
    return found.classes.not_measured if isinstance(found.classes, NotMeasured) else "none"


def window_line(one: WindowLine) -> str:
    """A window as it went."""
    apart = "" if one.number == 1 else ", independent" if one.independent else f", {one.why}"
    held = f"; passes withheld: {one.withheld}" if one.withheld else ""
    return f"window {one.number}, begun {one.started_at}: {one.answered} of {one.asked} answered{apart}{held}"


def class_lines(lines: Iterable[Line]) -> Iterator[str]:
    """One line a group and window."""
    found: dict[tuple[str, int], list[str]] = {}
    for one in lines:
        word = f"{one.cls}: {one.reason}" if one.reason else str(one.cls)
        found.setdefault((one.group, one.window), []).append(f"{word} {one.k} of {one.n}")
    yield from (f"{group}, window {window}: {', '.join(said)}" for (group, window), said in found.items())
