"""Did a control hold? Held, violated or inconclusive; never a pass or a fail in a rate. The rule of its type answers."""

from __future__ import annotations

from denominator.labels.controls import (
    canary,
    empty_patch_must_fail,
    floor,
    gold_must_pass,
    known_bad_must_fail,
    must_ask,
    must_fail,
    must_stay_red,
    narration,
    noop_must_stay_green,
    read_only_sentinel,
    unknown,
)
from denominator.labels.shape import Rule

CONTROLS: tuple[Rule, ...] = (
    must_fail.RULE,
    known_bad_must_fail.RULE,
    empty_patch_must_fail.RULE,
    gold_must_pass.RULE,
    noop_must_stay_green.RULE,
    must_stay_red.RULE,
    read_only_sentinel.RULE,
    must_ask.RULE,
    canary.RULE,
    floor.RULE,
    narration.RULE,
    unknown.RULE,
)
