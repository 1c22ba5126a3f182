"""`compare`: may two arms be compared, and which sentence does the comparison allow?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    note,
    print_findings,
    print_json,
    print_page,
)
from denominator.cli.places import result_of
from denominator.cli.sides import is_foreign, side_options

if TYPE_CHECKING:
    from denominator.pipeline.comparing import Compared
    from denominator.pipeline.results import Result

NUMBERS = click.Choice(["rate", "time", "durability", "spend"])


@click.command()
@click.argument("sides", nargs=-1)
@side_options
@click.option("--treatment", multiple=True, metavar="FIELD", help="What is meant to differ, where no seal says it.")
@click.option("--equal", "equal_because", metavar="WHY", help="Take unstated conditions as equal, and why.")
@click.option("--for", "number", type=NUMBERS, default="rate", help="The number that is compared (default: rate).")
@click.option("--looks", type=click.IntRange(0), default=0, help="How often it was looked at before its end.")
@click.option("--require", default="", metavar="RUNG", help="Exit 1 below this rung (not_worse, tasks_like_these ...).")
@click.option("-v", "--verbose", is_flag=True, help="Also show every field, and every task of the paired table.")
@format_option
@json_option
@click.pass_context
def compare(
    ctx: click.Context, /, sides: tuple[str, ...], format_: str, as_json: bool, verbose: bool, **given: Any
) -> None:
    """Compare SIDES: run ids, folders of runs or imports, files or folders of rows; more than two make a grid.

    Conditions come first, field by field. Not comparable: no difference is computed anywhere.
    Exit 0 comparable, 1 a side is blocked by its own gate or --require is not met, 2 unusable, 3 not comparable.

    \b
    Example: denominator compare nightly-main nightly-change --require not_worse
    """
    from denominator.pipeline.asking import reason_of
    from denominator.pipeline.comparing import Asked, compare_results, required_rung

    form = format_chosen(format_, as_json)
    if given["require"]:
        required_rung(given["require"])
    asked = Asked(
        treatment=given["treatment"],
        equal_because=reason_of(given["equal_because"]),
        number=given["number"],
        looks=given["looks"],
    )
    found = compare_results(_named(sides, given), asked)
    code = _required(found, given["require"])
    if form == "json":
        print_json(_document(found, given["require"], code))
    elif form == "text":
        _show(found, verbose)
    else:
        _print_as(form, found, given["require"], code)
    leave(ctx, code)


def _print_as(form: str, found: Compared, required: str, code: int) -> None:
    """The comparison as findings, in a format of other tools."""
    from denominator.pipeline.comparing import met
    from denominator.pipeline.finding import about_comparison
    from denominator.publish.findings import findings_of

    made = [found.comparison] if found.comparison is not None else found.grid.comparisons if found.grid else ()
    rung = _rung(found)
    unmet = f"required {required}, reached {rung}" if required and not met(rung, required) else ""
    print_findings(findings_of(made, unmet), form, about_comparison(found, code))


def _named(sides: tuple[str, ...], given: dict[str, Any]) -> list[tuple[str, Result]]:
    """Every side with the name as typed: --a and --b before the others, in the places of the first and the second."""
    waiting: list[str | tuple[Path, ...]] = list(sides)
    for place, key in enumerate(("a_files", "b_files")):
        if given[key]:
            waiting.insert(min(place, len(waiting)), given[key])
    wheres = (given["where_a"], given["where_b"])
    return [_side(one, wheres[place] if place < 2 else (), given) for place, one in enumerate(waiting)]


def _side(one: str | tuple[Path, ...], where: tuple[str, ...], given: dict[str, Any]) -> tuple[str, Result]:
    from denominator.pipeline.comparing import read_side

    if isinstance(one, str) and not is_foreign(one, given["runs_dir"]):
        return Path(one).name or one, result_of(one, given["runs_dir"])
    files = (Path(one),) if isinstance(one, str) else one
    result, lines = read_side((*files, *given["both_files"]), given["column_map"], where, given["declared"])
    for line in lines:
        note(f"{files[0].name}: {line}")
    chosen = ", ".join(one.partition("=")[2] for one in where)
    return chosen or " + ".join(path.stem for path in files), result


def _required(found: Compared, required: str) -> int:
    """The exit code, with what was required of the (primary) comparison."""
    from denominator.errors import Exit
    from denominator.pipeline.comparing import met

    if not required or found.exit != Exit.DONE:
        return int(found.exit)
    rung = _rung(found)
    if met(rung, required):
        return int(found.exit)
    note(f"required {required}, reached {rung}")
    return int(Exit.BLOCKED)


def _rung(found: Compared) -> str:
    """The rung of the comparison, or of the declared primary one of several arms."""
    if found.comparison is not None:
        return found.comparison.verdict.rung
    lines = found.grid.pairs if found.grid else ()
    made = found.grid.comparisons if found.grid else ()
    return next((c.verdict.rung for line, c in zip(lines, made, strict=True) if line.role == "primary"), "refused")


def _document(found: Compared, required: str, code: int) -> Any:
    from denominator.pipeline.comparing import met
    from denominator.publish.limits import limit_lines
    from denominator.wire.codec import to_json

    document: dict[str, Any] = {"exit": code, "limits": list(limit_lines("M8"))}
    if required:
        document |= {"required": required, "met": met(_rung(found), required)}
    if found.comparison is not None:
        return document | {"comparison": to_json(found.comparison)}
    return document | {"grid": to_json(found.grid)}


def _show(found: Compared, verbose: bool) -> None:
    from denominator.cli.pages import terminal_page
    from denominator.publish.limits import limit_lines
    from denominator.publish.terminal.comparison import add_comparison
    from denominator.publish.terminal.grid import add_grid

    page = terminal_page()
    if found.comparison is not None:
        add_comparison(page, found.comparison, verbose)
    elif found.grid is not None:
        add_grid(page, found.grid, verbose)
    page.bullets("LIMITS", limit_lines("M8"))
    print_page(page)
