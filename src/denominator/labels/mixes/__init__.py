"""Why a row of the model's ended as it did: one bucket; the first rule that holds wins. Others that hold are tags."""

from __future__ import annotations

from denominator.labels.mixes import (
    assume_api,
    missing_ask,
    pass_contract,
    pass_weak,
    scope_slip,
    scorer_red,
    timeout,
    tool_loop,
)
from denominator.labels.shape import Rule

MIXES: tuple[Rule, ...] = (
    pass_weak.RULE,
    pass_contract.RULE,
    timeout.RULE,
    tool_loop.RULE,
    assume_api.RULE,
    missing_ask.RULE,
    scope_slip.RULE,
    scorer_red.RULE,
)
