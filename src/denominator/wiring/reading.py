"""Envelope files -> arms that are to be run over a pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.envelopes import arm_named, read_envelope
from denominator.errors import InputError
from denominator.packs import find_pack, load_pack
from denominator.records.envelopes import Arm, Envelope
from denominator.records.packs import FoundPack
from denominator.wiring.starting import Start


def read_starts(paths: Sequence[Path], label: str | None, run_id: str, stamp: str) -> list[Start]:
    """One start for each arm: of each envelope the arm with this label, or all of them."""
    found = [(path, envelope, arm) for path in paths for envelope, arm in _arms(path, label)]
    starts = []
    for path, envelope, arm in found:
        name = run_id if run_id and len(found) == 1 else f"{run_id or stamp}-{arm.label}"
        starts.append(Start(envelope=envelope, arm=arm, where=str(path), run_id=name, script_text=_script(path, arm)))
    _refuse_twins(starts)
    return starts


def _arms(path: Path, label: str | None) -> list[tuple[Envelope, Arm]]:
    envelope = read_envelope(path)
    if label is None and envelope.arm:
        return [(envelope, arm) for arm in envelope.arm]
    return [(envelope, arm_named(envelope, label))]


def _script(path: Path, arm: Arm) -> str:
    if not arm.script:
        return ""
    place = path.parent / arm.script
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the script cannot be read: {error}", where=str(place), fix="arm.script names a file"
        ) from None


def _refuse_twins(starts: Sequence[Start]) -> None:
    ids = [start.run_id for start in starts]
    twins = sorted({name for name in ids if ids.count(name) > 1})
    if twins:
        raise InputError(
            f"two arms are called {', '.join(twins)}", where="arm.label", fix="give each arm a label of its own"
        )


def pack_of(starts: Sequence[Start], given: str | None) -> FoundPack:
    """The pack that all arms name, or the one given on the command line."""
    named = {given} if given else {str(start.envelope.pack) for start in starts}
    if len(named) != 1:
        raise InputError(f"the arms name different packs: {', '.join(sorted(map(str, named)))}", fix="use one pack")
    return load_pack(find_pack(str(next(iter(named))), Path(starts[0].where).parent))
