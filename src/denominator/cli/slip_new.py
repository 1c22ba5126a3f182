"""`slip new`: make a slip of a run, of a kept import, or of a hand file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note
from denominator.cli.places import LEDGER_FILES, opened, result_of, rows_kept, runs_dir_option, settings
from denominator.cli.slip_shown import print_slip, store_of
from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.slipping import Promised
    from denominator.records.boxes import Box
    from denominator.records.slips import PairVerdict, Slip


@click.command("new")
@click.argument("run", required=False)
@click.option("--hand", type=click.Path(dir_okay=False, path_type=Path), help="A slip that a person declares (TOML).")
@click.option(
    "--previous", default="", metavar="ID", help="Hold it against this slip (default: the last of arm and pack)."
)
@runs_dir_option
@json_option
@click.pass_context
def new(
    ctx: click.Context, run: str | None, hand: Path | None, previous: str, runs_dir: str | None, as_json: bool
) -> None:
    """Make the slip of RUN (a run id, its folder, or the folder of an import; default: the latest run).

    It is written once into slips/ beside the runs; its name is its sha256. What the gate withholds is not on it.
    Exit 0, or 1 where its tier is none: no number may be shown, or something other than the box moved since the slip
    before it. 2 unusable, 4 promises of the run are open, 5 unknown state.

    With --hand: k of n or a score with n, checked for what no count can give, with the raw log, which is hashed.

    \b
    Example: denominator slip new 2026-11-29-oracle
             denominator slip new imports/harbor
             denominator slip new --hand slips/by-hand.toml
    """
    from denominator.pipeline.slipping import keep, promised

    if run is not None and hand is not None:
        raise InputError("one slip is of a run or of a hand file", where="--hand", fix="leave out RUN, or --hand")
    chosen = settings(runs_dir)
    box = promised(chosen.box_shared, chosen.box_reclaimable)
    store = store_of(runs_dir)
    slip = _by_hand(hand, store, box) if hand is not None else _of_result(run, runs_dir, store, box)
    made = keep(slip, store, previous)
    print_slip(made.standing, as_json=as_json)
    if made.verdict is not None and made.verdict.moved:
        _say_moved(made.standing.slip.previous, made.verdict)
    leave(ctx, 1 if made.standing.tier.tier == "none" else 0)


def _of_result(run: str | None, runs_dir: str | None, store: Path, box: Promised) -> Slip:
    from denominator.pipeline.results import judge_run
    from denominator.pipeline.slipping import slip_of_import, slip_of_run
    from denominator.wiring.world import utc_now

    if run and run.endswith(LEDGER_FILES) and not Path(run).is_dir():
        fix = "name the run, or the folder of the import"
        raise InputError("a slip is of a run or of a kept import, never of a bare file", where=run, fix=fix)
    if run and (os.path.isfile(os.path.join(run, "ledger.json")) or rows_kept(run) is not None):  # noqa: PTH113, PTH118
        return slip_of_import(result_of(run, runs_dir), Path(run), store, utc_now(), box)
    found = opened(run, runs_dir)
    return slip_of_run(judge_run(found), found.seal, found.folder.root, store, utc_now(), box)


def _by_hand(path: Path, store: Path, box: Promised) -> Slip:
    from denominator.pipeline.slipping import read_hand, slip_of_hand
    from denominator.wiring.world import utc_now

    return slip_of_hand(path, store, utc_now(), box, _here(path.parent) if read_hand(path).box.here else None)


def _here(folder: Path) -> Box:
    from denominator.adapters.box import SystemBox

    return SystemBox().read(folder, settings().python)


def _say_moved(previous: str, verdict: PairVerdict) -> None:
    note(f"moved since slip {previous[:8]}:")
    for name, old, now in verdict.moved:
        note(f"  {name}: {old or 'empty'} -> {now or 'empty'}")
