"""The parts of a page: text, lists, tables, bars. Whatever comes from outside is text here, never markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.publish.drawings.frame import quoted, shown
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is markup already: only these modules make it."""

    html: str


Cell = str | int | NotMeasured | Markup


def text(words: Cell) -> str:
    """Any cell as markup; an unknown says why."""
    if isinstance(words, Markup):
        return words.html
    if isinstance(words, NotMeasured):
        return f'<span class="soft">{shown(str(words))}</span>'
    return shown(str(words))


def heading(level: int, words: str, anchor: str = "") -> str:
    """A heading; `anchor` is its id."""
    named = f' id="{quoted(anchor)}"' if anchor else ""
    return f"<h{level}{named}>{shown(words)}</h{level}>"


def paragraph(words: Cell, kind: str = "") -> str:
    """One paragraph."""
    named = f' class="{quoted(kind)}"' if kind else ""
    return f"<p{named}>{text(words)}</p>"


def said(sentences: Iterable[str], word: str = "", kind: str = "") -> str:
    """What the page is about, first; `word` is the verdict above it, `kind` clear or stopped."""
    first = f'<p><span class="word">{text(word)}</span></p>' if word else ""
    rest = "".join(paragraph(one) for one in sentences)
    return f'<div class="{" ".join(("said", kind)).strip()}" id="said">{first}{rest}</div>'


def bullets(items: Iterable[Cell]) -> str:
    """A list."""
    return "<ul>" + "".join(f"<li>{text(one)}</li>" for one in items) + "</ul>"


def code(words: str) -> Markup:
    """A digest, a name, a piece of output."""
    return Markup(f"<code>{shown(words)}</code>")


def changed(words: str) -> Markup:
    """Lines of a diff: what came and what went are elements of their own, so that colour is not the only sign."""
    return _pre(map(_changed, words.split("\n")))


def _changed(line: str) -> str:
    if line.startswith("+") and not line.startswith("+++"):
        return f"<ins>{printed(line)}</ins>"
    if line.startswith("-") and not line.startswith("---"):
        return f"<del>{printed(line)}</del>"
    return printed(line)


def output(words: str) -> Markup:
    """What a program printed, line by line."""
    return _pre(map(printed, words.split("\n")))


def _pre(lines: Iterable[str]) -> Markup:
    joined = "\n".join(lines)
    return Markup(f'<pre tabindex="0">\n{joined}</pre>')


def printed(line: str) -> str:
    """One line of foreign output as markup; a tab stays one."""
    return "\t".join(map(shown, line.split("\t")))


def folded(summary: Cell, inner: Iterable[str], kind: str = "") -> str:
    """Something that opens without a script, by keyboard too, and lies open on paper."""
    named = f' class="{quoted(kind)}"' if kind else ""
    return f"<details{named}><summary>{text(summary)}</summary>{''.join(inner)}</details>"


def drawing(svg: str, caption: str) -> str:
    """A drawing as it is: it has a title and a description of its own, and scrolls by itself where it is too wide."""
    told = f"<figcaption>{shown(caption)}</figcaption>"
    return f'<figure>{told}<div class="wide" tabindex="0" role="region" aria-label="{quoted(caption)}">{svg}</div></figure>'


def contents(links: Iterable[tuple[str, str]]) -> str:
    """Where the parts of a page are: (anchor, words)."""
    items = "".join(f'<li><a href="#{quoted(anchor)}">{shown(words)}</a></li>' for anchor, words in links)
    return f'<nav aria-label="Parts of this page"><ul>{items}</ul></nav>'


def bar(k: int, n: int, kind: str, told: str) -> Markup:
    """A share as a bar with its words: colour is never the only sign. `kind` is pass, fail or odd."""
    width = 0 if n <= 0 else (200 * k + n) // (2 * n)
    label = f'role="img" aria-label="{quoted(told)}"'
    return Markup(f'{shown(told)}<span class="bar {kind}" {label}><i style="width:{width}%"></i></span>')


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]], numbers: Iterable[int] = ()) -> str:
    """A table that scrolls by itself where it is too wide; `numbers` are columns that are set right."""
    right = frozenset(numbers)
    names = "".join(f'<th scope="col"{_kind(at, right)}>{shown(head)}</th>' for at, head in enumerate(heads))
    body = "".join(f"<tr>{_row(row, right)}</tr>" for row in rows)
    inner = f"<caption>{shown(caption)}</caption><thead><tr>{names}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{quoted(caption)}"><table>{inner}</table></div>'


def _row(row: Sequence[Cell], right: frozenset[int]) -> str:
    return "".join(
        f'<th scope="row"{_kind(at, right)}>{text(cell)}</th>'
        if at == 0
        else f"<td{_kind(at, right)}>{text(cell)}</td>"
        for at, cell in enumerate(row)
    )


def _kind(at: int, right: frozenset[int]) -> str:
    return ' class="number"' if at in right else ""
