"""Transport retries: whether a failed try is followed by another one, and how long that waits."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.adapters.gateway.retry_after import retry_after_s
from denominator.records.envelopes import GatewayTerms


@dataclass(frozen=True, slots=True)
class Waiting:
    """The declared terms. `tried` counts the tries of the call so far, from 1."""

    terms: GatewayTerms

    def after_status(self, status: int, retry_after: str, tried: int, now_s: int) -> int | None:
        """Seconds until the next try after an answer, None when there is none: a wait past the limit is not waited for."""
        kind = "rate_limited" if status == 429 else "server_error" if status >= 500 else ""
        if not self._again(kind, tried):
            return None
        asked = retry_after_s(retry_after, now_s)
        if asked is None:
            return self._own(tried)
        return asked if asked <= self.terms.wait_max_s else None

    def after_connect(self, tried: int) -> int | None:
        """The same when no connection could be made."""
        return self._own(tried) if self._again("connect", tried) else None

    def _again(self, kind: str, tried: int) -> bool:
        return tried <= self.terms.retries and kind in self.terms.retry_on

    def _own(self, tried: int) -> int:
        """1, 2, 4 ... seconds."""
        return min(1 << min(tried - 1, 30), self.terms.wait_max_s)
