"""How much is read before a judgement is given up: the same bytes cost the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

NOT_SEARCHED = "not searched: "
SCANNED_MAX = 2_000_000_000
PARSED_MAX = 8_000_000


@dataclass(slots=True)
class Effort:
    """Bytes looked through for a word, and bytes parsed beyond the patch. `limited` says why there is an end, or is ""."""

    limited: str = ""
    scanned: int = 0
    parsed: int = 0

    def scan(self, size: int) -> None:
        """A file was looked through."""
        self.scanned += size
        if self.scanned > SCANNED_MAX:
            self._end(f"more than {SCANNED_MAX} bytes had to be looked through")

    def parse(self, size: int) -> None:
        """A file was parsed."""
        self.parsed += size
        if self.parsed > PARSED_MAX:
            self._end(f"more than {PARSED_MAX} bytes had to be parsed")

    def _end(self, why: str) -> None:
        self.limited = self.limited or f"{NOT_SEARCHED}{why}"
