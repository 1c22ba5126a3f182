"""Our run beside a published score: the fingerprint first, then one of five verdicts. Pure."""

from denominator.compare.published.diff import set_beside
from denominator.compare.published.fields import FIELDS, fingerprint, moved
from denominator.compare.published.sides import Claimed, of_published, of_run

__all__ = ["FIELDS", "Claimed", "fingerprint", "moved", "of_published", "of_run", "set_beside"]
