"""Counts of a run: the equation, the same draws by bucket as bars, and the map of tasks and repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from denominator.publish.drawings import heat_map_svg
from denominator.publish.drawings.heat_map import WORDS
from denominator.publish.html.parts import Cell, bar, drawing, paragraph, table
from denominator.publish.terminal.counts import equation, people
from denominator.records.cards import Counts, StratumLine
from denominator.records.reports import Marks, Report
from denominator.records.seeds import SeedTable
from denominator.records.values import NotMeasured, counted

MOST_CELLS = 2_000
MOST_ROWS = 200
PASSES = ("pass", "PASS_CONTRACT", "PASS_WEAK", "NOT_EVALUATED")
FAILS = (
    "fail", "compile_fail", "test_fail", "timeout", "no_patch", "over_edit",
    "ASSUME_API", "TOOL_LOOP", "MISSING_ASK", "SCOPE_SLIP", "TIMEOUT", "SCORER_RED",
)  # fmt: skip
KINDS = {**dict.fromkeys(PASSES, "pass"), **dict.fromkeys(FAILS, "fail")}
"""How a bar is drawn; what is neither (abstained, no verdict, never started, whose it was) is drawn in a third way."""


def counts(report: Report) -> Iterable[str]:
    """Everything counted over declared draws of the solvable slice."""
    card = report.card
    yield paragraph(equation(card.equation, card.declared))
    if not isinstance(card.equation, NotMeasured):
        yield bars("Declared draws of the solvable slice by how they ended", "ending", card.equation)
    if card.equation_all != card.equation:
        yield paragraph(f"All slices: {equation(card.equation_all, None)}", "soft")
    total = 0 if isinstance(card.equation, NotMeasured) else sum(card.equation.values())
    named = (
        ("Why attempts ended so (mix)", "bucket", card.mix),
        ("Whose the endings were", "whose", card.origins),
        ("Failure classes", "class", card.classes),
        ("Reasons", "reason", card.reasons),
        ("Tags", "tag", card.tags),
        ("Graded at", "level", card.grading_levels),
    )
    for caption, head, found in named:
        if isinstance(found, NotMeasured):
            yield paragraph(f"{caption}: {found.not_measured}.")
        elif found:
            yield bars(caption, head, found, total)
    if isinstance(card.scorer_green, int):
        yield paragraph(f"{card.scorer_green} with green tests, passes or not.")
    yield paragraph(people(card.people).capitalize() + ".")
    yield from _never_started(card.never_started)
    yield from _strata(card.strata)
    if isinstance(card.seeds, SeedTable):
        yield table("By seed", ("seed", "classes"), ((str(one.seed), _pairs(one.classes)) for one in card.seeds.seeds))


def bars(caption: str, head: str, found: Counts, of: int = 0) -> str:
    """One line a count out of `of` draws (default: their sum), longest bar for the whole; a count of nothing stays a line."""
    total = of or sum(found.values())
    rows = (
        (name.replace("_", " ") if name.islower() else name, bar(k, total, KINDS.get(name, "odd"), f"{k} of {total}"))
        for name, k in found.items()
    )
    return table(caption, (head, "draws"), rows)


def _never_started(names: Sequence[str]) -> Iterable[str]:
    if names:
        rest = len(names) - MOST_ROWS
        more = f" and {rest} more" if rest > 0 else ""
        yield paragraph(f"Never started: {', '.join(names[:MOST_ROWS])}{more}.")


def _strata(lines: Sequence[StratumLine]) -> Iterable[str]:
    rows: list[Sequence[Cell]] = [
        (one.name, str(one.declared), str(one.scoreable), _pairs(one.exits) or "no exits") for one in lines[:MOST_ROWS]
    ]
    if rows:
        rest = len(lines) - len(rows)
        yield table("Strata", ("stratum", "declared", "scoreable", "exits"), rows, (1, 2))
        if rest:
            yield paragraph(f"{counted(rest, 'more stratum', 'more strata')} on the JSON card.", "soft")


def _pairs(found: Counts) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in found.items() if number)


def map_of_draws(report: Report) -> Iterable[str]:
    """A cell a draw while that can be looked at; of more draws the tasks are counted by what they show."""
    if isinstance(report.marks, NotMeasured):
        yield paragraph(f"Not drawn: {report.marks.not_measured}.")
    elif report.marks:
        yield from draws_map(report.marks, report.card.arm or report.name)


def draws_map(marks: Marks, name: str) -> Iterable[str]:
    """The drawing, or the table that stands for it."""
    rows = [(task, (found,)) for task, found in marks]
    if sum(len(found) for _, found in marks) <= MOST_CELLS:
        title = "Tasks down, repeats across"
        yield drawing(heat_map_svg(rows, [name], title), "How each declared draw ended")
        return
    patterns = Counter(_pattern(found) for _, found in marks)
    ordered = sorted(patterns.items(), key=lambda one: (-one[1], one[0]))
    shown = ((pattern, bar(k, len(marks), "odd", f"{k} of {len(marks)}")) for pattern, k in ordered[:MOST_ROWS])
    yield paragraph(
        f"{counted(len(marks), 'task')}: too many to draw one by one, so they are counted by what they show."
    )
    yield table("Tasks by how their repeats ended", ("repeats of a task", "tasks"), shown)
    if len(ordered) > MOST_ROWS:
        rest = sum(k for _, k in ordered[MOST_ROWS:])
        yield paragraph(f"{counted(rest, 'more task')} with {len(ordered) - MOST_ROWS} other patterns.", "soft")


def _pattern(marks: str) -> str:
    return ", ".join(f"{marks.count(mark)} {word}" for mark, word in WORDS.items() if mark in marks)
