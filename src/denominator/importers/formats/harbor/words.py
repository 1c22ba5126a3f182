"""Known texts in what a verifier's script printed. Its tests speak through it, so the text is theirs: no rule reads it."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from denominator.readers.logs import BY_NAME, SIGNATURES
from denominator.readers.logs.frames import Piece
from denominator.readers.logs.match import EVERYWHERE, Matcher
from denominator.records.facts import Hint
from denominator.records.words import Phase, Writer

MOST = 8


@lru_cache(maxsize=1)
def _matcher() -> Matcher:
    return Matcher(SIGNATURES)


def words_in(data: bytes) -> tuple[Hint, ...]:
    """The earliest known texts, each signature once, by their place."""
    piece = Piece(Phase.VERIFY, "out", offset=0, at_ms=-1, text=data, whole=True)
    seen: set[str] = set()
    found: list[Hint] = []
    for hit in sorted(_matcher().hits(piece, (), EVERYWHERE)):
        if hit.signature in seen or len(found) >= MOST:
            continue
        seen.add(hit.signature)
        known = BY_NAME[hit.signature]
        found.append(
            Hint(
                cause=known.cause, family=known.family, writer=Writer.AGENT, stream=f"{Phase.VERIFY}/out", offset=hit.offset,
                length=hit.length, ref=hashlib.sha256(data).hexdigest(), quote=hit.quote,
            )
        )  # fmt: skip
    return tuple(found)
