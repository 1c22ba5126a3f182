"""Printing: data on stdout, words for people on stderr when stdout is data."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from denominator.records.cards import Card
    from denominator.records.events import Json

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")


brief_option = click.option("--brief", is_flag=True, help="Only verdict, counts, what blocks, and the sentence.")


def print_card(card: Card, brief: bool = False) -> None:
    """A card as text, as wide as the terminal allows."""
    from denominator.publish.terminal import render_brief, render_card

    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    print_text((render_brief if brief else render_card)(card, width, color=use_color()))


def print_json(value: Json) -> None:
    """One JSON document, indented for people who look anyway."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True))


def print_text(text: str) -> None:
    """Text that survives consoles that cannot show every character."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding))


def note(text: str) -> None:
    """A line for people, on stderr."""
    click.echo(text, err=True)


def clean(text: str) -> str:
    """Text of agents without terminal control: escape codes and control characters are shown, not obeyed."""
    return "".join(
        c if c in "\n\t" or (ord(c) >= 32 and not 0x7F <= ord(c) < 0xA0) else f"\\x{ord(c):02x}" for c in text
    )


def use_color() -> bool:
    """Colour only on a terminal that wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def interactive() -> bool:
    """Is there a person at a terminal (and no CI)?"""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def leave(ctx: click.Context, code: int) -> None:
    """End a verb with an exit code of the table."""
    ctx.exit(int(code))
