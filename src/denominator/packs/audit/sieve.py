"""The same search for very many bytes: a quick look for any line of interest, the careful one only where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from denominator.packs.audit.needles import Needles, Sight, seen_in, sight_of
from denominator.packs.lint.leaks import LINE_IN_PROSE, distinctive, squeeze

PROSE_BYTES_MAX = 1 << 20
_SPACE = b" \t\r\f\v"


class Sieve:
    """Needles of all tasks of a pack: what one task hides, no other task's image may hold either.

    `shown` are lines of the snapshots: what an agent gets anyway is no secret in an image.
    """

    def __init__(self, needles: Mapping[str, Needles], shown: frozenset[str] = frozenset()) -> None:
        have = frozenset(squeeze(line) for line in shown)
        self._needles = {task: _without(one, have) for task, one in needles.items()}
        self._tokens = {token.encode(): token for one in needles.values() for token in one.tokens}
        self._lines = {
            squeeze(line).encode()
            for one in self._needles.values()
            for line in (*one.hidden_lines, *one.gold_lines)
            if distinctive(line, LINE_IN_PROSE)
        }
        self.sizes = frozenset(size for one in needles.values() for size in one.sizes)

    def bytes_at(self, where: str, data: bytes, *, prose: bool) -> Iterator[tuple[str, bool]]:
        """What stands in these bytes, as (words, is it a token). `prose`: also code that is quoted within a line."""
        yield from self.tokens_at(where, data)
        prose = prose and len(data) <= PROSE_BYTES_MAX
        telling = not self._lines.isdisjoint(data.translate(None, _SPACE).split(b"\n"))
        if not (prose or telling or len(data) in self.sizes or where.endswith((".pyc", ".pyo"))):
            return
        sight = replace(sight_of(where, data), code_only=not prose)
        for task in self._needles:
            yield from ((words, False) for words in self._found(task, sight if prose or telling else _named(sight)))

    def tokens_at(self, where: str, data: bytes) -> Iterator[tuple[str, bool]]:
        """The pack's tokens in these bytes."""
        for token, shown in self._tokens.items():
            if token in data:
                yield f"{where} holds the token {shown[:4]}...", True

    def digests(self, where: str, sha256: str, blob: str) -> Iterator[tuple[str, bool]]:
        """A file by its digests alone."""
        for task in self._needles:
            yield from ((words, False) for words in self._found(task, Sight(where=where, sha256=sha256, blob=blob)))

    def _found(self, task: str, sight: Sight) -> list[str]:
        return [f"{words} of {task}" for words in seen_in(replace(self._needles[task], tokens=()), [sight])[0]]


def _named(sight: Sight) -> Sight:
    return replace(sight, text="")


def _without(one: Needles, have: frozenset[str]) -> Needles:
    return replace(
        one,
        hidden_lines=tuple(line for line in one.hidden_lines if squeeze(line) not in have),
        gold_lines=tuple(line for line in one.gold_lines if squeeze(line) not in have),
    )
