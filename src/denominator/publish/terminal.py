"""A card as text for a terminal: counts first, then rates, controls, findings, the sentence; plain unless told."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal
from textwrap import wrap

from denominator.records.cards import Card, Counts, StratumLine
from denominator.records.estimates import Estimate
from denominator.records.findings import Finding
from denominator.records.values import NotMeasured

RED, GREEN, YELLOW, BOLD, OFF = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
NO_RATE = "-"


def render_card(card: Card, width: int = 80, *, color: bool = False) -> str:
    """The whole card, ending with a newline. Control characters of foreign text are shown, never sent."""
    page = Page(max(width, 40), color)
    _head(page, card)
    _counts(page, card)
    _rates(page, card)
    _controls(page, card)
    _findings(page, card)
    _sentence(page, card)
    return page.text()


def render_brief(card: Card, width: int = 80, *, color: bool = False) -> str:
    """The verdict, the counts, what blocks, and the sentence; the rest is on the whole card."""
    page = Page(max(width, 40), color)
    _head(page, card)
    page.item(_sum(card.equation, card.declared))
    broken = [c for c in card.controls if c.state != "held"]
    if card.controls:
        state = (
            "all held"
            if not broken
            else "; ".join(f"{c.name} {c.task_id} {c.state}".replace("  ", " ") for c in broken)
        )
        page.item(f"controls: {state}", paint=RED if broken else "")
    for finding in card.verdict.findings:
        if finding.severity in ("block", "unknown"):
            page.item(f"{finding.code} {finding.allow_name}: {finding.what}", paint=RED)
    page.item(card.verdict.sentence)
    return page.text()


class Page:
    """Lines of a page, wrapped to its width."""

    def __init__(self, width: int, color: bool) -> None:
        self.width = width
        self.color = color
        self.lines: list[str] = []

    def title(self, text: str) -> None:
        """A heading with an empty line before it."""
        if self.lines:
            self.lines.append("")
        self.lines.append(self.paint(visible(text), BOLD))

    def item(self, text: str, indent: int = 2, hang: int = 2, paint: str = "") -> None:
        """A wrapped line, indented; what runs over hangs further in."""
        start = " " * indent
        for line in self._wrap(visible(text), start, start + " " * hang):
            self.lines.append(self.paint(line, paint))

    def _wrap(self, text: str, first: str, rest: str) -> list[str]:
        """Whole words only: a broken id cannot be searched for."""
        return wrap(
            text,
            self.width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, when colour is on."""
        return f"{code}{text}{OFF}" if self.color and code else text

    def text(self) -> str:
        """The page."""
        return "\n".join(self.lines) + "\n"


def visible(text: str) -> str:
    """Text without control characters: what cannot be printed is shown as its code."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def _head(page: Page, card: Card) -> None:
    status = card.verdict.status.upper()
    paint = RED if card.verdict.exit else GREEN
    page.item(f"{status} ({card.verdict.rung})", 0, paint=paint)
    names = [f"run {card.run_id or 'without id'}", card.pack and f"pack {card.pack}", card.arm and f"arm {card.arm}"]
    page.item(", ".join(name for name in names if name), 0)
    digests = [
        f"{card.origin} {card.seal_digest[:12] or 'without digest'}",
        card.rules_digest and f"rules {card.rules_digest[:12]}",
    ]
    page.item(", ".join(one for one in digests if one), 0)
    if card.question:
        page.item(f"asked: {card.question}", 0)
    for stamp in card.stamps:
        page.item(f"stamp: {stamp}", 0, paint=YELLOW)


def _counts(page: Page, card: Card) -> None:
    page.title("COUNTS of the solvable slice")
    page.item(_sum(card.equation, card.declared))
    if card.equation_all != card.equation:
        page.item(f"all slices: {_sum(card.equation_all, None)}")
    if card.never_started:
        page.item(f"never started: {', '.join(card.never_started)}", paint=RED)
    named = (("reasons", card.reasons), ("whose", card.origins), ("classes", card.classes), ("mix", card.mix))
    for name, counts in (*named, ("tags", card.tags), ("graded at", card.grading_levels)):
        _count_line(page, name, counts)
    if card.strata:
        page.item(f"strata: {'; '.join(map(_stratum, card.strata))}")


def _stratum(line: StratumLine) -> str:
    exits = {name: number for name, number in line.exits.items() if number}
    return f"{line.name} {line.scoreable} scoreable of {line.declared} ({_pairs(exits) or 'no exits'})"


def _count_line(page: Page, name: str, counts: Counts | NotMeasured) -> None:
    if isinstance(counts, NotMeasured):
        page.item(f"{name}: {counts.not_measured}")
    elif counts:
        page.item(f"{name}: {_pairs(counts)}")


def _pairs(counts: Counts) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def _sum(counts: Counts | NotMeasured, declared: int | NotMeasured | None) -> str:
    if isinstance(counts, NotMeasured):
        return counts.not_measured
    total = sum(counts.values()) if declared is None else declared
    left = " + ".join(f"{name.replace('_', ' ')} {number}" for name, number in counts.items())
    return f"{left} = {total} declared" if not isinstance(total, NotMeasured) else f"{left}; declared: {total}"


def _rates(page: Page, card: Card) -> None:
    page.title("RATES")
    for one in card.estimates:
        page.item(_rate(one))
    page.item("95 % intervals; secondary: everything but the headline")


def _rate(one: Estimate) -> str:
    if isinstance(one.numerator, NotMeasured):
        return f"{one.metric:<25} {one.numerator.not_measured}"
    count = f"{one.numerator}/{one.denominator}" if isinstance(one.denominator, int) else f"{one.numerator}/?"
    if isinstance(one.lo, NotMeasured):
        return f"{one.metric:<25} {count:>7}  {one.lo.not_measured}"
    value = three(one.value) if isinstance(one.value, str) else NO_RATE
    interval = f"[{three(one.lo)}, {three(str(one.hi))}]"
    why = f"  {one.value.not_measured}" if isinstance(one.value, NotMeasured) else ""
    return f"{one.metric:<25} {count:>7}  {value:>5}  {interval}  {one.unit}{why}"


def three(decimal: str) -> str:
    """Three digits of a decimal string."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))


def _controls(page: Page, card: Card) -> None:
    page.title("CONTROLS")
    for line in card.controls:
        paint = GREEN if line.state == "held" else RED
        page.item(f"{line.state:<12} {line.name} {line.task_id}: {line.why}", hang=13, paint=paint)
    if not card.controls:
        page.item("none", paint=YELLOW)


def _findings(page: Page, card: Card) -> None:
    groups = (("block", "BLOCKS", RED), ("unknown", "UNKNOWN (blocks too)", RED), ("note", "NOTES", YELLOW))
    for severity, title, paint in groups:
        found = [finding for finding in card.verdict.findings if finding.severity == severity]
        if found:
            page.title(title)
            for finding in found:
                _finding(page, finding, paint)
    held = [f"{finding.code} {finding.allow_name}" for finding in card.verdict.findings if finding.severity == "held"]
    page.title("HELD")
    page.item(", ".join(held) or "nothing")
    _list(page, "ALSO", card.notes)


def _finding(page: Page, finding: Finding, paint: str) -> None:
    page.item(f"{finding.code} {finding.allow_name}: {finding.subject}: {finding.what}", hang=6, paint=paint)
    if finding.where:
        page.item(f"at {finding.where}", 8)


def _sentence(page: Page, card: Card) -> None:
    page.title("THE SENTENCE")
    page.item(card.verdict.sentence, hang=0)
    _list(page, "YOU MAY NOT", card.verdict.may_not)
    _list(page, "WHAT WOULD LIFT IT", card.verdict.lifts)
    _list(page, "ADVICE", card.advice)


def _list(page: Page, title: str, lines: Iterable[str]) -> None:
    found = tuple(lines)
    if found:
        page.title(title)
        for line in found:
            page.item(f"- {line}")
