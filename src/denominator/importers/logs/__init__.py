"""Run folders: `meta.json` with collected facts, `combined.log`, a structured report -> one row each."""

from __future__ import annotations

from denominator.importers.logs.attach import Beside, attach, beside_of, is_log, is_report, unread, uses_of
from denominator.importers.logs.row import with_run
from denominator.importers.logs.told import READERS, Told, tell

__all__ = [
    "READERS",
    "Beside",
    "Told",
    "attach",
    "beside_of",
    "is_log",
    "is_report",
    "tell",
    "unread",
    "uses_of",
    "with_run",
]
