"""The calls of one attempt: an intent before, a result after, each handed on at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

OnCall = Callable[[CallRow], None]


class FullError(Exception):
    """The attempt made more calls than are recorded."""


class Book:
    """Numbers calls from 1 and keeps their latest state. A call whose intent cannot be recorded is not made."""

    def __init__(
        self, key: AttemptKey, incarnation: int, on_call: OnCall, lock: threading.Lock, calls_max: int
    ) -> None:
        self._key = key
        self._incarnation = incarnation
        self._on_call = on_call
        self._lock = lock
        self._max = calls_max
        self._rows: dict[int, CallRow] = {}
        self.trouble: Exception | None = None

    def open(self, **fields: Any) -> CallRow:
        """Records the intent of a call; raises what the recorder raised, or `FullError`."""
        with self._lock:
            if self.trouble is not None:
                raise self.trouble
            if len(self._rows) >= self._max:
                raise FullError
            row = CallRow(key=self._key, incarnation=self._incarnation, seq=len(self._rows) + 1, **fields)
            self._hand_on(row)
            self._rows[row.seq] = row
            return row

    def settle(self, row: CallRow) -> None:
        """Records how a call ended; trouble of the recorder is kept for `close`."""
        with self._lock:
            self._rows[row.seq] = row
            try:
                self._hand_on(row)
            except Exception as error:
                self.trouble = error

    def _hand_on(self, row: CallRow) -> None:
        try:
            self._on_call(row)
        except Exception as error:
            self.trouble = error
            raise

    def rows(self) -> list[CallRow]:
        """All calls in order."""
        with self._lock:
            return [self._rows[seq] for seq in sorted(self._rows)]
