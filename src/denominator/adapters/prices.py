"""Prices of the package genai-prices (extra `prices`): its bundled data, offline; nothing is fetched or brought up to date."""

from __future__ import annotations

import hashlib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from denominator.records.prices import Price
from denominator.records.values import NotMeasured

PACKAGE = "genai-prices"
FIELDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cached_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}


class GenaiPrices:
    """A price table. Models whose price depends on the time or on the size of a call have no plain one and are unknown."""

    name, unit = PACKAGE, "USD"

    def __init__(self) -> None:
        self._snapshot: Any = import_module("genai_prices.data_snapshot").get_snapshot()
        data = import_module("genai_prices.data").__file__ or ""
        self.version = version(PACKAGE)
        self.digest = hashlib.sha256(Path(data).read_bytes()).hexdigest()

    def price(self, model: str) -> Price | NotMeasured:
        """The prices of a model by its name as the provider gives it (`gpt-5`, `anthropic/claude-...`)."""
        if not model:
            return NotMeasured("no model is named, so it has no price")
        head, _, tail = model.partition("/")
        for provider, name in ((None, model), (head, tail)):
            try:
                _, found = self._snapshot.find_provider_model(name, None, provider, None)
            except LookupError:
                continue
            return _plain(found.prices, model)
        return NotMeasured(f"{PACKAGE} {self.version} does not know {model}")


def _plain(prices: Any, model: str) -> Price | NotMeasured:
    """One price a part, or why there is none."""
    if isinstance(prices, list):
        return NotMeasured(f"the price of {model} depends on when it was called")
    values = {ours: getattr(prices, theirs, None) for ours, theirs in FIELDS.items()}
    if any(hasattr(value, "tiers") for value in values.values()):
        return NotMeasured(f"the price of {model} depends on the size of each call")
    return Price(**{name: str(value) for name, value in values.items() if value is not None})
