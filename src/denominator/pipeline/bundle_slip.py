"""The slip of a bundle with its record of verdicts and sign-offs, so that a record which is cut later is found out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from denominator.bundles.layout import SLIP, SLIP_HEAD, SLIP_LINES
from denominator.errors import InputError
from denominator.records.bundles import Fault
from denominator.slips.lines import head_of, read_lines
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import sha256_bytes

MOST = 1 << 24
NAME_IT = "name the slip's file: slips/ID.json"


def slip_parts(path: Path) -> dict[str, bytes]:
    """The slip, its lines where there are any, and the head that counts them. InputError: missing, or a record that is cut."""
    data = read_bytes(path, MOST, NAME_IT)
    lines, head = (path.with_name(f"{path.stem}{end}") for end in (".lines.jsonl", ".head"))
    kept = read_bytes(lines, MOST) if lines.is_file() else b""
    noted = read_bytes(head, MOST).decode("ascii", "replace") if head.is_file() else ""
    slip_id = sha256_bytes(data)
    found = read_lines(slip_id, kept, noted, str(lines))
    return {SLIP: data, SLIP_HEAD: f"{head_of(slip_id, found)}\n".encode(), **({SLIP_LINES: kept} if kept else {})}


def record_faults(documents: Mapping[str, bytes]) -> Iterator[Fault]:
    """Lines and head of the slip in a bundle: chained to its id, and as many as the head counts."""
    named = [name for name in (SLIP_LINES, SLIP_HEAD) if name in documents]
    if SLIP not in documents:
        yield from (Fault(kind="slip", where=name, what="there is no slip that it belongs to") for name in named)
        return
    slip_id, head = sha256_bytes(documents[SLIP]), documents.get(SLIP_HEAD, b"").decode("ascii", "replace")
    if SLIP_HEAD not in documents:
        yield Fault(kind="missing", where=SLIP_HEAD, what="the slip is here, and how many lines it had is not")
        return
    try:
        lines = read_lines(slip_id, documents.get(SLIP_LINES, b""), head, SLIP_LINES)
    except InputError as error:
        yield Fault(kind="slip", where=error.where or SLIP_LINES, what=error.what)
        return
    if head.strip() != head_of(slip_id, lines):
        yield Fault(kind="slip", where=SLIP_HEAD, what="does not count the lines that are here")


def cut_since(slip_id: str, lines: bytes, head: bytes) -> str:
    """What is wrong with a record of today beside the head that a bundle carries; nothing where it only grew."""
    try:
        read_lines(slip_id, lines, head.decode("ascii", "replace"), "lines")
    except InputError as error:
        return error.what
    return ""
