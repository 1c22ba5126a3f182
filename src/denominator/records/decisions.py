"""Words of decisions that no number of a pack carries: who is paid, and how much."""

from __future__ import annotations

import re

SELLING = (
    r"vendors?|suppliers?|procure\w*|purchas\w*|buy(?:ing|s)?|pric(?:e|es|ed|ing)|tenders?|SLAs?|service[- ]levels?"
    r"|invoices?|discounts?"
)
SELLS = re.compile(rf"\b(?:{SELLING})\b", re.IGNORECASE)
"""Vendors, prices, purchases (METHODS M11: no contract decides about them)."""
BINDS = re.compile(
    rf"\b(?:{SELLING}|contractual|contracts? (?:terms|penalt\w+|awards?|with|negotiat\w+|renewals?)|regulat(?:or|ors|ory))\b",
    re.IGNORECASE,
)
"""The same, and contracts with somebody and regulators; a scoring contract is none of them."""
