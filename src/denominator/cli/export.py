"""`export`: a judged run in a format that other programs read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import LEDGER_FILES, opened, result_of, rows_kept, runs_dir_option
from denominator.errors import Exit, InputError

if TYPE_CHECKING:
    from denominator.exporters import Exporter, FolderExporter
    from denominator.pipeline.results import Result
    from denominator.pipeline.world import OpenRun
    from denominator.records.events import Json


@click.command()
@click.argument("format_", metavar="FORMAT", required=False)
@click.argument("run", required=False)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The new file or folder (default: RUN.ENDING, RUN.FORMAT)."
)
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
             denominator export atif 2026-11-29-oracle -o trajectories
             denominator export --list
    """
    if list_ or format_ is None:
        _list(as_json=as_json)
        return
    from denominator.pipeline.results import unfinished
    from denominator.wiring.exporters import exporter

    found = exporter(format_)
    if run and run.endswith(LEDGER_FILES) and not Path(run).is_dir():
        raise InputError("rows of a file are held by kind, not one by one", where=run, fix="name the run or its folder")
    result, own, kept = _result_of(run, runs_dir)
    name = (result.ledger.run_id or "run").replace("/", "_")
    told = _write(found, (result, own, kept), out, name)
    if as_json:
        print_json({"format": found.name, **told, "cannot_say": list(found.cannot_say)})
    else:
        print_text(str(told.get("file", told.get("folder"))))
        for line in found.cannot_say:
            note(f"{found.name}: {line}")
    leave(ctx, Exit.worst(unfinished(result)))


Read = tuple["Result", "OpenRun | None", Path]
"""What was judged, the run itself where it is one of ours, and the folder of its files."""


def _result_of(run: str | None, runs_dir: str | None) -> Read:
    from denominator.pipeline.results import judge_run

    if run and (os.path.isfile(os.path.join(run, "ledger.json")) or rows_kept(run) is not None):  # noqa: PTH113, PTH118
        return result_of(run, runs_dir), None, Path(run)
    own = opened(run, runs_dir)
    return judge_run(own), own, own.folder.root


def _write(found: Exporter | FolderExporter, read: Read, out: Path | None, name: str) -> dict[str, Json]:
    """Write the document or the folder, and say where it is and how large."""
    from denominator.exporters import FolderExporter
    from denominator.pipeline.exporting import export as made_of
    from denominator.pipeline.exporting import export_into
    from denominator.wire.durable import write_file

    result, own, kept = read
    folder = isinstance(found, FolderExporter)
    target = out or Path(f"{name}.{found.name if folder else found.ending}")
    try:
        if isinstance(found, FolderExporter):
            number, size = export_into(target, result, found, own, kept)
            return {"folder": str(target), "files": number, "bytes": size}
        data = made_of(result, found, own, kept)
        write_file(target, data, replace=False)
    except FileExistsError:
        what = f"the {'folder' if folder else 'file'} is there already"
        raise InputError(what, where=str(target), fix="name a new one: -o NAME") from None
    return {"file": str(target), "bytes": len(data)}


def _list(*, as_json: bool) -> None:
    from denominator.wiring.exporters import exporter, exporter_names

    every = [exporter(name) for name in exporter_names()]
    if as_json:
        print_json([{"name": one.name, "title": one.title, "cannot_say": list(one.cannot_say)} for one in every])
        return
    for one in every:
        print_text("\n".join((f"{one.name}: {one.title}", *(f"  - {line}" for line in one.cannot_say))))
