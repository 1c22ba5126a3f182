"""How a row ended, in the classes of the failure ledger; the first rule that holds wins."""

from __future__ import annotations

from denominator.labels.classes import (
    abstained,
    censored,
    compile_fail,
    no_patch,
    of_source,
    over_edit,
    passed,
    test_fail,
    timeout,
    unresolved,
)
from denominator.labels.shape import Rule

CLASSES: tuple[Rule, ...] = (
    passed.RULE,
    of_source.RULE,
    abstained.RULE,
    over_edit.RULE,
    timeout.RULE,
    no_patch.RULE,
    compile_fail.RULE,
    test_fail.RULE,
    censored.RULE,
    unresolved.RULE,
)
