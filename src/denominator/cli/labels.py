"""`labels`: whose failure each row was, by which rule, on which evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, note, print_json, print_text
from denominator.cli.pages import terminal_page
from denominator.cli.places import result_of, runs_dir_option

if TYPE_CHECKING:
    from denominator.pipeline.results import Result


@click.command()
@click.argument("run", required=False)
@click.option("--why", "task", metavar="TASK", help="Every rule that was asked about TASK, and why each held or not.")
@click.option("--to-read", is_flag=True, help="Only rows that a person should look at.")
@runs_dir_option
@json_option
def labels(run: str | None, task: str | None, to_read: bool, runs_dir: str | None, as_json: bool) -> None:
    """List the labels of RUN (a run id, its folder, or the folder of an import; default: the latest run), row by row.

    A list is for reading: no count of it is a result, that is what `card` and `gate` are for. A LEDGER.jsonl (rows in
    our own format, one a line) is labelled as a stream: one JSON line a row, in bounded memory.

    \b
    Example: denominator labels 2026-11-29-oracle
             denominator labels --why page-count
    """
    from denominator.wire.codec import to_json

    if run and run.endswith(".jsonl"):
        _stream(Path(run))
        return
    result = result_of(run, runs_dir)
    if task is not None:
        from denominator.pipeline.labelling import why

        found = why(result, task)
        if as_json:
            print_json({"run_id": result.ledger.run_id, "rows": [to_json(one) for one in found]})
        else:
            from denominator.publish.terminal.labels import why_page

            page = terminal_page()
            why_page(page, found)
            print_text(page.text().removesuffix("\n"))
        return
    _list(result, to_read=to_read, as_json=as_json)


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
    page = terminal_page()
    label_table(page, shown)
    print_text(page.text().removesuffix("\n"))
    if result.judged.split_hidden:
        note("a control is violated: these labels are for finding out why, no count of them is a result")
    if waiting:
        note(f"{waiting} rows need a person\n  next: denominator review export {result.ledger.run_id} --help")


def _stream(path: Path) -> None:
    """A ledger file of any length: nothing of it is held."""
    from denominator.pipeline.label_stream import stream_labels, terms_beside

    terms = terms_beside(path)
    with path.open("rb") as file:
        for line in stream_labels(file, str(path), terms):
            print_text(line)
