"""The frame of every drawing: title and description for people who do not see it, colours for light and dark, escaping."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from html import escape

from denominator.publish.terminal.page import visible

CHAR = 7
"""Width of a character of a label, in units of the drawing, rounded up."""
STYLE = (
    ".dn{font:12px ui-sans-serif,system-ui,sans-serif;"
    "--ink:#1b1f24;--soft:#6a737d;--line:#d0d7de;--back:#ffffff;--pass:#0b6e99;--fail:#b3500a;--odd:#7a5f00}"
    "@media screen and (prefers-color-scheme:dark){.dn{--ink:#e6edf3;--soft:#9aa4ae;--line:#3d444d;--back:#0d1117;"
    "--pass:#58b7e6;--fail:#f0a06a;--odd:#e0c45c}}"
    ".dn .back{fill:var(--back)}.dn text{fill:var(--ink)}.dn .soft{fill:var(--soft)}"
    ".dn .grid{stroke:var(--line);stroke-width:1}.dn .bar{stroke:var(--ink);stroke-width:2}"
    ".dn .dot{fill:var(--ink)}.dn .pass{fill:var(--pass)}.dn .fail{fill:none;stroke:var(--fail);stroke-width:2}"
    ".dn .odd{fill:none;stroke:var(--odd);stroke-width:2}.dn .up{stroke:var(--pass)}"
    ".dn .down{stroke:var(--fail);stroke-dasharray:6 4}.dn .flat{stroke:var(--soft);stroke-dasharray:2 6}"
)


def framed(title: str, desc: str, width: int, height: int, body: Iterable[str]) -> str:
    """A whole SVG document, ending with a newline. `body` is markup, `title` and `desc` are text."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dn" role="img" aria-label="{quoted(title)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    )
    parts = (
        head,
        f"<title>{shown(title)}</title>",
        f"<desc>{shown(desc)}</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="back" x="0" y="0" width="{width}" height="{height}"/>',
        *body,
        "</svg>",
    )
    return "\n".join(parts) + "\n"


def text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    """One line of text with its baseline at y."""
    named = f' class="{kind}"' if kind else ""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}"{named}{placed}>{shown(words)}</text>'


def line(x1: int, y1: int, x2: int, y2: int, kind: str, more: str = "") -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{more}/>'


def shown(words: str) -> str:
    """Text for markup: what cannot be printed is shown as its code, so that the document stays well-formed."""
    return escape(visible(words), quote=False)


def quoted(words: str) -> str:
    """The same for an attribute."""
    return escape(visible(words), quote=True)


def column(labels: Iterable[str]) -> int:
    """How wide a column of labels is; none is cut."""
    return max((len(visible(label)) for label in labels), default=0) * CHAR + 16


def place(value: Fraction, start: int, length: int) -> int:
    """A share of a length as a whole coordinate."""
    return start + int(min(Fraction(1), max(Fraction(0), value)) * length + Fraction(1, 2))
