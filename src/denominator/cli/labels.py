"""`labels`: whose failure each row was, by which rule, on which evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import format_chosen, json_option, note, print_json, print_page, print_raw, print_text
from denominator.cli.pages import terminal_page
from denominator.cli.places import result_of, rows_kept, runs_dir_option
from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.results import Result


@click.command()
@click.argument("run", required=False)
@click.option("--why", "task", metavar="TASK", help="Every rule that was asked about TASK, and why each held or not.")
@click.option("--to-read", is_flag=True, help="Only rows that a person should look at.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "junit")),
    default="text",
    show_default=True,
    help="junit: one test case a declared draw, for the test tab of a CI service.",
)
@runs_dir_option
@json_option
def labels(run: str | None, task: str | None, to_read: bool, format_: str, runs_dir: str | None, as_json: bool) -> None:
    """List the labels of RUN (a run id, its folder, or the folder of an import; default: the latest run), row by row.

    A list is for reading: no count of it is a result, that is what `card` and `gate` are for. A LEDGER.jsonl (rows in
    our own format, one a line, beside its seal.json or terms.json) is labelled by the rules as a stream: one JSON line
    a row, in bounded memory.

    \b
    Example: denominator labels 2026-11-29-oracle
             denominator labels --why page-count
    """
    form = format_chosen(format_, as_json)
    as_json = form == "json"
    file = _file_of(run)
    if file is not None:
        _refuse_with_stream(task, form)
        _stream(file, to_read=to_read)
        return
    if task is not None and to_read:
        raise InputError("one task is shown whole", where="--why", fix="leave out --to-read, or --why")
    if form == "junit" and (task is not None or to_read):
        raise InputError("a report of tests has every draw", where="--format", fix="leave out --why and --to-read")
    result = result_of(run, runs_dir)
    if form == "junit":
        _junit(result)
    elif task is not None:
        _why(result, task, as_json=as_json)
    else:
        _list(result, to_read=to_read, as_json=as_json)


def _file_of(run: str | None) -> Path | None:
    """A ledger file, as it is named or in the folder of an import of many rows."""
    if not run:
        return None
    return Path(run) if run.endswith(".jsonl") and not Path(run).is_dir() else rows_kept(run)


def _refuse_with_stream(task: str | None, form: str) -> None:
    """A stream holds no row, so it can explain none; it is JSON already, a document a line."""
    if task is not None:
        fix = "name the run, or the folder of the import: its rules are shown row by row"
        raise InputError("a ledger file is labelled as a stream, without its rules", where="--why", fix=fix)
    if form != "text":
        where = "--json" if form == "json" else "--format"
        fix = f"leave out {where}: each line is a JSON document"
        raise InputError("a ledger file is labelled as a stream, not as one document", where=where, fix=fix)


def _junit(result: Result) -> None:
    from denominator.pipeline.finding import about_result
    from denominator.publish.findings import cases_of, junit_of

    print_raw(junit_of(cases_of(result.judged), about_result(result, "labels")))


def _why(result: Result, task: str, *, as_json: bool) -> None:
    from denominator.pipeline.labelling import why
    from denominator.publish.terminal.labels import why_page
    from denominator.wire.codec import to_json

    found = why(result, task)
    if as_json:
        print_json({"run_id": result.ledger.run_id, "rows": [to_json(one) for one in found]})
        return
    page = terminal_page()
    why_page(page, found)
    print_page(page)


def _list(result: Result, *, to_read: bool, as_json: bool) -> None:
    from denominator.pipeline.labelling import rows_of
    from denominator.publish.terminal.labels import label_table
    from denominator.wire.codec import to_json

    rows = rows_of(result)
    shown = [row for row in rows if row.read_it] if to_read else list(rows)
    waiting = sum(bool(row.read_it) for row in rows)
    if as_json:
        document: dict[str, Any] = {
            "run_id": result.ledger.run_id,
            "to_read": waiting,
            "rows": [to_json(row) for row in shown],
        }
        print_json(document)
        return
    if shown:
        page = terminal_page()
        label_table(page, shown)
        print_page(page)
    else:
        print_text("no row needs a person" if rows else "there are no rows")
    if result.judged.split_hidden:
        note("a control is violated: these labels are for finding out why, no count of them is a result")
    if waiting:
        need = "1 row needs" if waiting == 1 else f"{waiting} rows need"
        note(f"{need} a person\n  next: denominator review export RUN --only low -o sheets (or --only unresolved)")


def _stream(path: Path, *, to_read: bool) -> None:
    """A ledger file of any length: nothing of it is held. Labels of people are laid over whole runs, never over a stream."""
    from denominator.pipeline.label_stream import needs_a_person, stream_labels, terms_beside
    from denominator.pipeline.people import LABELS

    if not path.exists():
        raise InputError("no such file", where=str(path), fix="name a run, or the ledger.jsonl in a run's folder")
    terms = terms_beside(path)
    if (path.parent / LABELS).exists():
        note(f"labels of people in {path.parent / LABELS} are not applied to a stream: name the folder instead")
    with path.open("rb") as file:
        for line in stream_labels(file, str(path), terms):
            if not to_read or needs_a_person(line):
                print_text(line)
