"""Texts that a person should look at: which of them may count at all where nothing structured explains a row."""

from __future__ import annotations

from denominator.labels.shape import View
from denominator.records.facts import Hint
from denominator.records.words import Writer

NETWORK_CAUSE = "network_down"
OFF = "off"


def phase_of(hint: Hint) -> str:
    """The phase of the stream that holds the text."""
    return hint.stream.partition("/")[0]


def usable_hint(view: View, phase: str = "") -> Hint | None:
    """The earliest hint (of one phase), without those that the terms themselves explain."""
    return next((one for one in view.row.hints if phase in ("", phase_of(one)) and not _expected(view, one)), None)


def _expected(view: View, hint: Hint) -> bool:
    """With the network switched off a network error is what was asked for; the provider is reached by another way."""
    return view.terms.network == OFF and hint.cause == NETWORK_CAUSE and hint.writer != Writer.PROVIDER


def sandbox_hint(view: View) -> Hint | None:
    """The earliest text that says the sandbox is set up wrongly."""
    return next((one for one in view.row.hints if one.family == "sandbox" or one.cause in SANDBOX_CAUSES), None)


SANDBOX_CAUSES = ("sandbox_config", "sandbox_start")


def field_of(hint: Hint) -> str:
    """The name under which evidence finds the hint again."""
    return f"hints/{phase_of(hint)}/{hint.cause}"
