"""Who works on an attempt just now: a claim runs out, an incarnation does not."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.keys import AttemptKey


@dataclass(frozen=True, slots=True)
class Claim:
    """One attempt taken for a while. `token` is unique to this claim, so that nobody renews or gives back another's.

    A claim saves work, it protects nothing: what protects is the incarnation, which the journal checks at every append.
    """

    key: AttemptKey
    token: str
