"""`pack lint`: what makes a pack unfit to measure with."""

from denominator.packs.lint.cards import CardReport, card_files, lint_cards
from denominator.packs.lint.run import LINT_ENTRIES, blocking, lint_pack

__all__ = ["LINT_ENTRIES", "CardReport", "blocking", "card_files", "lint_cards", "lint_pack"]
