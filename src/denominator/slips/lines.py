"""The lines beside a slip: one canonical JSON object each, chained, so that none can be changed or taken out unseen.

A line names the sha256 of the line before it, the first one the slip's id. The head (how many lines, sha256 of the last)
is kept apart, so that lines cut off at the end are missed too; whoever rewrites both is found out by a head noted elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from denominator.errors import InputError
from denominator.records.slips import SlipLine
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads

HEAD = re.compile(r"(0|[1-9][0-9]{0,8}) ([0-9a-f]{64})\n\Z")
FIX = "restore the file from where it was kept; a line is never edited, a later one speaks against it"


def line_sha(line: SlipLine) -> str:
    """What the next line names as `before`."""
    return sha256_bytes(canonical(line))


def chained(slip_id: str, lines: Sequence[SlipLine], line: SlipLine) -> SlipLine:
    """A new line, tied to the last one."""
    return replace(line, slip=slip_id, before=line_sha(lines[-1]) if lines else slip_id)


def written(lines: Sequence[SlipLine]) -> bytes:
    """The bytes of the file."""
    return b"".join(canonical(line) + b"\n" for line in lines)


def head_of(slip_id: str, lines: Sequence[SlipLine]) -> str:
    """`2 <sha256>`: how many lines, and the last one's digest (without one, the slip's id)."""
    return f"{len(lines)} {line_sha(lines[-1]) if lines else slip_id}"


def read_lines(slip_id: str, data: bytes, head: str, where: str) -> tuple[SlipLine, ...]:
    """The lines of a file, held against the chain and the head. Raises InputError that names the first bad line.

    More lines than the head counts are those of a writer that was cut down between its two files; they are chained too.
    """
    raw = data.split(b"\n")
    if raw.pop() != b"":
        raise InputError("the last line breaks off", where=where, fix=FIX)
    before, digests, lines = slip_id, [slip_id], []
    for number, one in enumerate(raw, 1):
        line = from_json(SlipLine, loads(one, f"{where}:{number}"), f"{where}:{number}")
        if line.slip != slip_id or line.before != before or canonical(line) != one:
            raise InputError(
                "a line before it, or this one, was changed or taken out", where=f"{where}:{number}", fix=FIX
            )
        before = sha256_bytes(one)
        digests.append(before)
        lines.append(line)
    _hold(head, digests, where)
    return tuple(lines)


def _hold(head: str, digests: Sequence[str], where: str) -> None:
    """The head counts so many lines; they must all be there still."""
    if not head and len(digests) == 1:
        return
    found = HEAD.match(head)
    if found is None:
        raise InputError("its head is missing or no head", where=where, fix=FIX)
    count, sha = int(found[1]), found[2]
    if count >= len(digests) or digests[count] != sha:
        what = f"{count} lines were written, and the last of them is not here as it was"
        raise InputError(what, where=where, fix=FIX)
