"""Quote checking as pure functions: numbers in the spans of a document, held against slips."""

from denominator.quote.finding import LOOKED_FOR
from denominator.quote.judging import Checked, Noted, check_document
from denominator.quote.rules import QUOTE_ENTRIES
from denominator.quote.store import Slips, SlipTable, Unfound

__all__ = ["LOOKED_FOR", "QUOTE_ENTRIES", "Checked", "Noted", "SlipTable", "Slips", "Unfound", "check_document"]
