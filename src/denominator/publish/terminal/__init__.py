"""A card as text for a terminal: counts first, then rates, controls, findings, the sentence; plain unless told."""

from __future__ import annotations

from denominator.publish.terminal.beside import beside, beside_brief
from denominator.publish.terminal.counts import counts, equation
from denominator.publish.terminal.findings import controls, finding_line, findings
from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.publish.terminal.rates import rates
from denominator.publish.terminal.replays import replay_line
from denominator.records.cards import Card
from denominator.records.companions import WholeCard

__all__ = ["render_brief", "render_card"]


def render_card(card: Card, width: int = 80, *, color: bool = False, full: bool = False) -> str:
    """The whole card, ending with a newline; `full` names every metric, those without a number too.

    Control characters of foreign text are shown, never sent.
    """
    page = Page(width, color)
    _head(page, card)
    counts(page, card)
    rates(page, card, full)
    if isinstance(card, WholeCard):
        beside(page, card.beside)
    else:
        page.bullets("REPLAYS under the same seal", map(replay_line, card.replays))
    for section in (controls, findings, _sentence):
        section(page, card)
    return page.text()


def render_brief(card: Card, width: int = 80, *, color: bool = False) -> str:
    """The verdict, the counts, what blocks, and the sentence; the rest is on the whole card."""
    page = Page(width, color)
    _head(page, card)
    page.item(equation(card.equation, card.declared))
    if card.controls:
        broken = [f"{c.name} {c.task_id}".strip() + f" {c.state}" for c in card.controls if c.state != "held"]
        page.item(f"controls: {'; '.join(broken) or 'all held'}", paint=RED if broken else "")
    for finding in card.verdict.findings:
        if finding.severity in ("block", "unknown"):
            page.item(finding_line(finding), paint=RED)
    if isinstance(card, WholeCard):
        beside_brief(page, card.beside)
    page.item(card.verdict.sentence)
    return page.text()


def _head(page: Page, card: Card) -> None:
    page.item(f"{card.verdict.status.upper()} ({card.verdict.rung})", 0, paint=RED if card.verdict.exit else GREEN)
    pack = f"pack {card.pack}" if card.pack and card.pack != card.run_id else ""
    names = (f"run {card.run_id or 'without id'}", pack, card.arm and f"arm {card.arm}")
    page.item(", ".join(name for name in names if name), 0)
    digest = f"{card.origin} {card.seal_digest[:12] or 'without digest'}"
    page.item(", ".join(one for one in (digest, card.rules_digest and f"rules {card.rules_digest[:12]}") if one), 0)
    if card.house:
        page.item(f"rules of the house: {', '.join(card.house)}", 0)
    if card.question:
        page.item(f"asked: {card.question}", 0)
    for stamp in card.stamps:
        page.item(f"stamp: {stamp}", 0, paint=YELLOW)


def _sentence(page: Page, card: Card) -> None:
    page.title("THE SENTENCE")
    page.item(card.verdict.sentence, hang=0)
    if card.meant:
        page.title("MEANT TO SUPPORT (written before the run, no result)")
        page.item(card.meant, hang=0)
    page.bullets("YOU MAY NOT", card.verdict.may_not)
    page.bullets("LIMITS", card.limits)
    page.bullets("WHAT WOULD LIFT IT", card.verdict.lifts)
    page.bullets("ADVICE", card.advice)
