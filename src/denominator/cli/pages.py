"""Wrapped text of verbs for a terminal of any width."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denominator.publish.terminal.page import Page

WIDEST = 100
_START = re.compile(r"[A-Z][A-Za-z ]{2,20}: ")


def terminal_page() -> Page:
    """An empty page as wide as the terminal allows."""
    from denominator.cli.output import use_color
    from denominator.publish.terminal.page import Page

    return Page(min(shutil.get_terminal_size((80, 24)).columns, WIDEST), use_color())


def add_prose(page: Page, text: str) -> None:
    """Paragraphs as sources wrap them, wrapped anew; a line such as `Fix: ...` starts one of its own."""
    for block in text.strip().split("\n\n"):
        if page.lines:
            page.lines.append("")
        said: list[str] = []
        for line in block.splitlines():
            if said and not _START.match(line) and not line.startswith((" ", "-", "|")):
                said[-1] += " " + line
            else:
                said.append(line)
        for line in said:
            page.item(line, len(line) - len(line.lstrip()), 0)
