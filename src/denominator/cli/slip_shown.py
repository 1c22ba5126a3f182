"""How the verbs of `slip` find their store and print a slip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from denominator.cli.output import print_json, print_page
from denominator.cli.places import runs_place

if TYPE_CHECKING:
    from denominator.records.events import Json
    from denominator.records.slips import SlipStanding


def store_of(runs_dir: str | None) -> Path:
    """The folder of slips beside the folder of runs."""
    from denominator.pipeline.slip_store import slips_beside

    return slips_beside(runs_place(runs_dir))


def shown_number(one: SlipStanding) -> str:
    """The number in words; "" where nobody may see one."""
    from denominator.records.slips import Tier
    from denominator.slips.words import number_words

    return "" if one.tier.tier == Tier.NONE else number_words(one.slip)


def standing_json(one: SlipStanding) -> dict[str, Json]:
    """A slip as one document, with the line to copy."""
    from denominator.slips.words import copy_line
    from denominator.wire.codec import to_json

    made = to_json(one)
    assert isinstance(made, dict)
    return {**made, "copy": copy_line(one.id, one.slip, one.tier.tier)}


def print_slip(one: SlipStanding, *, as_json: bool, whole: bool = False) -> None:
    """One slip: its standing, and with `whole` every field."""
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.slips import pinned_page, slip_page
    from denominator.slips.markdown import line_words, pinned
    from denominator.slips.roles import several_hats
    from denominator.slips.words import copy_line

    if as_json:
        return print_json(standing_json(one))
    page = terminal_page()
    paste = copy_line(one.id, one.slip, one.tier.tier)
    slip_page(page, one, shown_number(one), paste, [line_words(line) for line in one.lines], several_hats(one))
    if whole:
        pinned_page(page, pinned(one), one.slip.harness.left_out, one.slip.gaps, one.slip.notes)
    elif one.slip.gaps:
        page.bullets("NOT KNOWN", one.slip.gaps)
    return print_page(page)
