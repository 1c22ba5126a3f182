"""The previous seal of a lineage: the last one of the same pack and arm label among the runs of a folder.

The question is not part of it: a word changed in a question would begin a new lineage, and with it forget what was
demanded before. Whoever means another lineage says so (`--new-lineage WHY`), and that is sealed and printed. Scratch runs
are counted nowhere, so they neither have nor are a predecessor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.envelopes.loosening import idle_reasons, loosened
from denominator.errors import DenominatorError, InputError
from denominator.records.seals import Seal
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads

SEAL = "seal.json"
SEAL_BYTES = 1 << 28
SCRATCH = "scratch-"
SEALED_AT = re.compile(rb'"sealed_at":"([0-9TZ:.+-]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The previous seal with its digest, or none; `why` a new lineage was begun although there may be one."""

    previous: Seal | None = None
    digest: str = ""
    why: str = ""


FIRST = Lineage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line said of the lineage: `previous` is a seal file, a run's folder or a run id."""

    previous: str | None = None
    new: str | None = None

    def check(self) -> None:
        """Refuse both at once, an empty name, and a new lineage without a reason."""
        if self.previous is not None and self.new is not None:
            fix = "name the previous seal, or say why there is none"
            raise InputError("a new lineage has no previous seal", where="--new-lineage", fix=fix)
        if self.previous is not None and not self.previous.strip():
            fix = "name a run, or leave it out for the last one of this pack and arm"
            raise InputError("the name of the previous seal is empty", where="--previous", fix=fix)
        if self.new is not None and not self.new.strip():
            fix = '--new-lineage "another agent under the old label"'
            raise InputError("says why a new lineage is begun", where="--new-lineage", fix=fix)


LAST = Wanted()
"""The last seal there is."""


def lineage_of(
    runs_dir: Path, pack_id: str, label: str, wanted: Wanted, line: Callable[[str], None], run_id: str = ""
) -> Lineage:
    """What a seal that is made now has to be held against. Seals that cannot be read are named and passed over."""
    if run_id.startswith(SCRATCH):
        return FIRST
    if wanted.new is not None:
        return Lineage(why=wanted.new.strip())
    if wanted.previous is not None:
        return _named(runs_dir, wanted.previous, pack_id)
    return _latest(runs_dir, pack_id, label, line)


def sealed_after(seal: Seal, lineage: Lineage) -> Seal:
    """The seal with what it demands less than the previous one, and with the reasons that its envelope gives."""
    if lineage.previous is None:
        return replace(seal, lineage=lineage.why)
    return replace(seal, previous=lineage.digest, loosened=loosened(lineage.previous, seal))


def said_of(seal: Seal) -> Iterator[str]:
    """What a person should know before the run is paid for: what no reason is given for, and reasons for nothing."""
    for one in seal.loosened:
        if not one.why:
            yield (
                f"weaker than the previous seal without a reason: {one.field}; the number will be blocked (GL070)\n"
                f'  next: write [[loosen]] field = "{one.field}", why, who into the envelope, and seal again'
            )
    for field in idle_reasons(seal.envelope, seal.loosened):
        yield f"[[loosen]] {field}: it is not weaker than in the previous seal; the reason answers for nothing"


def _latest(runs_dir: Path, pack_id: str, label: str, line: Callable[[str], None]) -> Lineage:
    """The last seal of a pack and an arm. The youngest are read first, so that old ones need not be read at all."""
    found, sealed_at = FIRST, ""
    for told, path, data in sorted(_dated(runs_dir, pack_id, line), reverse=True, key=lambda one: one[:2]):
        if found.previous is not None and told <= sealed_at:
            break
        try:
            seal = _seal(data, path)
        except DenominatorError as error:
            line(f"{path}: {error.what}; nothing is held against this seal")
            continue
        if (seal.pack_id, str(seal.arm.label).casefold()) == (pack_id, label.casefold()) and seal.sealed_at > sealed_at:
            found, sealed_at = Lineage(previous=seal, digest=_digest(data)), seal.sealed_at
    return found


def _dated(runs_dir: Path, pack_id: str, line: Callable[[str], None]) -> Iterator[tuple[str, Path, bytes]]:
    """(when it says it was sealed, path, bytes) of every seal that names the pack."""
    needle = canonical(pack_id)
    for folder in sorted(runs_dir.iterdir()) if runs_dir.is_dir() else []:
        path = folder / SEAL
        if folder.name.startswith((".", SCRATCH)) or not path.is_file():
            continue
        try:
            data = read_bytes(path, SEAL_BYTES)
        except (DenominatorError, OSError) as error:
            what = error.what if isinstance(error, DenominatorError) else str(error.strerror)
            line(f"{path}: {what}; nothing is held against this seal")
            continue
        if needle in data:
            told = SEALED_AT.findall(data)
            yield max(told).decode() if told else "", path, data


def _named(runs_dir: Path, name: str, pack_id: str) -> Lineage:
    places = (runs_dir / name / SEAL, Path(name) / SEAL, Path(name))
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise InputError(
            "no run and no seal is called so", where=name, fix="name a run id, a run's folder or a seal.json"
        )
    data = read_bytes(path, SEAL_BYTES)
    seal = _seal(data, path)
    if seal.pack_id != pack_id:
        fix = "name a seal of this pack, or begin a lineage with --new-lineage WHY"
        raise InputError(f"is a seal of pack {seal.pack_id}, not of {pack_id}", where=str(path), fix=fix)
    return Lineage(previous=seal, digest=_digest(data))


def _seal(data: bytes, path: Path) -> Seal:
    return from_json(Seal, loads(data, str(path)), str(path))


def _digest(data: bytes) -> str:
    """Of the bytes as they were stored: a later version may write more fields."""
    return sha256_bytes(data.rstrip(b"\n"))
