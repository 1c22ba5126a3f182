"""Lines of a page of text, wrapped to its width; plain unless told."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

RED, GREEN, YELLOW, BOLD, OFF = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
NAME = 9
GLUE = "\0"  # visible() never leaves one, and textwrap does not break there


class Page:
    """A growing page. Control characters of foreign text are shown as their code, never sent."""

    def __init__(self, width: int, color: bool) -> None:
        self.width = max(width, 40)
        self.color = color
        self.lines: list[str] = []

    def title(self, text: str) -> None:
        """A heading with an empty line before it."""
        if self.lines:
            self.lines.append("")
        self.lines.append(self._paint(visible(text), BOLD))

    def item(self, text: str, indent: int = 2, hang: int = 2, paint: str = "") -> None:
        """A wrapped line, indented; what runs over hangs further in."""
        self._add(visible(text), indent, hang, paint)

    def named(self, name: str, text: str, paint: str = "") -> None:
        """`name  text` with the text in a column of its own."""
        self.item(f"{name:<{NAME}} {text}", hang=NAME + 1, paint=paint)

    def packed(self, name: str, items: Iterable[str]) -> None:
        """`name  a, b, c` where a line breaks between items only."""
        glued = ", ".join(visible(item).replace(" ", GLUE) for item in items)
        self._add(f"{name:<{NAME}} {glued}", 2, NAME + 1, "")

    def _add(self, text: str, indent: int, hang: int, paint: str) -> None:
        """Whole words only: a broken id cannot be searched for."""
        start = " " * indent
        lines = wrap(
            text,
            self.width,
            initial_indent=start,
            subsequent_indent=start + " " * hang,
            break_long_words=False,
            break_on_hyphens=False,
        )
        self.lines.extend(self._paint(line.replace(GLUE, " "), paint) for line in lines)

    def bullets(self, title: str, lines: Iterable[str]) -> None:
        """A heading with a list below it; nothing without lines."""
        found = tuple(lines)
        if found:
            self.title(title)
            for line in found:
                self.item(f"- {line}")

    def _paint(self, text: str, code: str) -> str:
        return f"{code}{text}{OFF}" if self.color and code else text

    def text(self) -> str:
        """The page, ending with a newline."""
        return "\n".join(self.lines) + "\n"


def visible(text: str) -> str:
    """Text without control characters: what cannot be printed is shown as its code."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
