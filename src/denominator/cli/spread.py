"""`spread`: what repeats say about one arm, or about two."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page
from denominator.cli.sides import results_of, side_options

if TYPE_CHECKING:
    from denominator.pipeline.spreading import Spreading
    from denominator.publish.terminal.page import Page

FANCY = "■·○├─●┤↗↘"


@click.command(short_help="Show how much a run moves when it is run again, and whether two differ by more.")
@click.argument("a", required=False)
@click.argument("b", required=False)
@side_options
@click.option("--treatment", multiple=True, metavar="FIELD", help="A field that may differ (default: as declared).")
@click.option("--equal", "equal_because", metavar="WHY", help="Why what nobody stated is equal.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write one drawing into this new file.")
@click.option("--drawing", type=click.Choice(["heat-map", "forest", "slope"]), help="Which one (default: heat-map).")
@click.option("--no-plots", is_flag=True, help="Numbers only.")
@json_option
@click.pass_context
def spread(
    ctx: click.Context,
    /,
    a: str | None,
    b: str | None,
    treatment: tuple[str, ...],
    equal_because: str | None,
    svg: Path | None,
    drawing: str | None,
    no_plots: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Screen the repeats of A (a run id, its folder, the folder of an import, or rows), or of A and B; default: the latest run.

    Rows without a manifest need --declared 20x5; what nobody stated about two arms needs --equal WHY.
    Exit 0 screened, 1 refused (flaky baseline, withheld number), 3 not comparable, 4 promises still open.

    \b
    Example: denominator spread 2026-11-29-main 2026-11-29-change
    """
    from denominator.errors import Exit
    from denominator.pipeline.asking import reason_of
    from denominator.pipeline.spreading import drawing_of, spread_of
    from denominator.records.values import NotMeasured

    why = reason_of(equal_because)
    named = results_of(a, b, given)
    found = spread_of(named, treatment or None, why)
    if drawing and svg is None:
        raise click.UsageError("--drawing needs --svg FILE")
    drawn = svg is None or drawing_of(found, drawing or "heat-map", svg)
    if as_json:
        print_json(_document(found))
    else:
        print_page(_page(found, plots=not no_plots))
    if given["declared"] == "" and any(isinstance(result.ledger.declared_n, NotMeasured) for _, result in named):
        note("next: say what was scheduled with --declared TASKSxREPEATS, or in a manifest")
    if not drawn:
        note(f"nothing may be drawn of this, for the reasons above: {svg} was not written")
    leave(ctx, found.exit if drawn else Exit.worst([int(found.exit), int(Exit.BLOCKED)]))


def _document(found: Spreading) -> dict[str, Any]:
    from denominator.wire.codec import to_json

    return {
        "spread": to_json(found.spread),
        "comparability": to_json(found.comparability),
        "names": list(found.names),
        "exit": int(found.exit),
    }


def _page(found: Spreading, *, plots: bool) -> Page:
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.spread import not_comparable_page, spread_page
    from denominator.records.comparisons import Comparability
    from denominator.records.spreads import Spread

    page = terminal_page()
    if isinstance(found.spread, Spread):
        spread_page(page, found.spread, fancy=_fancy(), plots=plots)
    elif isinstance(found.comparability, Comparability):
        not_comparable_page(page, found.comparability, found.names)
    return page


def _fancy() -> bool:
    """Can the console show the shapes?"""
    try:
        FANCY.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
