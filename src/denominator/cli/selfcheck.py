"""`selfcheck`: do the gates of this installation bite?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.records.selfchecks import SelfCheck, SelfCheckLine

WORDS = {
    "caught": "caught",
    "missed": "NOT CAUGHT",
    "accused": "TWIN ACCUSED",
    "unknown": "UNKNOWN",
    "not_shown": "not shown",
}


@click.command()
@click.option("--quick", is_flag=True, help="Only what takes no sandbox: rules, broken inputs, bundles of imports.")
@click.option("--all", "everything", is_flag=True, help="Show every line, not only those that were not caught.")
@json_option
@click.pass_context
def selfcheck(ctx: click.Context, quick: bool, everything: bool, as_json: bool) -> None:
    """Try on this installation every attack, tampering, broken input and bad ledger that it ships with.

    Each stands beside an honest twin. Exit 1 when one is not caught by its rule, or a twin is accused, or it could not
    be tried. What has nothing to show it is listed, with the reason.

    \b
    Example: denominator selfcheck
             denominator selfcheck --quick --all
    """
    from denominator.cli.progress import LineReporter
    from denominator.selfcheck import selfcheck as check
    from denominator.wire.codec import to_json

    made = check(LineReporter(quiet=as_json), quick=quick)
    if as_json:
        print_json(to_json(made))
    else:
        print_text("\n".join(render(made, everything)))
    leave(ctx, Exit.DONE if made.holds else Exit.BLOCKED)


def render(made: SelfCheck, everything: bool) -> Iterator[str]:
    """n of m of each kind; below it the lines that are no catch, or all."""
    yield f"denominator {made.version}  rules {made.rules_digest[:12]}  attacks {made.corpus_sha[:12]}"
    for kind, counts in made.kinds.items():
        tried = sum(counts.values()) - counts["not_shown"]
        left = f", {counts['not_shown']} not shown" if counts["not_shown"] else ""
        yield f"\n{kind}: {counts['caught']} of {tried} caught{left}"
        mine = [one for one in made.lines if one.kind == kind]
        yield from (_line(one) for one in mine if everything or one.found not in ("caught", "not_shown"))
        yield from () if everything else _not_shown(mine)
    yield ""
    yield "every gate that was tried bites" if made.holds else "A GATE DOES NOT BITE: see the lines in capitals"


def _line(one: SelfCheckLine) -> str:
    twin = f" | twin: {one.twin}" if one.twin else ""
    rule = f" | by {one.rule}" if one.rule else ""
    return f"  {WORDS[one.found]:<12} {one.name}{rule}{twin} | {one.seen}"


def _not_shown(lines: list[SelfCheckLine]) -> Iterator[str]:
    """The names under each reason."""
    reasons: dict[str, list[str]] = {}
    for one in lines:
        if one.found == "not_shown":
            reasons.setdefault(one.seen, []).append(one.name)
    yield from (f"  not shown ({why}): {', '.join(names)}" for why, names in reasons.items())
