"""The page of one run: the sentence first, then what it stands on, down to every attempt that did not pass."""

from __future__ import annotations

from denominator.publish.html.card.page import card_html

__all__ = ["card_html"]
