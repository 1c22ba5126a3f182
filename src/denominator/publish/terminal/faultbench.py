"""A bench as a page: the verdict, what was tried, three lines (capability, efficiency, durability), the table by fault."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.terminal.findings import GROUPS, finding_line
from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.publish.terminal.rates import three
from denominator.records.durability import DurabilityCard, FaultLine, FoundState, ResumePlan
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured, counted

WIDE = 22
COLUMNS = ("trials", "came", "cut", "passed", "twice", "unknown")
MOST = 12
AMOUNTS = ("calls", "tokens", "ms")


def durability_page(page: Page, card: DurabilityCard, verbose: bool = False) -> None:
    """Everything of the card; the clauses that hold are counted, or listed with `verbose`."""
    _head(page, card)
    _trials(page, card)
    for title, estimates in (
        ("CAPABILITY (without faults)", card.capability),
        ("EFFICIENCY (without faults)", card.efficiency),
        ("DURABILITY", card.durability),
    ):
        page.title(title)
        _estimates(page, estimates)
    _by_fault(page, card.by_fault)
    _named(page, card)
    _states(page, card.states)
    _controls(page, card)
    _findings(page, card, verbose)
    page.bullets("ALSO", card.notes)
    page.title("THE SENTENCE")
    page.item(card.verdict.sentence, hang=0)
    page.bullets("YOU MAY NOT", card.verdict.may_not)
    page.bullets("LIMITS", card.limits)
    page.bullets("WHAT WOULD LIFT IT", card.verdict.lifts)


def _head(page: Page, card: DurabilityCard) -> None:
    page.item(f"{card.verdict.status.upper()} ({card.verdict.rung})", 0, paint=RED if card.verdict.exit else GREEN)
    names = (f"bench {card.bench or 'without name'}", card.pack and f"pack {card.pack}")
    page.item(", ".join(one for one in (*names, card.runner and f"runner {card.runner}") if one), 0)
    digests = (("manifest", card.digest), ("task set", card.taskset_digest), ("rules", card.rules_digest))
    told = (*digests, ("runner", card.runner_digest))
    page.item(", ".join(f"{name} {digest[:12]}" for name, digest in told if digest), 0)
    for name, value in card.environment:
        page.item(f"{name}: {value}", 0)


def _trials(page: Page, card: DurabilityCard) -> None:
    page.title("TRIALS")
    total = sum(number for _, number in card.trials)
    left = " + ".join(f"{name} {number}" for name, number in card.trials)
    page.item(f"{left} = {counted(total, 'row')}" if left else "no row")
    if isinstance(card.missing, int) and card.missing:
        page.item(f"missing of the plan: {card.missing}", paint=RED)
    page.named("points", f"{counted(len(card.checkpoints), 'checkpoint')}: {', '.join(card.checkpoints) or 'none'}")
    faults = card.faults.not_measured if isinstance(card.faults, NotMeasured) else ", ".join(card.faults) or "none"
    page.named("faults", faults)
    seed = "" if isinstance(card.seed, NotMeasured) else f", seed {card.seed}"
    page.named("repeats", f"{card.repeats}{seed}")
    if card.unscoreable:
        page.packed("rows", [f"{name} unscoreable ({reason})" for name, reason in card.unscoreable])


def _estimates(page: Page, estimates: Sequence[Estimate]) -> None:
    """What has a number by line; the others by the reason why there is none."""
    by_reason: dict[str, list[str]] = {}
    for one in estimates:
        if isinstance(one.numerator, int) and one.denominator and (one.method or one.withheld_by):
            page.item(estimate_line(one), hang=WIDE + 1)
        else:
            why = one.value.not_measured if isinstance(one.value, NotMeasured) else "not measured"
            seen = f" ({one.numerator} seen)" if isinstance(one.numerator, int) and one.numerator else ""
            by_reason.setdefault(why, []).append(f"{one.metric}{seen}")
    for why, names in by_reason.items():
        page.item(f"not measured: {', '.join(names)}: {why}")


def estimate_line(one: Estimate) -> str:
    """`name k/n value [lo, hi] unit`; a value that is withheld says by what."""
    value = _number(one.value, one.unit)
    measured = isinstance(one.lo, str) and isinstance(one.hi, str)
    ends = f"[{_number(one.lo, one.unit)}, {_number(one.hi, one.unit)}]" if measured else ""
    why = one.value.not_measured if isinstance(one.value, NotMeasured) else ""
    if not why and isinstance(one.lo, NotMeasured):
        why = one.lo.not_measured
    by = ", ".join(f"{part} {number}" for part, number in one.by)
    head = f"{one.metric:<{WIDE}} {f'{one.numerator}/{one.denominator}':>8}  {value:>5}"
    return "  ".join(part for part in (head, ends, one.unit, why, by and f"({by})") if part)


def _number(value: str | NotMeasured, unit: str) -> str:
    """Three digits of a rate; of an amount no zeros behind the point."""
    if isinstance(value, NotMeasured):
        return "-"
    text = three(value)
    return text.rstrip("0").rstrip(".") if unit in AMOUNTS else text


def _by_fault(page: Page, lines: Sequence[FaultLine]) -> None:
    """The table; what a kind interrupts by nature is not in it twice: such lines stand last and are marked."""
    if not lines:
        return
    page.title("BY FAULT")
    wide = max(len(line.fault) for line in lines)
    page.item(f"{'':<{wide}} {' '.join(f'{name:>8}' for name in COLUMNS)}")
    for line in sorted(lines, key=lambda one: one.apart):
        cells = (line.trials, line.fired, line.interrupted, line.recovered, line.applied_twice, line.unknown_state)
        text = " ".join(f"{'-' if isinstance(cell, NotMeasured) else cell:>8}" for cell in cells)
        page.item(f"{line.fault:<{wide}} {text}{'  apart' if line.apart else ''}")
    page.item("came: the fault was given; cut: work really stopped; passed: correct pass after resume")
    if any(line.apart for line in lines):
        page.item("apart: of a kind that interrupts nothing, so in no resume success rate")


def _named(page: Page, card: DurabilityCard) -> None:
    named = (("applied twice", card.double_applied), ("replayed without effect", card.replayed))
    told = [(name, found) for name, found in (*named, ("drafted again", card.redrafted)) if found]
    if told:
        page.title("EFFECTS")
    for name, found in told:
        if not isinstance(found, NotMeasured):
            more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
            page.item(f"{name}: {', '.join(found[:MOST])}{more}", paint=RED if name == "applied twice" else "")


def _states(page: Page, states: Sequence[FoundState]) -> None:
    if states:
        page.title("WORKSPACES")
    for one in states:
        head = f"{one.state:<13} {one.task_id} attempt {one.attempt} after {one.checkpoint}"
        digests = f"journal: {one.expected}, workspace: {one.found}"
        paint = RED if one.state == "unknown_state" else "" if one.state == "explained" else YELLOW
        page.item(f"{head}: {digests}; {one.why}{f' [{one.where}]' if one.where else ''}", hang=14, paint=paint)


def _controls(page: Page, card: DurabilityCard) -> None:
    page.title("CONTROLS")
    for line in card.controls:
        paint = GREEN if line.state == "held" else RED
        page.item(f"{line.state:<12} {line.name}{f': {line.why}' if line.why else ''}", hang=13, paint=paint)
    if not card.controls:
        page.item("none", paint=YELLOW)


def _findings(page: Page, card: DurabilityCard, verbose: bool) -> None:
    for severity, title, paint in GROUPS:
        found = [one for one in card.verdict.findings if one.severity == severity]
        if found:
            page.title(title)
        for one in found:
            page.item(finding_line(one), hang=6, paint=paint)
            if one.fix:
                page.item(f"next: {one.fix}", 6, 6)
    codes = {one.code for one in card.verdict.findings}
    held = [one for one in card.verdict.findings if one.severity == "held"]
    page.title(f"HELD ({len({one.code for one in held})} of {len(codes)} rules)")
    for one in held if verbose else ():
        page.item(finding_line(one), hang=6)
    if not verbose:
        page.item(", ".join(sorted({one.code for one in held})) or "nothing")


def resume_page(page: Page, plan: ResumePlan) -> None:
    """What a resume of a foreign result would do; nothing of it has been done."""
    page.item(f"RESUME of {plan.source}: nothing is started", 0)
    page.named("policy", plan.policy or "none is declared: only what has no row is started")
    total = plan.declared.not_measured if isinstance(plan.declared, NotMeasured) else f"{plan.declared} declared"
    page.named("declared", total)
    page.title(f"WOULD START ({len(plan.resume)}), as epoch {plan.epoch}")
    for row in plan.resume:
        repeat = f" r{row.repeat}" if row.repeat > 1 else ""
        kept = f"; {row.supersedes} stays, superseded by epoch {plan.epoch}" if row.supersedes else ""
        page.item(f"{row.task_id}{repeat} attempt {row.attempt}: {row.why}{kept}")
    if plan.unnamed:
        page.item(f"{counted(plan.unnamed, 'declared draw')} without a row, of which nobody says the ids", paint=RED)
    if not plan.resume and not plan.unnamed:
        page.item("nothing")
    page.title(f"STAYS AS IT IS ({len(plan.kept)})")
    page.item(", ".join(plan.kept) or "nothing")
    page.bullets("NO VERDICT, AND NOT RE-RUN", [f"{name}: {why}" for name, why in plan.left])
    page.bullets("TORN", plan.torn)
    page.bullets("ALSO", plan.notes)
