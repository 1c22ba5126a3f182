"""A plan as text: why the asked size cannot answer, the least sizes with their cost, the table, what was assumed."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.terminal.page import GREEN, RED, Page
from denominator.publish.terminal.rates import three
from denominator.records.designs import Cell, Count, Design, Number
from denominator.records.values import NotMeasured, counted


def design_page(page: Page, found: Design) -> None:
    """The whole answer; a table of N x K with the least difference found and the power of the asked one."""
    for reason in found.refusals:
        page.item(f"REFUSED: {reason}", 0, paint=RED)
    if isinstance(found.asked, Cell):
        page.item(_asked(found.asked), 0, paint="" if found.refusals else GREEN)
    for one in found.least:
        tasks = counted(one.tasks, "task") if isinstance(one.tasks, int) else one.tasks.not_measured
        cost = (
            f": {_count(one.attempts)} attempts in two arms, {_tokens(one.tokens)}"
            if isinstance(one.tasks, int)
            else ""
        )
        page.item(f"least for the {one.what} at {_repeats(one.repeats)}: {tasks}{cost} ({one.method})", 0)
    _table(page, found.cells)
    page.title("ASSUMED")
    for given in found.given:
        value = given.value if isinstance(given.value, str) else f"unknown ({given.value.not_measured})"
        page.item(f"{given.name} {value} ({given.by})")
    page.bullets("TWO QUESTIONS", found.estimands)
    page.bullets("NOTES", found.notes)


def _asked(cell: Cell) -> str:
    size = f"{counted(cell.tasks, 'task')} x {_repeats(cell.repeats)}"
    power = "" if isinstance(cell.power, NotMeasured) else f", power {three(cell.power)} for the asked difference"
    cost = f"{cell.attempts} attempts in two arms, {_tokens(cell.tokens)}"
    return f"{size}: finds {_mdd(cell.mdd)} at the asked power{power}; {cost}"


def _mdd(value: Number) -> str:
    return "no difference" if isinstance(value, NotMeasured) else f"a difference of {three(value)}"


def _table(page: Page, cells: Sequence[Cell]) -> None:
    """Rows are tasks, columns repeats: least difference / power of the asked one; `-` where none is ever found."""
    columns = sorted({cell.repeats for cell in cells})
    by_size = {(cell.tasks, cell.repeats): cell for cell in cells}
    page.title("LEAST DIFFERENCE / POWER OF THE ASKED ONE, BY TASKS AND REPEATS")
    page.lines.append(f"  {'tasks':>6}" + "".join(f"  {f'K={k}':>13}" for k in columns))
    for tasks in sorted({cell.tasks for cell in cells}):
        page.lines.append(f"  {tasks:>6}" + "".join(f"  {_cell(by_size[tasks, k]):>13}" for k in columns))
    page.item("- : out of reach at this size, whatever happens")


def _cell(cell: Cell) -> str:
    mdd = "-" if isinstance(cell.mdd, NotMeasured) else three(cell.mdd)
    return mdd if isinstance(cell.power, NotMeasured) else f"{mdd} / {three(cell.power)}"


def _repeats(count: int) -> str:
    return counted(count, "repeat")


def _tokens(value: Count) -> str:
    return f"{value} tokens" if isinstance(value, int) else "tokens unknown"


def _count(value: Count) -> str:
    return str(value) if isinstance(value, int) else value.not_measured
