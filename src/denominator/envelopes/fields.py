"""Every field of an envelope with its path, for checks that hold for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from denominator.records.envelopes import Arm, Envelope
from denominator.records.values import NotMeasured, is_placeholder

OPTIONAL = ("run.run_cap_tokens", "budget.calls")
NONE = "none"


def calls_model(arm: Arm) -> bool:
    """Does the agent of this arm call a model? An arm that leaves it open does."""
    return arm.model.id != NONE


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """(path, value) of every field that is no table, in the order of the records."""
    if is_dataclass(value) and not isinstance(value, NotMeasured):
        for field in fields(value):
            yield from leaves(getattr(value, field.name), f"{path}.{field.name}" if path else field.name)
    elif isinstance(value, tuple) and any(is_dataclass(item) for item in value):
        for number, item in enumerate(value):
            yield from leaves(item, f"{path}[{number}]")
    else:
        yield path, value


def missing(envelope: Envelope) -> list[str]:
    """Paths of fields that must be filled in and are empty or a placeholder."""
    silent = [f"arm[{number}].model." for number, arm in enumerate(envelope.arm) if not calls_model(arm)]
    spared = [*OPTIONAL, *([] if any(map(calls_model, envelope.arm)) else ["budget.tokens"])]
    return [
        path
        for path, value in leaves(envelope)
        if _is_missing(path, value) and path not in spared and not path.startswith(tuple(silent))
    ]


def _is_missing(path: str, value: object) -> bool:
    """A text that may be left out is empty then; a text that must be there may not be."""
    if isinstance(value, NotMeasured):
        return True
    if isinstance(value, tuple):
        return any(isinstance(item, str) and item != "" and is_placeholder(item) for item in value)
    return isinstance(value, str) and is_placeholder(value) and (value != "" or _without_number(path) in DEMANDED)


def _without_number(path: str) -> str:
    head, _, tail = path.partition("[")
    return head + tail.partition("]")[2] if tail else head


DEMANDED = frozenset(
    _without_number(path) for path, value in leaves(Envelope(arm=(Arm(),))) if isinstance(value, NotMeasured)
)
"""Fields that have no default."""
