"""Several arms as text: the sentence, the grid of pairs, then each comparison in short."""

from __future__ import annotations

from denominator.publish.terminal.comparison import add_arm, add_comparison
from denominator.publish.terminal.page import Page
from denominator.records.comparisons import Grid, GridLine
from denominator.records.values import NotMeasured


def add_grid(page: Page, grid: Grid, verbose: bool = False) -> None:
    """The page of several arms; with -v every comparison in full."""
    page.item(grid.sentence, 0, 0)
    page.title("ARMS, each over its own declared draws")
    for arm in grid.arms:
        add_arm(page, arm)
    page.title("PAIRS")
    for line in grid.pairs:
        page.item(_line(line), hang=4)
    page.bullets("NOTES", grid.notes)
    page.bullets("YOU MAY NOT", grid.may_not)
    page.bullets("WHAT WOULD LIFT IT", grid.lifts)
    for line, made in zip(grid.pairs, grid.comparisons, strict=True):
        if verbose or line.role == "primary":
            page.title(f"{line.a} AND {line.b}, {line.role}")
            add_comparison(page, made, verbose)


def _line(line: GridLine) -> str:
    told = [line.role, line.status.replace("_", " "), line.rung.replace("_", " ")]
    if isinstance(line.difference, NotMeasured):
        told.append(line.difference.not_measured)
    else:
        one = line.difference
        ends = "" if isinstance(one.lo, NotMeasured) else f" [{one.lo}, {one.hi}] at {one.level}"
        told.append(f"{line.a} - {line.b} = {one.value}{ends}")
    told.append("no p value" if isinstance(line.adjusted, NotMeasured) else f"adjusted p {line.adjusted}")
    if not isinstance(line.separates, NotMeasured):
        told.append("separates" if line.separates else "does not separate")
    return f"{line.a} | {line.b}: {'; '.join(told)}"
