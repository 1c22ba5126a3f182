"""What a window says before it begins."""

from __future__ import annotations

from dataclasses import fields

from denominator.records.probes import Use
from denominator.wiring.probing import undeclared


def test_what_is_not_declared_is_named_before_it_is_sealed():
    """Everything that only the owner knows; a placeholder declares nothing, a `false` does."""
    assert undeclared(Use()) == tuple(one.name for one in fields(Use) if one.name != "invalid_rate_ceiling")
    said = Use(data_may_be_sent=False, fallback="TODO", monitoring="a page", error_budget="0.02")
    left = undeclared(said)
    assert "fallback" in left and not {"data_may_be_sent", "monitoring", "error_budget"} & set(left)
