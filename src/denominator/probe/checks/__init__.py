"""Every check of the endpoint bench: an explicit list in the order of precedence, one file each."""

from denominator.probe.checks import (
    accounting,
    control,
    empty,
    envelope,
    finish,
    formatting,
    hang,
    inband,
    oversize,
    schema,
    status,
    stream,
    timeout,
    tool_choice,
    tool_shape,
    transport,
    value,
)
from denominator.probe.checks.shape import Check

CHECKS: tuple[Check, ...] = (
    transport.CHECK,
    oversize.CHECK,
    timeout.CHECK,
    hang.CHECK,
    status.CHECK,
    envelope.CHECK,
    inband.CHECK,
    stream.CHECK,
    finish.CHECK,
    tool_shape.CHECK,
    tool_choice.CHECK,
    accounting.CHECK,
    empty.CHECK,
    formatting.CHECK,
    schema.CHECK,
    value.CHECK,
    control.CHECK,
)
CHECK_ENTRIES = tuple(check.entry for check in CHECKS)

__all__ = ["CHECKS", "CHECK_ENTRIES", "Check"]
