"""A probe of the endpoint as a run seals it: which one it was, and what it learned that the run relies on."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.probe_results import EndpointFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedProbe:
    """A probe by its seal, and the facts that its stored bytes gave when the run was sealed.

    `path` is in words. `windows` are the UTC starts of its windows, `missing` how many planned attempts it never asked.
    `sentences` are what it says of itself, with every condition.
    """

    name: str
    seal_sha256: str
    fixture_sha256: str
    model: str
    path: str
    client: str
    classifier: str
    windows: tuple[str, ...]
    facts: EndpointFacts
    sentences: tuple[str, ...] = ()
    missing: int = 0

    @property
    def told(self) -> str:
        """Which one it is, short."""
        return f"{self.name} {self.seal_sha256[:12]}"
