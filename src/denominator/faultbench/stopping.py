"""Being told to stop: the bench ends what it runs, keeps its finished trials, and says how to go on."""

from __future__ import annotations


class BenchStoppedError(Exception):
    """Somebody asked the bench to stop; the trial under way is no trial."""
