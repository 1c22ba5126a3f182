"""The counts of a card: the equation first, then the same draws by reason, origin, class, bucket and tag."""

from __future__ import annotations

from denominator.publish.terminal.page import RED, Page
from denominator.records.cards import Card, Counts, PeopleLine, StratumLine
from denominator.records.seeds import SeedTable
from denominator.records.values import NotMeasured

MOST = 12


def counts(page: Page, card: Card) -> None:
    """Everything counted over declared draws of the solvable slice."""
    page.title("COUNTS of the solvable slice")
    page.item(equation(card.equation, card.declared))
    if card.equation_all != card.equation:
        page.item(f"all slices: {equation(card.equation_all, None)}")
    if card.never_started:
        page.item(f"never started: {', '.join(card.never_started)}", paint=RED)
    named = (("reasons", card.reasons), ("whose", card.origins), ("classes", card.classes), ("mix", card.mix))
    for name, found in (*named, ("tags", card.tags), ("graded at", card.grading_levels)):
        _line(page, name, found)
    if isinstance(card.scorer_green, int):
        page.named("green", f"{card.scorer_green} with green tests, passes or not")
    page.named("people", people(card.people))
    _strata(page, card.strata)
    if isinstance(card.seeds, SeedTable):
        _seeds(page, card.seeds)


def people(line: PeopleLine) -> str:
    """How many rows people decided, and which stay disputed."""
    text = f"rows people decided: {line.decided}"
    if line.changed or line.adjudicated:
        text += f" ({line.changed} other than the rules said, {line.adjudicated} adjudicated)"
    if line.disputed:
        more = f" and {len(line.disputed) - MOST} more" if len(line.disputed) > MOST else ""
        text += f"; disputed, so the rules' label stands: {', '.join(line.disputed[:MOST])}{more}"
    return text


def equation(found: Counts | NotMeasured, declared: int | NotMeasured | None) -> str:
    """The terms and what they add up to: the declared draws, or what was seen where nobody knows those."""
    if isinstance(found, NotMeasured):
        return found.not_measured
    left = " + ".join(f"{name.replace('_', ' ')} {number}" for name, number in found.items())
    if isinstance(declared, NotMeasured):
        return f"{left} = {sum(found.values())} seen; how many were declared is not known"
    return f"{left} = {sum(found.values()) if declared is None else declared} declared"


def _line(page: Page, name: str, found: Counts | NotMeasured) -> None:
    if isinstance(found, NotMeasured):
        page.named(name, found.not_measured)
    elif found:
        page.packed(name, _pairs(found))


def _pairs(found: Counts) -> list[str]:
    return [f"{name} {number}" for name, number in found.items()]


def _strata(page: Page, lines: tuple[StratumLine, ...]) -> None:
    """Every stratum; of many only those that lost draws, because those are what a mean hides."""
    losing = [line for line in lines if line.scoreable < line.declared]
    shown = lines if len(lines) <= MOST else losing[:MOST]
    rest = len(lines) - len(shown)
    more = [f"{rest} more strata on the JSON card"] if rest else []
    if lines:
        page.packed("strata", [*map(_stratum, shown), *more])


def _stratum(line: StratumLine) -> str:
    exits = {name: number for name, number in line.exits.items() if number}
    return f"{line.name} {line.scoreable} scoreable of {line.declared} ({', '.join(_pairs(exits)) or 'no exits'})"


def _seeds(page: Page, table: SeedTable) -> None:
    """Class counts seed by seed, then what may be said of their differences."""
    for one in table.seeds:
        page.packed(f"seed {one.seed}", _pairs(one.classes))
    differing = [f"{pair.first} and {pair.second} ({pair.klass}, p = {pair.p})" for pair in table.pairs if pair.wait]
    if differing:
        page.named("seeds", f"wait: more than chance between {'; '.join(differing)}")
    else:
        page.named("seeds", "no two differ more than chance (exact test, adjusted)")
