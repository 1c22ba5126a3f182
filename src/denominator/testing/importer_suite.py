"""What every importer of a foreign format must hold to (`denominator.importers.foreign.Importer`).

Each check takes an `ImporterBench` (the importer, small examples of its format, an empty folder) and returns the breaches that
it found; none is a pass. `BASIC` is about what it says and reads, `ENDINGS` about its table of endings, which our own label
rules must bear out; `CHECKS` is both, for `pytest.mark.parametrize` or a plain loop. `check_damage(bench, copies)` reads damaged
copies of the examples: 40 of each are quick, 1,000 show that a format is done.
"""

from __future__ import annotations

from denominator.testing.importer_basic import BASIC
from denominator.testing.importer_bench import Check, Example, ImporterBench
from denominator.testing.importer_damage import check_damage, damage_of, told_of
from denominator.testing.importer_endings import ENDINGS

__all__ = ["BASIC", "CHECKS", "ENDINGS", "Check", "Example", "ImporterBench", "check_damage", "damage_of", "told_of"]

CHECKS: tuple[Check, ...] = (*BASIC, *ENDINGS)
