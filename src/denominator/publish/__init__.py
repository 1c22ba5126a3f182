"""What leaves the machine: the card, and the card as text."""

from denominator.publish.card import make_card
from denominator.publish.terminal import render_brief, render_card

__all__ = ["make_card", "render_brief", "render_card"]
