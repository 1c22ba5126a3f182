"""Envelope files -> arms that are to be run over a pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.envelopes import arm_named, complete, read_envelope, require_complete
from denominator.errors import IncompleteError, InputError, Problem
from denominator.packs import find_pack, load_pack
from denominator.pipeline.reachable import unreachable_in
from denominator.records.envelopes import Arm, Envelope
from denominator.records.packs import FoundPack
from denominator.wire.bounded import read_text
from denominator.wiring.arms import placed
from denominator.wiring.ids import as_run_id
from denominator.wiring.starting import Start


def read_starts(paths: Sequence[Path], label: str | None, run_id: str, stamp: str) -> list[Start]:
    """One start for each arm: of each envelope the arm with this label, or all of them."""
    envelopes = [(path, read_envelope(path)) for path in paths]
    require_all_complete(envelopes)
    found = [(path, envelope, arm) for path, envelope in envelopes for arm in _arms(path, envelope, label)]
    _refuse_twins(found)
    starts = []
    for path, envelope, arm in found:
        name = run_id if run_id and len(found) == 1 else f"{run_id or stamp}-{as_run_id(str(arm.label))}"
        starts.append(Start(envelope=envelope, arm=arm, where=str(path), run_id=name, script_text=_script(path, arm)))
    return starts


def require_all_complete(envelopes: Sequence[tuple[Path, Envelope]]) -> None:
    """Refuse incomplete envelopes, every field of all of them listed in one pass."""
    if len(envelopes) == 1:
        require_complete(envelopes[0][1], str(envelopes[0][0]))
        return
    problems = [
        Problem(f"{path}: {problem.where}", problem.what, problem.fix)
        for path, envelope in envelopes
        for problem in complete(envelope)
    ]
    if problems:
        what = f"the envelopes are not complete: {len(problems)} fields"
        raise IncompleteError(what, problems=problems, fix="fill them in, then run again")


def _arms(path: Path, envelope: Envelope, label: str | None) -> Sequence[Arm]:
    found = envelope.arm if label is None else (arm_named(envelope, label),)
    return tuple(placed(arm, path.parent) for arm in found)


def _script(path: Path, arm: Arm) -> str:
    return read_text(path.parent / arm.script, fix="arm.script names a file beside the envelope") if arm.script else ""


def _refuse_twins(found: Sequence[tuple[Path, Envelope, Arm]]) -> None:
    """Two arms whose runs would have one name: the same label twice, or labels that differ only in odd characters."""
    places: dict[str, list[str]] = {}
    for path, _, arm in found:
        places.setdefault(as_run_id(str(arm.label)).casefold(), []).append(f"{arm.label!s} in {path}")
    twins = [where for where in places.values() if len(where) > 1]
    if twins:
        raise InputError(
            f"two arms have the same label: {', '.join(twins[0])}",
            where="arm.label",
            fix="give each arm a label of its own",
        )


def pack_of(starts: Sequence[Start], given: str | None) -> FoundPack:
    """The pack that all arms name (from where their envelope lies), or the one given on the command line."""
    if given is not None:
        return load_pack(find_pack(given))
    roots = {find_pack(str(start.envelope.pack), Path(start.where).parent).resolve(): start for start in starts}
    if len(roots) != 1:
        raise InputError(f"the arms name different packs: {', '.join(sorted(map(str, roots)))}", fix="use one pack")
    return load_pack(find_pack(str(starts[0].envelope.pack), Path(starts[0].where).parent))


def unreachable_here(envelope: Envelope, path: Path) -> list[Problem]:
    """Thresholds that no run over the envelope's pack can reach; nothing where the pack is not to be found yet."""
    try:
        found = load_pack(find_pack(str(envelope.pack), path.parent))
    except InputError:
        return []
    return unreachable_in(envelope, found.pack.tasks)
