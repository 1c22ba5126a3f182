"""What stands beside a run, for the verbs that show one: the option that names it, and how it is reached."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.places import LEDGER_FILES, opened, result_of

if TYPE_CHECKING:
    from denominator.pipeline.companion_sources import Named, Reach
    from denominator.pipeline.results import Result
    from denominator.records.companions import BenchFound, Companions

with_option = click.option(
    "--with",
    "beside",
    multiple=True,
    metavar="PATH",
    help="Show this beside the run: a fault bench, an endpoint probe, or a replay (repeatable).",
)


def named_result(run: str | None, runs_dir: str | None) -> Named:
    """The judged result behind a name, with its folder."""
    from denominator.pipeline.companion_sources import Named
    from denominator.pipeline.results import judge_run

    if run and (run.endswith(LEDGER_FILES) or is_import(Path(run))):
        path = Path(run)
        return Named(name=path.name, result=result_of(run, runs_dir), folder=path if path.is_dir() else None)
    ours = opened(run, runs_dir)
    return Named(name=ours.run_id, result=judge_run(ours), run=ours, folder=ours.folder.root)


def is_import(folder: Path) -> bool:
    """Is it the folder of an import?"""
    return any((folder / name).is_file() for name in ("ledger.json", "terms.json"))


def beside_of(of: Named, given: tuple[str, ...], runs_dir: str | None) -> tuple[Result, Companions]:
    """The result, judged with every replay that was named, and what stands beside it."""
    from denominator.pipeline.companions import gather

    return gather(of, given, _reach(runs_dir))


def _reach(runs_dir: str | None) -> Reach:
    from denominator.pipeline.companion_sources import Reach

    return Reach(bench=_bench, named=lambda name: named_result(name, runs_dir), same_address=_same_address)


def _bench(place: Path) -> BenchFound:
    from denominator.faultbench.scoring import bench_found

    return bench_found(place)


def _same_address(one: str, other: str) -> bool:
    from denominator.wiring.probes import same_address

    return same_address(one, other)
