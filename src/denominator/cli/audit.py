"""`audit`: what was published of a run of another harness, what its own rows say, and what that allows."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.importing import foreign_options
from denominator.cli.output import leave, print_json, print_page


@click.command()
@foreign_options
@click.option("--run", "parts", multiple=True, metavar="NAME", help="One run in full; several times: a table of these.")
@click.option("--all", "every", is_flag=True, help="Print every line of long lists (--json has them all, always).")
@click.pass_context
def audit(
    ctx: click.Context,
    path: Path,
    parts: tuple[str, ...],
    declare: Path | None,
    out: Path | None,
    brief: bool,
    every: bool,
    as_json: bool,
) -> None:
    """Import PATH, judge it, and set beside each other what its source prints and what its own rows say.

    Which denominators give a printed percentage, which counts disagree, how attempts ended, what the format cannot tell,
    what is wrong, the sentence that is allowed. Of several runs a table; --run NAME shows one. Long lists end in "and n more".

    Exit 0 publishable, 1 blocked, 2 unreadable or unknown; of several runs the worst of theirs.

    \b
    Example: denominator audit results/
             denominator audit results/ --run nightly-7 --declare known.toml
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.auditing import Asked, audit_path
    from denominator.publish.terminal.audit import add_audit
    from denominator.wire.codec import to_json
    from denominator.wiring.importers import all_importers

    found = audit_path(path, tuple(all_importers()), Asked(parts, declare, out))
    if as_json:
        print_json(to_json(found))
    else:
        page = terminal_page()
        add_audit(page, found, brief, every, str(out) if out else "")
        print_page(page)
    leave(ctx, found.exit)
