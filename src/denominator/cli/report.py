"""`report`: one HTML file of a run, or of two arms side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.companions import beside_of, is_import, named_result, with_option
from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import LEDGER_FILES, folder_of, result_of, runs_dir_option
from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.reporting import Written

PAGE = "report.html"


@click.command(short_help="Write one HTML file that shows a run, or two arms, down to every failing attempt.")
@click.argument("run", required=False)
@click.argument("other", required=False)
@click.option(
    "-o",
    "--html",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write this new file (default: report.html in the folder of RUN, made anew each time).",
)
@click.option(
    "--treatment", multiple=True, metavar="FIELD", help="Of two: what is meant to differ, where no seal says it."
)
@click.option("--equal", "equal_because", metavar="WHY", help="Of two: take unstated conditions as equal, and why.")
@with_option
@runs_dir_option
@json_option
@click.pass_context
def report(
    ctx: click.Context, /, run: str | None, other: str | None, target: Path | None, as_json: bool, **given: Any
) -> None:
    """Write the report of RUN (a run id, its folder, or the folder of an import; default: the latest run), or of RUN beside OTHER.

    The page needs no script and no network. What the gate withholds is not on it. Lines that look like secrets are left
    out of what it quotes. Fault bench, probe and replays stand on it as on the card. Exit codes as of `card` and `compare`.

    \b
    Example: denominator report 2026-11-30-main -o main.html
             denominator report 2026-11-30-main 2026-11-30-change
    """
    if other is None and (given["treatment"] or given["equal_because"]):
        raise click.UsageError("--treatment and --equal are about two arms: name OTHER")
    if other is not None and given["beside"]:
        raise click.UsageError("--with is about one run: leave OTHER out")
    path, again = _path(run, other, target, given["runs_dir"])
    written, code = _one(run, path, again, given) if other is None else _two(run or "", other, path, again, given)
    if as_json:
        print_json({"path": str(written.path), "sha256": written.sha256, "bytes": written.size, "exit": code})
    else:
        print_text(str(written.path))
        note(f"{written.size} bytes, sha256 {written.sha256}")
    leave(ctx, code)


def _path(run: str | None, other: str | None, target: Path | None, runs_dir: str | None) -> tuple[Path, bool]:
    """Where the page goes, and whether it may take the place of an earlier one: only where the name is ours."""
    if target is not None:
        return target, False
    if run and run.endswith(LEDGER_FILES):
        raise InputError("a ledger file has no folder for a page", where=run, fix="name the file: -o report.html")
    folder = Path(run) if run and is_import(Path(run)) else folder_of(run, runs_dir).root
    return folder / (PAGE if other is None else f"report-{_safe(other)}.html"), True


def _safe(name: str) -> str:
    from denominator.wire.names import safe_name

    return safe_name(Path(name).name or "other")


def _one(run: str | None, path: Path, again: bool, given: dict[str, Any]) -> tuple[Written, int]:
    from denominator.pipeline.reporting import report_of, write_report

    named = named_result(run, given["runs_dir"])
    result, beside = beside_of(named, given["beside"], given["runs_dir"])
    return write_report(path, report_of(named.name, result, named.run, beside), again=again), int(result.exit)


def _two(run: str, other: str, path: Path, again: bool, given: dict[str, Any]) -> tuple[Written, int]:
    from denominator.pipeline.asking import reason_of
    from denominator.pipeline.comparing import Asked, compare_results
    from denominator.pipeline.reporting import pair_marks, write_comparison

    named = [(Path(one).name or one, result_of(one, given["runs_dir"])) for one in (run, other)]
    asked = Asked(treatment=given["treatment"], equal_because=reason_of(given["equal_because"]))
    made = compare_results(named, asked)
    if made.comparison is None:
        raise InputError("a report is of one run or of two", where="report")
    marks = pair_marks(made.comparison, named[0][1], named[1][1])
    return write_comparison(path, made.comparison, marks, again=again), int(made.exit)
