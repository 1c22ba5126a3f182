"""Other runs of the same envelope, arm and pack in the same folder of runs: whoever shows one of them lists them all."""

from __future__ import annotations

from denominator.errors import DenominatorError
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import digest
from denominator.wire.codec import loads, to_json

SEAL_BYTES = 1 << 26
SEAL = "seal.json"
ASIDE = ("scratch-", ".")
ASKED = ("envelope", "arm", "pack_digest")


def siblings_of(run: OpenRun, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Run ids, sorted. `known` are runs that are named otherwise already (replays); a scratch run is none.

    Seals differ in their time and box, so runs are siblings when envelope, arm and pack are the same. A folder whose
    seal cannot be read is skipped: `runs ls` names it.
    """
    mine = _asked(to_json(run.seal))
    found = []
    for path in sorted(run.folder.root.parent.glob(f"*/{SEAL}")):
        name = path.parent.name
        if name == run.folder.root.name or name.startswith(ASIDE) or name in known:
            continue
        try:
            document = loads(read_bytes(path, SEAL_BYTES), str(path))
        except (DenominatorError, OSError):
            continue
        if _asked(document) == mine:
            found.append(name)
    return tuple(found)


def _asked(document: Json) -> str:
    """What a seal asks, as one digest."""
    return digest([document.get(name) for name in ASKED]) if isinstance(document, dict) else ""
