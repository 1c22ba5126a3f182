"""How long a provider asks to wait: the reading that all parts share."""

from denominator.wire.retry_after import SECONDS_MAX, retry_after_s

__all__ = ["SECONDS_MAX", "retry_after_s"]
