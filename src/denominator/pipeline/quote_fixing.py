"""`quote fix` and `quote list`: definitions with tooltips for the tags of Markdown files, and where a slip is quoted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.quote_checking import FILE_BYTES, opened
from denominator.quote.citing import read
from denominator.quote.shape import number_of, rate_allowed
from denominator.quote.store import Slips
from denominator.quote.tags import Tag
from denominator.quote.values import fraction_of, percent_text, told
from denominator.readers.documents import form_of, read_document
from denominator.records.documents import Document, SpanKind
from denominator.records.slips import SlipStanding, Tier
from denominator.wire.bounded import read_bytes
from denominator.wire.durable import write_file


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file with its new text; `added` and `renewed` are labels of definitions."""

    path: Path
    data: bytes
    added: tuple[str, ...]
    renewed: tuple[str, ...]


def fix_file(path: Path, slips: Slips, folder: Path) -> Fixed | None:
    """Definitions for the bracketed tags of a Markdown file; no other byte of it moves. None: nothing is to be done."""
    if form_of(path.name) != "markdown":
        return None
    data = read_bytes(path, FILE_BYTES)
    document = read_document(data, str(path))
    text = data.decode("utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8")
    end = "\r\n" if "\r\n" in text else "\n"
    wanted = {tag.text: line for tag, line in _definitions(document, slips, path, folder) if f"[{tag.text}]" in text}
    given = {one.label: one.line for one in document.definitions}
    renewed = []
    lines = text.split("\n")
    for label, line in wanted.items():
        if label in given:
            old = lines[given[label] - 1]
            new = _renewed(old.rstrip("\r"), line)
            if new != old.rstrip("\r"):
                lines[given[label] - 1] = new + ("\r" if old.endswith("\r") else "")
                renewed.append(label)
    added = [label for label in wanted if label not in given]
    if not added and not renewed:
        return None
    made = "\n".join(lines)
    if added:
        gap = "" if not made or made.endswith("\n") else end
        made += gap + ("" if document.definitions and not gap else end) + end.join(wanted[one] for one in added) + end
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return Fixed(path, mark + made.encode(), tuple(added), tuple(renewed))


def write_fixed(one: Fixed) -> None:
    """Put the new text in the file's place, its mode kept. Raises OSError."""
    mode = one.path.stat().st_mode & 0o7777
    write_file(one.path, one.data)
    one.path.chmod(mode)


def _definitions(document: Document, slips: Slips, path: Path, folder: Path) -> Iterator[tuple[Tag, str]]:
    for scope in read(document, slips).scopes:
        for one in scope.slips if scope.span.kind != SpanKind.HIDDEN else ():
            if isinstance(one.found, SlipStanding) and tooltip(one.found, one.tag.metric):
                target = os.path.relpath(folder / f"{one.found.id}.json", path.parent).replace(os.sep, "/")
                target = target.replace(" ", "%20")
                yield one.tag, f'[{one.tag.text}]: {target} "{tooltip(one.found, one.tag.metric)}"'


def tooltip(slip: SlipStanding, metric: str) -> str:
    """`10/14 = 71.4%, CI 45.4 to 88.3; model ...`: number, interval, footnote; "" where nobody may see a number."""
    number = number_of(slip, metric)
    if number is None or slip.tier.tier == Tier.NONE:
        return ""
    parts = [told(number, rate_allowed(slip))]
    lo, hi = fraction_of(number.lo), fraction_of(number.hi)
    if rate_allowed(slip) and lo is not None and hi is not None and Fraction(0) <= lo <= hi <= 1:
        parts[0] += f", CI {percent_text(lo)[:-1]} to {percent_text(hi)[:-1]}"
    parts += [slip.tier.footnote] if slip.tier.footnote else []
    return re.sub(r"[\"\\\n]", "'", "; ".join(parts))


def _renewed(old: str, new: str) -> str:
    """The old definition with its own target and the new tooltip."""
    found = re.match(r"(\s{0,3}\[[^\]]+\]:\s*\S+)", old)
    title = re.search(r'"[^"]*"$', new)
    return f"{found[1]} {title[0]}" if found and title else new


@dataclass(frozen=True, slots=True)
class Place:
    """Where a slip is quoted."""

    where: str
    text: str


def places_of(prefix: str, paths: Sequence[Path], slips: Slips) -> tuple[Place, ...]:
    """Every tag of a slip in some files; a slip that is not there any more is looked for by its digits."""
    found = slips.find(prefix)
    whole = found.id if isinstance(found, SlipStanding) else prefix
    return tuple(place for path in paths for place in _places(path, whole, slips))


def _places(path: Path, wanted: str, slips: Slips) -> Iterable[Place]:
    for scope in read(opened(path), slips).scopes:
        for one in scope.own:
            ids = [tag for tag in (one.tag.id, one.tag.other) if tag]
            if any(wanted.startswith(tag) or tag.startswith(wanted) for tag in ids):
                line, column = scope.position(one.tag.start)
                where = f"{path}:{line}:{column}" if line else f"{path} {scope.span.place}"
                yield Place(where, " ".join(scope.text.split())[:200])


def slip_prefix(text: str) -> str:
    """`slip:ab12cd34`, `[slip:ab12cd34]` or the digits alone. Raises InputError."""
    name = text.strip().lower().strip("[]").removeprefix("slip:").partition("#")[0]
    if not re.fullmatch(r"[0-9a-f]{8,64}", name):
        raise InputError(
            f"{text!r} is no id of a slip", where="SLIP", fix="8 to 64 hex digits, as slip list shows them"
        )
    return name
