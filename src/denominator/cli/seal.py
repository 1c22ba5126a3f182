"""`seal`: freeze the conditions without running."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, print_json, print_text
from denominator.cli.places import default_envelope, new_lineage_option, previous_option, runs_dir_option, settings

if TYPE_CHECKING:
    from denominator.pipeline.world import OpenRun


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--arm", "label", help="Only the arm with this label.")
@click.option("--pack", "pack_name", help="Use this pack instead of the one the envelope names.")
@click.option("--run-id", help="Name of the run (default: time and arm).")
@previous_option
@new_lineage_option
@runs_dir_option
@json_option
def seal(
    path: Path | None,
    label: str | None,
    pack_name: str | None,
    run_id: str | None,
    previous: str | None,
    new_lineage: str | None,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Freeze PATH with pack, rules, cause table and box into runs/RUN/seal.json; `resume RUN` then runs it.

    An incomplete envelope is refused with every missing field (exit 2). A sealed file is never edited. What is weaker
    than in the last seal of the same pack and arm is sealed too, with the reason that [[loosen]] gives for it.

    \b
    Example: denominator seal envelope.toml
    """
    from denominator.cli.progress import LineReporter
    from denominator.pipeline.lineage import Wanted
    from denominator.wiring.running_cli import Options, seal_only

    chosen = settings(runs_dir)
    options = Options(
        envelopes=(path or default_envelope(),),
        label=label,
        pack_name=pack_name,
        run_id=run_id,
        lineage=Wanted(previous=previous, new=new_lineage),
        runs_dir=Path(chosen.runs_dir),
        cache_dir=Path(chosen.cache_dir),
    )
    sealed = seal_only(options, LineReporter(quiet=as_json))
    if as_json:
        print_json([_document(run) for run in sealed])
    else:
        for run in sealed:
            print_text(f"{run.folder.seal}\n  sha256 {run.seal_digest}\n  next: denominator resume {run.run_id}")


def _document(run: OpenRun) -> dict[str, Any]:
    """The sealed run, what it demands less than the seal before it, and what a probe of its endpoint makes doubtful."""
    from denominator.pipeline.probed import doubts
    from denominator.wire.codec import to_json

    return {
        "run_id": run.run_id,
        "seal": run.seal_digest,
        "file": str(run.folder.seal),
        "previous": run.seal.previous,
        "lineage": run.seal.lineage,
        "loosened": [to_json(one) for one in run.seal.loosened],
        "doubts": list(doubts(run.seal)),
    }
