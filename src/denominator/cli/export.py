"""`export`: a judged run in a format that other programs read."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import LEDGER_FILES, result_of, runs_dir_option
from denominator.errors import Exit, InputError


@click.command()
@click.argument("format_", metavar="FORMAT", required=False)
@click.argument("run", required=False)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The new file (default: RUN.ENDING here).")
@click.option("--list", "list_", is_flag=True, help="The formats, and what each of them cannot say.")
@runs_dir_option
@json_option
@click.pass_context
def export(
    ctx: click.Context,
    format_: str | None,
    run: str | None,
    out: Path | None,
    list_: bool,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Write RUN (a run id, its folder, or the folder of an import; default: the latest run) as FORMAT.

    A number that the gate withholds is in no document; a format that would need one refuses (exit 1). What a format has no
    place for is said on stderr.

    \b
    Example: denominator export junit 2026-11-29-oracle -o report.xml
             denominator export --list
    """
    if list_ or format_ is None:
        _list(as_json=as_json)
        return
    from denominator.pipeline.exporting import export as made_of
    from denominator.pipeline.results import unfinished
    from denominator.wire.durable import write_file
    from denominator.wiring.exporters import exporter

    found = exporter(format_)
    if run and run.endswith(LEDGER_FILES) and not Path(run).is_dir():
        raise InputError("rows of a file are held by kind, not one by one", where=run, fix="name the run or its folder")
    result = result_of(run, runs_dir)
    target = out or Path(f"{result.ledger.run_id or 'run'}.{found.ending}".replace("/", "_"))
    data = made_of(result, found)
    try:
        write_file(target, data, replace=False)
    except FileExistsError:
        raise InputError("the file is there already", where=str(target), fix="name a new one: -o FILE") from None
    if as_json:
        print_json(
            {"format": found.name, "file": str(target), "bytes": len(data), "cannot_say": list(found.cannot_say)}
        )
    else:
        print_text(str(target))
        for line in found.cannot_say:
            note(f"{found.name}: {line}")
    leave(ctx, Exit.worst(unfinished(result)))


def _list(*, as_json: bool) -> None:
    from denominator.wiring.exporters import exporter, exporter_names

    every = [exporter(name) for name in exporter_names()]
    if as_json:
        print_json([{"name": one.name, "title": one.title, "cannot_say": list(one.cannot_say)} for one in every])
        return
    for one in every:
        print_text("\n".join((f"{one.name}: {one.title}", *(f"  - {line}" for line in one.cannot_say))))
