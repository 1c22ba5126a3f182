"""What every journal must hold to (ports.Journal). Each check returns the breaches found; none is a pass.

`BASIC` is about one journal alone, `CROWD` about many users and dead ones, `THREADED` about threads on one handle; `CHECKS`
is all of it, for `pytest.mark.parametrize` or a plain loop over a `JournalBench`. Adapters hit the failpoints
`journal.before_commit` and `journal.after_commit` around the commit of `append` and `put_calls`, each caller in its own
thread. The suite for blobs is `blobs_suite`.
"""

from __future__ import annotations

from denominator.testing.journal_basic import BASIC
from denominator.testing.journal_bench import Check, JournalBench
from denominator.testing.journal_crowd import CROWD
from denominator.testing.journal_threads import THREADED

__all__ = ["BASIC", "CHECKS", "CROWD", "THREADED", "Check", "JournalBench"]

CHECKS = (*BASIC, *CROWD, *THREADED)
