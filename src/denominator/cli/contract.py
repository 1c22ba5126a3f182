"""`contract`: what is scored and what a pass is, locked once before anything is scored."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_card, print_json, print_page, print_text
from denominator.cli.places import runs_dir_option, runs_place
from denominator.records.values import counted

if TYPE_CHECKING:
    from denominator.pipeline.contracts import Scored
    from denominator.publish.terminal.page import Page

FILE = click.Path(dir_okay=False, path_type=Path)
NEW = click.Path(path_type=Path)


@click.group()
def contract() -> None:
    """Lock what is scored and what a pass is, then score events under it."""


@contract.command("init", short_help="Write a contract with every section.")
@click.argument("path", type=FILE, default="scoring_contract.json")
@json_option
def init(path: Path, as_json: bool) -> None:
    """Write a contract to PATH; what only you know says REPLACE. A file that exists is left alone.

    \b
    Example: denominator contract init scoring_contract.json
    """
    import json

    from denominator.envelopes.contracts import contract_template
    from denominator.errors import InputError

    text = json.dumps(contract_template(), indent=2) + "\n"
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise InputError("the file exists and was left as it is", where=str(path), fix="choose another name") from None
    _said({"contract": str(path)}, f"{path}: written\nnext: denominator contract lock {path}", as_json)


@contract.command("lock", short_help="Stamp run id, UTC time and sha256, once.")
@click.argument("path", type=FILE)
@click.option("-o", "--out", type=NEW, help="Write the locked contract to this new file (default: in place).")
@click.option("--run-id", help="The id of the study (default: its time).")
@json_option
def lock(path: Path, out: Path | None, run_id: str | None, as_json: bool) -> None:
    """Lock PATH. It is refused, with every reason at once, while anything in it is empty, open or assumed (exit 2).

    \b
    Example: denominator contract lock scoring_contract.json
    """
    from denominator.adapters.clock import SystemClock
    from denominator.pipeline.contracts import lock_contract
    from denominator.wiring.running_cli import stamp_now
    from denominator.wiring.starting import refuse_bad_id

    if run_id is not None:
        refuse_bad_id(run_id)
    found = lock_contract(path, out, run_id or f"contract-{stamp_now()}", SystemClock().wall())
    place = out or path
    told = f"{place}: locked at {found['locked_at']} as {found['run_id']}\nsha256 {found['sha256']}"
    told += f"\nnext: denominator contract score {place} EVENTS"
    _said({key: str(found[key]) for key in ("run_id", "locked_at", "sha256")} | {"contract": str(place)}, told, as_json)


@contract.command("score", short_help="Score a run or events of another harness under a contract.")
@click.argument("path", type=FILE)
@click.argument("events", nargs=-1, required=True, type=NEW)
@click.option("-o", "--out", type=NEW, help="Keep contract, rate.json, probe and card in this new folder.")
@runs_dir_option
@json_option
@click.pass_context
def score(
    ctx: click.Context, path: Path, events: tuple[Path, ...], out: Path | None, runs_dir: str | None, as_json: bool
) -> None:
    """Score EVENTS under the locked contract PATH: a run of ours (id or folder), or event files with their probe.

    Exit 0 publishable, 1 blocked (ids outside or missing, exclusions after the lock, an abstention that passes), 2 not
    locked, changed after the lock, or rows that do not state each clause.

    \b
    Example: denominator contract score C.json events.jsonl narration_probe.json
    """
    from denominator.pipeline.contracts import write_score

    refuse_used(out)
    scored, probe = _scored(path, events, runs_dir)
    if out is not None:
        write_score(out, scored, path, probe)
    if as_json:
        _print_score(scored)
    else:
        for line in scored.report.lines() if scored.report else ():
            note(line)
        print_card(scored.result.card, brief=True)
        print_page(_page(scored))
    leave(ctx, scored.result.exit)


def refuse_used(out: Path | None) -> None:
    """A folder that is there already is never written into."""
    from denominator.errors import InputError

    if out is not None and os.path.lexists(out):
        raise InputError("the folder is in use", where=str(out), fix="name a new one; nothing was written")


def _scored(path: Path, events: tuple[Path, ...], runs_dir: str | None) -> tuple[Scored, bytes]:
    """What was scored, and the bytes of its narration probe."""
    from denominator.pipeline.contracts import probe_bytes, score_files, score_run

    run = _run_named(events, runs_dir)
    if run is not None:
        from denominator.cli.places import opened

        found = opened(run, runs_dir)
        return score_run(path, found), probe_bytes([found.folder.root])
    for one in events:
        if not one.exists():
            from denominator.errors import InputError

            raise InputError("no run and no file is called so", where=str(one), fix="denominator runs ls")
    return score_files(path, events), probe_bytes(events)


def _run_named(events: tuple[Path, ...], runs_dir: str | None) -> str | None:
    """The run that was named, when it is one."""
    if len(events) != 1:
        return None
    places = (runs_place(runs_dir) / events[0], events[0])
    return str(events[0]) if any((place / "seal.json").is_file() for place in places) else None


def _print_score(scored: Scored) -> None:
    from denominator.publish.limits import limit_lines
    from denominator.wire.codec import to_json

    document = {"rate": to_json(scored.rate), "card": to_json(scored.result.card), "exit": int(scored.result.exit)}
    document["limits"] = list(limit_lines("M11"))
    print_json({**document, "report": to_json(scored.report)} if scored.report else document)


def _page(scored: Scored) -> Page:
    from denominator.cli.pages import terminal_page
    from denominator.publish.limits import limit_lines
    from denominator.publish.terminal.contract import contract_rate

    page = terminal_page()
    contract_rate(page, scored.rate)
    page.bullets("LIMITS", limit_lines("M11"))
    return page


@contract.command("fork", short_help="Drop tasks: a new study that says where it comes from.")
@click.argument("path", type=FILE)
@click.option("--drop", multiple=True, metavar="ID", help="A task that the new study does not have.")
@click.option("--why", default="", help="Why it is dropped; it stays in the new contract.")
@click.option("-o", "--out", type=NEW, required=True, help="The new contract.")
@json_option
def fork(path: Path, drop: tuple[str, ...], why: str, out: Path, as_json: bool) -> None:
    """Write a new, unlocked contract without the dropped tasks of the locked contract PATH.

    \b
    Example: denominator contract fork C.json --drop f2 --why "moved" -o D.json
    """
    from denominator.pipeline.contracts import fork_contract

    made = fork_contract(path, drop, why, out)
    told = f"{out}: a new study without {', '.join(sorted(set(drop)))}, from {str(made['forked_from'])[:12]}"
    left = len(made["task_ids"]) if isinstance(made["task_ids"], list) else 0
    _said(
        {"contract": str(out), "forked_from": str(made["forked_from"]), "tasks": left},
        f"{told}; {counted(left, 'task is', 'tasks are')} left\nnext: denominator contract lock {out}",
        as_json,
    )


@contract.command("show", short_help="Print a contract and whether it can be scored.")
@click.argument("path", type=FILE)
@json_option
def show(path: Path, as_json: bool) -> None:
    """Print what PATH says, its state (unlocked, unpinned, changed, locked) and what forbids locking it.

    \b
    Example: denominator contract show scoring_contract.json
    """
    from denominator.pipeline.contracts import shown

    document, lines = shown(path)
    _said(document, "\n".join(lines), as_json)


def _said(document: object, text: str, as_json: bool) -> None:
    print_json(document) if as_json else print_text(text)  # type: ignore[arg-type]
