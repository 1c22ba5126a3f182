"""A table of prices: what a million tokens of each part cost, in exact decimal text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.envelopes import DecimalText


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Prices of one model per million tokens. An empty one is not stated; cached tokens without a price of their own have none.

    `input` is of tokens that were neither read from nor written to a cache; `output` holds reasoning.
    """

    input: DecimalText = ""
    output: DecimalText = ""
    cached_read: DecimalText = ""
    cache_write: DecimalText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceFile:
    """A table that people write. `version` names it, `unit` is the currency, `model` holds prices by exact model name."""

    version: str
    unit: str
    model: Mapping[str, Price] = field(default_factory=dict)
    schema_version: int = 1
