"""Options that name two arms, shared by the verbs that set them side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import note
from denominator.cli.places import result_of, runs_dir_option, runs_place

if TYPE_CHECKING:
    from denominator.pipeline.results import Result

FILES = click.Path(exists=True, path_type=Path)
_OPTIONS = (
    runs_dir_option,
    click.option("--a", "a_files", multiple=True, type=FILES, help="Rows of arm A (several files, or one folder)."),
    click.option("--b", "b_files", multiple=True, type=FILES, help="Rows of arm B."),
    click.option(
        "--both", "both_files", multiple=True, type=FILES, help="A file of both arms, such as a shared manifest."
    ),
    click.option("--map", "column_map", type=click.Path(dir_okay=False, path_type=Path), help="columns.toml for them."),
    click.option("--where-a", multiple=True, metavar="COLUMN=VALUE", help="Only rows of --a with this value."),
    click.option("--where-b", multiple=True, metavar="COLUMN=VALUE", help="Only rows of --b with this value."),
    click.option(
        "--declared", default="", metavar="TASKSxREPEATS", help="What was scheduled, for rows without a manifest."
    ),
)
Given = dict[str, Any]


def side_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Options for two arms; the verb gets them as keywords and gives all of them to `results_of`."""
    for option in reversed(_OPTIONS):
        verb = option(verb)
    return verb


def results_of(a: str | None, b: str | None, given: Given) -> tuple[tuple[str, Result], ...]:
    """The judged result of each arm that was named, with the name as typed: A, or A and B; the latest run for neither."""
    named = [("A", a, given["a_files"], given["where_a"]), ("B", b, given["b_files"], given["where_b"])]
    for letter, run, files, _ in named:
        if run is not None and files:
            raise click.UsageError(f"arm {letter} is named twice: as {run} and by --{letter.lower()}")
    if given["b_files"] and a is None and not given["a_files"]:
        raise click.UsageError("arm A is not named: give A, or --a FILES")
    asked = [one for one in named if one[1] is not None or one[2]] or named[:1]
    return tuple(_one(run, files, where, given) for _, run, files, where in asked)


def result_named(name: str, runs_dir: str | None) -> Result:
    """The judged result behind one name: a run, its folder, the folder of an import, or rows."""
    return _one(name, (), (), {"runs_dir": runs_dir, "column_map": None, "declared": "", "both_files": ()})[1]


def _one(run: str | None, files: tuple[Path, ...], where: tuple[str, ...], given: Given) -> tuple[str, Result]:
    """Files are imported; so is a name that is a file, or a folder that is neither a run nor a kept import."""
    from denominator.pipeline.sides import rows_result

    if not files and run and is_foreign(run, given["runs_dir"]):
        files = (Path(run),)
    if not files:
        return run or "", result_of(run, given["runs_dir"])
    report, result = rows_result((*files, *given["both_files"]), given["column_map"], where, given["declared"])
    for line in report.lines():
        note(line)
    return run or " ".join(map(str, files)), result


def is_foreign(name: str, runs_dir: str | None) -> bool:
    """Is it rows or a manifest of another harness? A run of that name goes first."""
    if os.path.isfile(name):  # noqa: PTH113
        return True
    if not os.path.isdir(name) or os.path.isfile(runs_place(runs_dir) / name / "seal.json"):  # noqa: PTH112, PTH113
        return False
    return not {"seal.json", "ledger.json", "journal.db", "terms.json"} & set(os.listdir(name))  # noqa: PTH208
