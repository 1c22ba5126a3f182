"""The pages of the axes of judgement; the rules of each are a family of their own."""

from __future__ import annotations

from denominator.labels.axes import control, failure_class, mix, origin, outcome, reason, tag
from denominator.labels.shape import Page

AXES: tuple[Page, ...] = (
    outcome.PAGE,
    origin.PAGE,
    reason.PAGE,
    failure_class.PAGE,
    tag.PAGE,
    control.PAGE,
    mix.PAGE,
)
