"""The folder `slips/` beside the runs: `ID.json` written once, `ID.lines.jsonl` appended to, `ID.head` counts its lines.

The bytes of `ID.json` are the slip's canonical JSON and nothing else, so that `sha256sum` of the file is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from denominator.errors import DenominatorError, InputError
from denominator.records.slips import ID_DIGITS, Slip, SlipLine, SlipStanding
from denominator.slips.lines import chained, head_of, read_lines, written
from denominator.slips.tiers import Entry, has_number, standing_of
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import check_version, from_json, loads
from denominator.wire.durable import alone_in, write_file

FOLDER = "slips"
HEX = re.compile(r"[0-9a-f]+\Z")
NAME = re.compile(r"[0-9a-f]{64}\.json\Z")
SLIP_BYTES = 1 << 24
SHOWN = 8


def slips_beside(runs: Path) -> Path:
    """Where the slips of a folder of runs are kept."""
    return runs.parent / FOLDER


def id_of(slip: Slip) -> str:
    """The sha256 of the slip's canonical JSON."""
    return sha256_bytes(canonical(slip))


def keep_slip(folder: Path, slip: Slip) -> str:
    """Write a slip under its id, once. The same slip again is the same file."""
    data = canonical(slip)
    slip_id = sha256_bytes(data)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{slip_id}.json"
    if not path.exists():
        write_file(path, data)
    return slip_id


def slip_ids(folder: Path) -> list[str]:
    """The ids of all slips in a folder, sorted."""
    if not folder.is_dir():
        if folder.exists():
            raise InputError("is no folder", where=str(folder), fix="slips are kept there: move the file away")
        return []
    return sorted(path.stem for path in folder.iterdir() if NAME.match(path.name))


def find_id(folder: Path, typed: str) -> str:
    """The whole id of what was typed: `slip:` may stand before it. Raises InputError: no id, too short, ambiguous, unknown."""
    name = typed.strip().lower().removeprefix("[").removesuffix("]").removeprefix("slip:").partition("#")[0]
    if not HEX.match(name) or len(name) > 64:
        fix = "an id is lowercase hex digits, as `denominator slip list` shows it"
        raise InputError(f"{typed!r} is no id of a slip", where="ID", fix=fix)
    if len(name) < ID_DIGITS:
        fix = "denominator slip list"
        raise InputError(f"{name} is too short: an id needs {ID_DIGITS} digits or more", where="ID", fix=fix)
    found = [one for one in slip_ids(folder) if one.startswith(name)]
    if len(found) > 1:
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        fix = f"type more digits of one of: {', '.join(one[:16] for one in found[:SHOWN])}{more}"
        raise InputError(f"{name} is ambiguous: {len(found)} slips begin so", where=str(folder), fix=fix)
    if not found:
        raise InputError(f"no slip has the id {name}", where=str(folder), fix="denominator slip list")
    return found[0]


def read_slip(folder: Path, slip_id: str) -> Slip:
    """A slip by its whole id. Raises InputError where its bytes are not those that its name is the digest of."""
    path = folder / f"{slip_id}.json"
    slip, found = slip_of_file(path)
    if found != slip_id:
        fix = "restore the file; a slip is never edited, a new one is made"
        raise InputError(f"was changed: its sha256 is {found[:16]}, not its name", where=str(path), fix=fix)
    return slip


def slip_of_file(path: Path) -> tuple[Slip, str]:
    """A slip from any file, and its id. The bytes must be canonical: else the id would be that of other bytes."""
    data = read_bytes(path, SLIP_BYTES)
    document = loads(data, str(path))
    check_version(document, (1,), str(path))
    slip = from_json(Slip, document, str(path))
    return slip, sha256_bytes(data)


def read_entry(folder: Path, slip_id: str) -> Entry:
    """A slip with its lines, held against their chain."""
    slip = read_slip(folder, slip_id)
    lines, head = folder / f"{slip_id}.lines.jsonl", folder / f"{slip_id}.head"
    data = read_bytes(lines, SLIP_BYTES) if lines.exists() else b""
    noted = read_bytes(head, 200).decode("ascii", "replace") if head.exists() else ""
    return Entry(slip_id, slip, read_lines(slip_id, data, noted, str(lines)))


def read_all(folder: Path) -> tuple[list[Entry], list[DenominatorError]]:
    """Every slip that can be read, by id, and what is wrong with the others."""
    found, broken = [], []
    for slip_id in slip_ids(folder):
        try:
            found.append(read_entry(folder, slip_id))
        except DenominatorError as error:
            broken.append(error)
    return found, broken


def standing(folder: Path, slip_id: str) -> SlipStanding:
    """A slip as it stands among the readable others of its folder."""
    one = read_entry(folder, slip_id)
    others, _ = read_all(folder)
    return standing_of(one, others)


def standings(folder: Path) -> tuple[list[SlipStanding], list[DenominatorError]]:
    """Every readable slip as it stands, in the order in which they were made."""
    found, broken = read_all(folder)
    stood = [standing_of(one, found) for one in found]
    return sorted(stood, key=lambda one: (one.slip.made_at, one.id)), broken


def append_line(folder: Path, slip_id: str, line: SlipLine) -> SlipLine:
    """Append a line, tied to the one before it: the lines first, then the head that counts them."""
    with alone_in(folder):
        lines: Sequence[SlipLine] = read_entry(folder, slip_id).lines
        tied = chained(slip_id, lines, line)
        kept = [*lines, tied]
        write_file(folder / f"{slip_id}.lines.jsonl", written(kept))
        write_file(folder / f"{slip_id}.head", f"{head_of(slip_id, kept)}\n".encode())
    return tied


def before_of(entries: Iterable[Entry], slip: Slip) -> Entry | None:
    """The last slip with a number of the same arm, pack and metric, of another run: what a new one is held against."""
    found = [
        one
        for one in entries
        if (one.slip.arm, one.slip.headline) == (slip.arm, slip.headline)
        and isinstance(one.slip.pack.id, str)
        and one.slip.pack.id == slip.pack.id
        and one.slip.run_id != slip.run_id
        and one.slip.made_at <= slip.made_at
        and has_number(one)
    ]
    return max(found, key=lambda one: (one.slip.made_at, one.id), default=None)
