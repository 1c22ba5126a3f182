"""`faultbench list`: everything that a fault plan may name, and what each control would show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, print_json, print_page

if TYPE_CHECKING:
    from denominator.records.events import Json


@click.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List what a fault plan may name: checkpoints, kinds of faults, failpoints; and the four controls.

    \b
    Example: denominator faultbench list
    """
    from denominator.cli.pages import terminal_page

    found = _everything()
    if as_json:
        print_json(found)
        return
    page = terminal_page()
    for title, key in (
        ("CHECKPOINTS, for CHECKPOINT:KIND[:value][@nth]", "checkpoints"),
        ("KINDS", "kinds"),
        ("FAILPOINTS of our own runner, for failpoint=action[:argument][@nth]", "failpoints"),
        ("CONTROLS, and what it means when one fails", "controls"),
    ):
        page.title(title)
        lines = found[key]
        assert isinstance(lines, list)
        for line in lines:
            assert isinstance(line, dict)
            name, *rest = (str(value) for value in line.values() if value != "")
            page.item(f"{name:<{WIDE}} {'; '.join(rest)}", hang=WIDE + 1)
    print_page(page)


WIDE = 22


def _everything() -> dict[str, Json]:
    from denominator.catalog.failpoints import FAILPOINTS
    from denominator.faultbench.faults import KINDS
    from denominator.gate.durability import MEANING
    from denominator.records.faults import CHECKPOINTS, QUIET

    return {
        "checkpoints": [{"name": str(point)} for point in CHECKPOINTS],
        "kinds": [
            {"name": str(kind.kind), "made": kind.made, "apart": "interrupts nothing" if kind.kind in QUIET else ""}
            for kind in KINDS
        ],
        "failpoints": [{"name": one.name, "leaves": one.leaves, "caught": one.caught} for one in FAILPOINTS],
        "controls": [{"name": str(name), "fails": meaning} for name, meaning in MEANING.items()],
    }
