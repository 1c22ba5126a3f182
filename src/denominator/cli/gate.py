"""`gate`: may the number be printed? Every clause with its result."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.cli.places import result_of, runs_dir_option


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Also show the clauses that hold.")
@click.pass_context
def gate(ctx: click.Context, run: str | None, runs_dir: str | None, as_json: bool, verbose: bool) -> None:
    """Judge RUN (a run id, its folder, or the folder of an import; default: the latest run).

    Exit 0 publishable, 1 blocked, 4 promises still open, 5 unknown state.

    \b
    Example: denominator gate 2026-11-29-oracle -v
    """
    from denominator.wire.codec import to_json

    result = result_of(run, runs_dir)
    verdict = result.judged.verdict
    if as_json:
        print_json({"verdict": to_json(verdict), "exit": int(result.exit)})
    else:
        print_text(f"{verdict.status.upper()}: {verdict.sentence}")
        shown = [f for f in result.judged.findings if verbose or f.severity != "held"]
        for finding in shown:
            where = f" [{finding.where}]" if finding.where else ""
            fix = f"\n        next: {finding.fix}" if finding.fix and finding.severity != "held" else ""
            print_text(f"  {finding.severity:<8}{finding.code} {finding.allow_name}: {finding.what}{where}{fix}")
        held = sum(f.severity == "held" for f in result.judged.findings)
        print_text(f"{held} of {len(result.judged.findings)} clauses hold")
    leave(ctx, result.exit)
