"""What every sandbox must hold to (ports.Sandbox). Each check returns the breaches found; none is a pass.

`BASIC` is about running commands and telling how they ended; `ISOLATION` is what makes it a sandbox. A check that
needs a protection which `facts` says is absent here finds nothing: the facts are the promise, and they are checked
too. `CHECKS` is all of it, for `pytest.mark.parametrize` or a plain loop over a `Bench`.
"""

from __future__ import annotations

from denominator.testing.sandbox_basic import BASIC
from denominator.testing.sandbox_bench import LIMITS, Bench, Check
from denominator.testing.sandbox_isolation import ISOLATION

__all__ = ["BASIC", "CHECKS", "ISOLATION", "LIMITS", "Bench", "Check"]

CHECKS = (*BASIC, *ISOLATION)
