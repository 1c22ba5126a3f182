"""`pack`: make, check, freeze and show packs of tasks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    note,
    print_findings,
    print_json,
    print_text,
)
from denominator.cli.pack_audit import audit
from denominator.errors import Exit, InputError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from denominator.publish.findings import About
    from denominator.records.events import Json
    from denominator.records.findings import Finding

pack_argument = click.argument("pack_name", metavar="PACK", default="holdout16")


@click.group()
def pack() -> None:
    """Make, check, freeze and show packs of tasks. PACK is a folder or a built-in name."""


@pack.command("init")
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def init_pack(folder: Path, as_json: bool) -> None:
    """Write a commented pack with one task skeleton into FOLDER.

    \b
    Example: denominator pack init mypack
    """
    from denominator.packs import init_pack as write

    written = write(folder)
    if as_json:
        print_json({"folder": str(folder), "written": list(map(str, written))})
        return
    print_text("\n".join(f"written {name}" for name in written))
    print_text(f"next: fill in what `denominator pack lint {folder}` names")


@pack.command("lint")
@pack_argument
@format_option
@json_option
@click.pass_context
def lint(ctx: click.Context, pack_name: str, format_: str, as_json: bool) -> None:
    """Check that PACK is fit to measure with. Exit 1 when something blocks.

    PACK may also be a file of task cards of another harness (.jsonl or .json), or a listing of its image.

    \b
    Example: denominator pack lint mypack
    """
    from denominator.packs import find_pack, load_pack
    from denominator.packs.lint import blocking, card_files, lint_pack
    from denominator.wire.codec import to_json

    form = format_chosen(format_, as_json)
    if cards := card_files(Path(pack_name).expanduser()):
        _lint_cards(ctx, pack_name, cards, form)
        return
    findings = lint_pack(load_pack(find_pack(pack_name)), _now())
    blocked = blocking(findings)
    if form == "json":
        print_json([to_json(finding) for finding in findings])
    elif form != "text":
        about = replace(_about(pack_name, len(blocked), bool(blocked)), unknown_stops=False)
        print_findings([_placed(finding, pack_name) for finding in findings], form, about)
    else:
        _print_findings(findings)
        print_text(f"pack rejected at freeze time: {len(blocked)} findings block" if blocked else "0 findings block")
    leave(ctx, Exit.BLOCKED if blocked else Exit.DONE)


def _placed(finding: Finding, pack_name: str) -> Finding:
    """With its file as seen from here, so that a service finds it in the repository; of a built-in pack as it is."""
    inside = bool(finding.where) and os.path.isdir(pack_name) and not os.path.isabs(finding.where)  # noqa: PTH112, PTH117
    return replace(finding, where=os.path.join(pack_name, finding.where)) if inside else finding  # noqa: PTH118


def _about(pack_name: str, number: int, blocked: bool) -> About:
    """What the findings of a lint are about, for the formats of other tools."""
    from denominator import __version__
    from denominator.packs.lint import LINT_ENTRIES
    from denominator.publish.findings import About

    return About(
        verb="pack lint",
        subject=pack_name,
        status="rejected" if blocked else "clean",
        said=f"pack rejected at freeze time: {number} findings block" if blocked else "0 findings block",
        version=__version__,
        exit=int(Exit.BLOCKED if blocked else Exit.DONE),
        entries=tuple(LINT_ENTRIES),
    )


def _lint_cards(ctx: click.Context, name: str, files: tuple[Path, ...], form: str) -> None:
    from denominator.packs.lint import lint_cards
    from denominator.wire.codec import to_json

    report = lint_cards(files)
    stopped = bool(report.rejected or report.unknown)
    if form == "json":
        print_json(to_json(report))
    elif form != "text":
        number = sum(finding.severity in ("block", "unknown") for finding in report.findings)
        print_findings(report.findings, form, _about(name, number, stopped))
    else:
        _print_findings(report.findings)
        counts = f"{len(report.rejected)} of {len(report.rejected + report.unknown + report.clean)}"
        print_text(f"pack rejected at freeze time: {counts} cards" if report.rejected else "no card is rejected")
        parts = (("rejected", report.rejected), ("not evaluated", report.unknown), ("clean", report.clean))
        for name, ids in (*parts, ("keys not read", report.not_read)):
            if ids:
                print_text(f"{name}: {', '.join(ids)}")
        print_text(f"not asked of cards: {', '.join(report.not_evaluated)}")
    leave(ctx, Exit.BLOCKED if stopped else Exit.DONE)


def _print_findings(findings: Iterable[Finding]) -> None:
    for f in findings:
        if f.severity != "held":
            fix = f"\n      next: {f.fix}" if f.fix else ""
            about = "" if f"/{f.subject}/" in f.where else f"{f.subject}: "
            print_text(f"{f.where or f.subject}: {f.severity} {f.code} {f.allow_name}: {about}{f.what}{fix}")


def _now() -> str:
    from denominator.adapters.clock import SystemClock

    return SystemClock().wall()


@pack.command("import", short_help="Make a pack of tasks of another harness; what is lost is listed.")
@click.argument("form", metavar="FORMAT", type=click.Choice(("auto", "harbor", "swebench", "aider")))
@click.argument("path", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The new pack's folder.")
@click.option("--repos", type=click.Path(path_type=Path), help="Trees of base commits, for SWE-bench rows.")
@json_option
@click.pass_context
def import_pack(ctx: click.Context, form: str, path: Path, out: Path, repos: Path | None, as_json: bool) -> None:
    """Make a pack of the tasks in PATH: Harbor or Terminal-Bench folders, SWE-bench rows, aider exercises (or `auto`).

    Nothing is fetched and nothing is run. IMPORTED.md in the new folder lists what could not come in; what only you know
    (licence, reason) is left as a placeholder that `pack lint` names. Exit 1 when a task was left out.

    \b
    Example: denominator pack import harbor tasks/ -o mypack
    """
    from denominator.packs.foreign import LOSSES, read_tasks, write_draft
    from denominator.records.values import counted
    from denominator.wire.sources import open_source

    draft = read_tasks(open_source(path), form, open_source(repos) if repos else None)
    written = write_draft(draft, out)
    ids = [task.id for task in draft.tasks]
    if as_json:
        lost: dict[str, Json] = {task.id: [*task.lost] for task in draft.tasks}
        refused: list[Json] = [{"task": task, "why": why} for task, why in draft.refused]
        print_json(
            {
                "folder": str(out),
                "tasks": [*ids],
                "lost_of_all": list(draft.lost),
                "lost": lost,
                "refused": refused,
                "files": len(written),
            }
        )
    else:
        print_text(f"{len(ids)} tasks in {out}: {', '.join(ids[:8])}{', ...' if len(ids) > 8 else ''}")
        for task, why in draft.refused:
            print_text(f"not imported: {task}: {why}")
        number = len(draft.lost) + sum(len(task.lost) for task in draft.tasks)
        print_text(f"{counted(number, 'thing was', 'things were')} left behind: {out / LOSSES}")
        print_text(f"next: denominator pack lint {out}")
    leave(ctx, Exit.BLOCKED if draft.refused else Exit.DONE)


@pack.command("export", short_help="Write a pack as task folders of Harbor; what is lost is listed.")
@click.argument("form", metavar="FORMAT", type=click.Choice(("harbor",)))
@pack_argument
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The new folder.")
@click.option("--image", default="python:3.12-slim", show_default=True, help="What each Dockerfile starts from.")
@json_option
def export_pack(form: str, pack_name: str, out: Path, image: str, as_json: bool) -> None:
    """Write PACK as task folders of another harness: `harbor`.

    \b
    Example: denominator pack export harbor holdout16 -o tasks
    """
    from importlib.resources import files

    from denominator.packs import find_pack, load_pack
    from denominator.packs.foreign import LOST, by_loss, harbor_tasks, refuse_used, write_files
    from denominator.records.values import counted

    refuse_used(out)
    found = load_pack(find_pack(pack_name))
    door = files("denominator") / "adapters" / "graders" / "kit" / "sut"
    made = harbor_tasks(found, image, dict(_below(door, "sut")))
    written = write_files(out, made.files, made.executable)
    if as_json:
        print_json(
            {
                "folder": str(out),
                "format": form,
                "files": len(written),
                "lost_of_all": list(LOST),
                "lost": {task: [*lost] for task, lost in made.lost.items()},
            }
        )
        return
    print_text(f"{len(made.lost)} tasks in {out}, {len(written)} files")
    for one in LOST:
        print_text(f"lost of the pack: {one}")
    for one, tasks in by_loss(made.lost).items():
        named = ", ".join(tasks[:8]) + (f" and {len(tasks) - 8} more (--json lists them)" if len(tasks) > 8 else "")
        of = "every task" if len(tasks) == len(made.lost) else f"{counted(len(tasks), 'task')} ({named})"
        print_text(f"lost of {of}: {one}")


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The Python files of a folder of the package, by path."""
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _below(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{name}/{entry.name}", entry.read_bytes()


@pack.command("lock", short_help="Freeze a pack: lint, digests, tests with the agent off.")
@pack_argument
@click.option(
    "--repeats",
    type=click.IntRange(3),
    default=3,
    show_default=True,
    help="Gradings of each base and gold tree (at least 3).",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=2, show_default=True, help="Gradings at a time.")
@json_option
def lock(pack_name: str, repeats: int, concurrency: int, as_json: bool) -> None:
    """Freeze PACK into pack.lock: lint, digests, and the hidden tests with the agent off on base and gold.

    \b
    Example: denominator pack lock mypack
    """
    from denominator.cli.progress import LineReporter
    from denominator.wire.codec import to_json
    from denominator.wiring.locking import lock_here

    locked = lock_here(pack_name, repeats, concurrency, LineReporter(quiet=as_json))
    if as_json:
        print_json(to_json(locked.lock))
        return
    for finding in locked.findings:
        if finding.severity == "note":
            note(f"note {finding.code} {finding.allow_name}: {finding.what}")
    print_text(f"{locked.lock.pack_id} {locked.lock.pack_version}: {len(locked.lock.tasks)} tasks locked")
    print_text(f"pack digest {locked.lock.digest}")


@pack.command("verify")
@pack_argument
@click.option(
    "--repeats",
    type=click.IntRange(1, 10_000),
    default=None,
    help="Run hidden tests this many times on base and gold, agent off.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=2, show_default=True, help="Gradings at a time.")
@json_option
@click.pass_context
def verify(ctx: click.Context, pack_name: str, repeats: int | None, concurrency: int, as_json: bool) -> None:
    """Hold PACK against its lock; with --repeats find flaky tests. Exit 1 when files differ or a task is not stable.

    Use the concurrency of the runs: a clash of ports shows at theirs only.

    \b
    Example: denominator pack verify holdout16 --repeats 10
    """
    from denominator.cli.pack_check import render_check
    from denominator.cli.progress import LineReporter
    from denominator.wire.codec import to_json
    from denominator.wiring.locking import verify_here

    if repeats is None and ctx.get_parameter_source("concurrency") is click.core.ParameterSource.COMMANDLINE:
        raise InputError("nothing is graded without --repeats", where="--concurrency", fix="add --repeats N")
    check = verify_here(pack_name, repeats or 0, concurrency, LineReporter(quiet=as_json))
    if as_json:
        print_json(to_json(check))
    else:
        print_text(render_check(check))
    leave(ctx, Exit.DONE if check.holds else Exit.BLOCKED)


@pack.command("show", short_help="Show the tasks of a pack, and whether it is as locked.")
@pack_argument
@json_option
def show(pack_name: str, as_json: bool) -> None:
    """Show the tasks of PACK, and whether its files are those that were locked.

    \b
    Example: denominator pack show holdout16
    """
    from denominator.packs import find_pack, load_pack, verify_lock
    from denominator.wire.codec import to_json

    found = load_pack(find_pack(pack_name))
    if as_json:
        print_json({"pack": to_json(found.pack), "locked": found.lock is not None})
        return
    state = "not locked" if found.lock is None else _state(verify_lock(found))
    until = f"holds until {found.pack.expires}\n" if found.pack.expires else ""
    print_text(f"{found.pack.id} {found.pack.version}: {found.pack.title}\n{found.root}\n{state}\n{until}")
    for task in found.pack.tasks:
        kind = task.control or task.slice
        tests = f"{len(task.verify.expected_tests)}+{len(task.verify.counter_tests)} tests"
        print_text(f"{task.id:<24} {kind:<22} {task.verify.level}  {tests:<11} {task.title}")


def _state(check: object) -> str:
    problems = getattr(check, "problems", ())
    return (
        "locked, files as locked"
        if not problems
        else "CHANGED since it was locked:\n" + "\n".join(f"  {p}" for p in problems)
    )


@pack.command("hash", short_help="Print the digest of a pack's files.")
@pack_argument
@json_option
def hash_pack(pack_name: str, as_json: bool) -> None:
    """Print the pack digest of PACK's files (docs/formats/pack.md shows the coreutils line that gives the same).

    \b
    Example: denominator pack hash mypack
    """
    from denominator.packs import find_pack, pack_digest

    root = find_pack(pack_name)
    digest = pack_digest(root)
    if as_json:
        print_json({"pack": str(root), "digest": digest})
    else:
        print_text(f"{digest}  {root}")


pack.add_command(audit)
