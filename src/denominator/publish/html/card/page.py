"""The order of the page: every part has an anchor, and a part that has nothing to say is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from denominator.publish.html.card.attempts import attempts
from denominator.publish.html.card.beside import durability, probe, refused, replays, spend
from denominator.publish.html.card.conditions import conditions, versions
from denominator.publish.html.card.counts import counts, map_of_draws
from denominator.publish.html.card.findings import controls, findings, waivers
from denominator.publish.html.card.numbers import numbers
from denominator.publish.html.frame import document
from denominator.publish.html.parts import bullets, contents, heading, paragraph, said
from denominator.records.reports import Report

PARTS: tuple[tuple[str, str, Callable[[Report], Iterable[str]]], ...] = (
    ("counts", "Counts", counts),
    ("numbers", "Numbers", numbers),
    ("map", "Tasks and repeats", map_of_draws),
    ("controls", "Controls", controls),
    ("findings", "Gate findings", findings),
    ("waivers", "Waivers", waivers),
    ("attempts", "Attempts that did not end as they should", attempts),
    ("spend", "Spend", spend),
    ("durability", "What the run survived", durability),
    ("probe", "Endpoint probe", probe),
    ("replays", "Replays", replays),
    ("not-shown", "Found beside the run and not shown", refused),
    ("conditions", "Conditions", conditions),
    ("versions", "Versions and digests", versions),
)
LISTS: tuple[tuple[str, str, Callable[[Report], Iterable[str]]], ...] = (
    ("may-not", "You may not", lambda report: report.card.verdict.may_not),
    ("lifts", "What would lift it", lambda report: report.card.verdict.lifts),
    ("advice", "Advice", lambda report: report.card.advice),
    ("notes", "Notes", lambda report: report.card.notes),
    ("limits", "Limits", lambda report: report.card.limits),
)


def card_html(report: Report) -> str:
    """The whole page. It is made of the report alone: nothing that the gate withholds is in there."""
    return document(_title(report), _body(report))


def _title(report: Report) -> str:
    return f"Report of {report.card.run_id or report.name}"


def _body(report: Report) -> Iterable[str]:
    card = report.card
    yield heading(1, _title(report))
    pack = f"pack {card.pack}" if card.pack and card.pack != card.run_id else ""
    names = (pack, card.arm and f"arm {card.arm}", f"{card.origin} {card.seal_digest[:12] or 'without digest'}")
    yield paragraph(", ".join(one for one in names if one), "soft")
    word = f"{card.verdict.status.upper()} ({card.verdict.rung.replace('_', ' ')})"
    stamps = [f"Stamp: {stamp}" for stamp in card.stamps]
    yield said((*stamps, card.verdict.sentence), word, "stopped" if card.verdict.exit else "clear")
    if card.question:
        yield paragraph(f"Asked: {card.question}")
    if card.meant:
        yield paragraph(f"Meant to support, written before the run and no result: {card.meant}")
    made = [(anchor, title, list(part(report))) for anchor, title, part in PARTS]
    lists = [(anchor, title, list(found(report))) for anchor, title, found in LISTS]
    yield contents((anchor, title) for anchor, title, some in (*made[:5], *lists[:1], *made[5:], *lists[1:]) if some)
    yield from _parts(made[:5])
    yield from _lists(lists[:1])
    yield from _parts(made[5:])
    yield from _lists(lists[1:])


def _parts(made: Iterable[tuple[str, str, list[str]]]) -> Iterable[str]:
    for anchor, title, some in made:
        if some:
            yield heading(2, title, anchor)
            yield from some


def _lists(made: Iterable[tuple[str, str, list[str]]]) -> Iterable[str]:
    for anchor, title, some in made:
        if some:
            yield heading(2, title, anchor)
            yield bullets(some)
