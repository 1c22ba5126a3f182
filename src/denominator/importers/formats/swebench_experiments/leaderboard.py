"""`leaderboards.json`: every row of every board is a run of which mostly a percent is known, sometimes each instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.errors import InputError
from denominator.importers.foreign import pointed
from denominator.importers.formats.swebench_experiments.details import details_of
from denominator.importers.formats.swebench_experiments.metadata import metadata_of, of_split, printed
from denominator.importers.formats.swebench_experiments.results import Results
from denominator.importers.formats.swebench_experiments.splits import BOARDS, SIZES
from denominator.importers.swebench.runs import Run, plan_of, rows_of
from denominator.records.foreign import ForeignRun, Told
from denominator.wire.sources import DOCUMENT_BYTES, Source, loose_json

FILE = "leaderboards.json"
ATTEMPTS = "System: Attempts - "
MODEL = "Model: "


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its board, its name as a run, its place and its values."""

    board: str
    name: str
    where: str
    values: Mapping[str, Any]


def rows_in(files: Source) -> tuple[str, list[Row]]:
    """The file and its rows; nothing where there is none."""
    for name in files.names():
        if name.rpartition("/")[2] == FILE and files.size(name) <= DOCUMENT_BYTES:
            try:
                return name, list(_rows(loose_json(files.read(name), name), name))
            except InputError:
                return "", []
    return "", []


def _rows(found: object, file: str) -> Iterator[Row]:
    boards = found.get("leaderboards") if isinstance(found, dict) else None
    taken: dict[str, int] = {}
    for place, board in enumerate(boards if isinstance(boards, list) else ()):
        rows = board.get("results") if isinstance(board, dict) else None
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            if not isinstance(row, dict):
                continue
            name = f"{board.get('name')}/{row.get('folder') or row.get('name') or index}"
            taken[name] = taken.get(name, 0) + 1
            name += f"#{taken[name]}" if taken[name] > 1 else ""
            yield Row(str(board.get("name")), name, f"{file}#{pointed('leaderboards', place, 'results', index)}", row)


def read_row(files: Source, file: str, row: Row, rows: list[Row], importer: str) -> ForeignRun:
    """One row as a run."""
    told = Told(files={file: "boards of published percents"})
    about = metadata_of(_as_metadata(row.values), row.where, told)
    told.published += [one for one in printed(row.values, row.where, "") if one not in told.published]
    _cross_listed(row, rows, told)
    split = BOARDS.get(row.board.strip().lower(), "")
    run = Run(row.name, importer, files, told, size=SIZES.get(split))
    of_split(told, run.size)
    base = row.where.partition("#")[2] + "/per_instance_details"
    details = row.values.get("per_instance_details")
    results = details_of(details, file, told, base) if isinstance(details, dict) and details else Results()
    if not results.said:
        told.say("no_rows", row.where, "a percent is printed, and no file says which instances it is of")
    run.said, run.fields, run.extra, run.places = results.said, results.fields, results.extra, results.places
    document = {
        "run_id": row.name,
        "harness_name": "SWE-bench",
        "dataset": {"name": "SWE-bench", "split": split or row.board},
    }
    return ForeignRun(
        name=row.name, arm=about.title or row.name, document=document | about.document, declared=plan_of(run),
        rows=rows_of(run), told=told, unknown=about.unknown,
    )  # fmt: skip


def _as_metadata(values: Mapping[str, Any]) -> dict[str, object]:
    """A row in the shape of the metadata that it was made of."""
    given = values.get("tags")
    tags = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    models = [one.removeprefix(MODEL) for one in tags if one.startswith(MODEL)]
    attempts = next((one.removeprefix(ATTEMPTS) for one in tags if one.startswith(ATTEMPTS)), "")
    info = {key: values.get(key) for key in ("name", "warning", "mini-swe-agent_version")}
    return {"info": info, "tags": {"checked": values.get("checked"), "model": models, "system": {"attempts": attempts}}}


def _cross_listed(row: Row, rows: list[Row], told: Told) -> None:
    """A submission that stands on two boards is one run; its row must not be counted twice."""
    folder = row.values.get("folder")
    others = [one for one in rows if folder and one.values.get("folder") == folder and one.name != row.name]
    if others:
        what = f"the same submission stands on other boards too ({', '.join(one.board for one in others)}): one run, not several"
        told.say("cross_listed", row.where, what, blocks=False)
    if differ := [one for one in others if one.values.get("resolved") != row.values.get("resolved")]:
        what = f"another percent is printed for it on {', '.join(one.board for one in differ)}"
        told.say("contradiction", row.where, what, blocks=False)
