"""`pack audit`: every check that a tool can decide alone, and how many passed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.records.pack_audits import AuditItem, PackAudit

SHOWN = 8
WORDS = {
    "passed": "passed",
    "failed": "FAILED",
    "unknown": "UNKNOWN",
    "not_run": "not run",
    "not_applicable": "not applicable",
    "declared": "declared",
    "missing": "not declared",
}


@click.command("audit", short_help="Let attacks, mutants and searches try a pack; count the checks that hold.")
@click.argument("pack_name", metavar="PACK", default="holdout16")
@click.option("--quick", is_flag=True, help="Without attacks and mutants; nothing is written.")
@click.option(
    "--repeats",
    type=click.IntRange(2, 10_000),
    default=5,
    show_default=True,
    help="Gradings of each base and gold tree, agent off.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=2, show_default=True, help="Gradings at a time.")
@click.option("--image", "images", multiple=True, metavar="NAME", help="Search this image's layers too; repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the result here, not into the pack's folder.")
@click.option("--no-write", is_flag=True, help="Write no pack.audit.json.")
@json_option
@click.pass_context
def audit(
    ctx: click.Context,
    pack_name: str,
    quick: bool,
    repeats: int,
    concurrency: int,
    images: tuple[str, ...],
    out: Path | None,
    no_write: bool,
    as_json: bool,
) -> None:
    """Run every check of a pack that a tool can decide alone: gold, attacks, leaks, left-overs, flakes, mutants.

    Exit 1 when one fails or could not be decided. What people must declare is listed beside them. The result is written to
    pack.audit.json beside the lock, and cards of the pack show it.

    \b
    Example: denominator pack audit mypack --repeats 20
    """
    from denominator.cli.progress import LineReporter
    from denominator.wire.codec import to_json
    from denominator.wiring.pack_auditing import audit_here

    reporter = LineReporter(quiet=as_json)
    made, place = audit_here(
        pack_name, repeats, concurrency, reporter, quick=quick, out=out, keep=not no_write, images=images
    )
    if as_json:
        print_json(to_json(made))
    else:
        print_text("\n".join(render_audit(made)))
        if place is not None:
            print_text(f"written {place}")
    leave(ctx, Exit.DONE if made.holds else Exit.BLOCKED)


def render_audit(audit: PackAudit) -> Iterator[str]:
    """One line a check with what was done and what came of it; what failed below it."""
    yield f"{audit.pack_id} {audit.pack_version}  digest {audit.pack_digest[:12]}  audited {audit.taken_at[:10]}"
    yield f"attacks {audit.corpus_sha[:12]}  grader {audit.grader_sha[:12]}  by {audit.made_by}"
    yield ""
    width = max(len(item.name) for item in audit.items)
    for states in (("passed", "failed", "unknown", "not_run"), ("declared", "missing"), ("not_applicable",)):
        for item in audit.items:
            if item.state in states:
                yield from _item(item, width)
        yield ""
    yield from (f"note: {note}" for note in audit.notes)
    yield audit.sentence


def _item(item: AuditItem, width: int) -> Iterator[str]:
    yield f"{WORDS[item.state]:<14} {item.name:<{width}}  {item.result or item.done} ({', '.join(item.checklist)})"
    yield from (f"{'':<17}{problem}" for problem in item.problems[:SHOWN])
    if len(item.problems) > SHOWN:
        yield f"{'':<17}and {len(item.problems) - SHOWN} more (--json lists them)"
