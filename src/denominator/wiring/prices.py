"""The price table of the extra `prices`: the package genai-prices, read offline."""

from __future__ import annotations

from denominator.errors import MachineError
from denominator.pipeline.pricing import PriceTable

PACKAGE = "genai-prices"


def packaged_prices() -> PriceTable:
    """The table of the installed package. Raises MachineError without it."""
    from denominator.adapters.prices import GenaiPrices

    try:
        return GenaiPrices()
    except ModuleNotFoundError:
        fix = "install denominator[prices], or name a table of your own: --prices FILE"
        raise MachineError("the package genai-prices is not installed", where="--prices", fix=fix) from None
