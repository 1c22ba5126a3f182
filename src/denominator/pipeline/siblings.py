"""Other runs of the same envelope, arm and pack in the same folder of runs: whoever shows one of them lists them all."""

from __future__ import annotations

from denominator.errors import DenominatorError
from denominator.pipeline.world import OpenRun
from denominator.records.seals import Seal
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import digest
from denominator.wire.codec import from_json, loads

SEAL_BYTES = 1 << 26
SEAL = "seal.json"
ASIDE = ("scratch-", ".")


def siblings_of(run: OpenRun, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Run ids, sorted. `known` are runs that are named otherwise already (replays); a scratch run is none.

    Seals differ in their time and box, so runs are siblings when envelope, arm and pack are the same. A folder whose
    seal cannot be read is skipped: `runs ls` names it.
    """
    mine = _asked(run.seal)
    found = []
    for path in sorted(run.folder.root.parent.glob(f"*/{SEAL}")):
        name = path.parent.name
        if name == run.folder.root.name or name.startswith(ASIDE) or name in known:
            continue
        try:
            document = loads(read_bytes(path, SEAL_BYTES), str(path))
            if not isinstance(document, dict) or document.get("pack_digest") != run.seal.pack_digest:
                continue
            other = _asked(from_json(Seal, document, str(path)))
        except (DenominatorError, OSError):
            continue
        if other == mine:
            found.append(name)
    return tuple(found)


def _asked(seal: Seal) -> str:
    """What a seal asks, as one digest; a field that an older one lacks has its default."""
    return digest([seal.envelope, seal.arm, seal.pack_digest])
