"""A history that grows from request to request, each call in it once."""

from __future__ import annotations

from collections import Counter

from denominator.readers.tools.call import ToolCall
from denominator.readers.tools.conversation import Entry

Key = tuple[str, int, str, str]
"""A call's id, how often that id was used before in the same history, its tool and its arguments."""


def keys_of(entries: list[Entry]) -> list[Key]:
    """What tells the calls of one history apart, and finds them again in the next."""
    used: Counter[str] = Counter()
    keys = []
    for entry in entries:
        keys.append((entry.id, used[entry.id], entry.call.tool, str(entry.call.arguments_sha256)))
        used[entry.id] += 1
    return keys


class Thread:
    """One history that grew from request to request."""

    def __init__(self) -> None:
        self.known: dict[Key, Entry] = {}
        self._ids_repeat = False
        self._batches = 0

    def take(self, keys: list[Key], entries: list[Entry]) -> bool:
        """Adds what is new; the first result that was shown for a call stays. False: ids do not say what is new."""
        self._ids_repeat = self._ids_repeat or any(key[1] for key in keys)
        sound = not self._ids_repeat or self._continues(keys, entries)
        self._batches += 1
        for key, entry in zip(keys, entries, strict=True):
            entry.batch = self._batches
            held = self.known.setdefault(key, entry)
            if not held.results:
                held.results = entry.results
        return sound

    def _continues(self, keys: list[Key], entries: list[Entry]) -> bool:
        """Is the shorter of both histories the beginning of the longer, results included?"""
        return all(
            key == known and (not held.results or not entry.results or held.results == entry.results)
            for key, entry, (known, held) in zip(keys, entries, self.known.items(), strict=False)
        )

    def calls(self, first: int, number: int) -> list[ToolCall]:
        """The calls in order; turns count from 0 inside the thread."""
        found: list[ToolCall] = []
        turn, last = -1, (0, 0)
        for entry in self.known.values():
            turn += (entry.batch, entry.turn) != last
            last = (entry.batch, entry.turn)
            found.append(entry.done(first + len(found), turn, number))
        return found
