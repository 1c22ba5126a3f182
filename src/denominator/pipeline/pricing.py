"""Tokens -> money by a named table: exact, model by model, and unknown as soon as one part of it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from denominator.errors import InputError, Problem
from denominator.metrics.account import tokens_by_model
from denominator.records.estimates import Estimate
from denominator.records.judgements import Judged, Sheet
from denominator.records.prices import Price, PriceFile
from denominator.records.spends import Money, Part
from denominator.records.values import NotMeasured
from denominator.stats.decimals import decimal6, finite_decimal
from denominator.wire.bounded import read_text
from denominator.wire.canonical import sha256_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.toml import read_toml

MILLION = 1_000_000
PLACES = 60
Amount = Fraction | NotMeasured


class PriceTable(Protocol):
    """A table of prices with its version and the digest of its data."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def unit(self) -> str: ...
    def price(self, model: str) -> Price | NotMeasured:
        """The prices of a model by its exact name, or why there are none."""
        ...


class FileTable:
    """A price table that a person wrote: TOML, or JSON of the same keys."""

    def __init__(self, name: str, digest: str, file: PriceFile) -> None:
        self.name, self.digest, self._file = name, digest, file

    @property
    def version(self) -> str:
        """As the file names it."""
        return self._file.version

    @property
    def unit(self) -> str:
        """The currency."""
        return self._file.unit

    def price(self, model: str) -> Price | NotMeasured:
        """By the exact name."""
        found = self._file.model.get(model)
        return (
            NotMeasured(f"{self.name} has no price of {model or 'a model that nobody names'}")
            if found is None
            else found
        )


def read_prices(path: Path) -> FileTable:
    """Read a table; every bad price is named. Raises InputError."""
    text = read_text(path)
    if path.suffix == ".json":
        data = loads(text, str(path))
        file = from_json(PriceFile, {"schema_version": 1, **data} if isinstance(data, dict) else data, str(path))
    else:
        file = read_toml(PriceFile, text, str(path))
    problems = [*_unnamed(file, path), *_bad(file, path)]
    if problems:
        raise InputError("the price table cannot be used", where=str(path), problems=problems)
    return FileTable(path.name, sha256_bytes(text.encode()), file)


def _unnamed(file: PriceFile, path: Path) -> Iterable[Problem]:
    for name in ("version", "unit"):
        if not getattr(file, name).strip():
            yield Problem(f"{path} {name}", "is empty", f'state the {name}, such as {name} = "2026-11"')


def _bad(file: PriceFile, path: Path) -> Iterable[Problem]:
    for model, price in file.model.items():
        for name in Price.__dataclass_fields__:
            text = getattr(price, name)
            value = finite_decimal(text) if text else Decimal(0)
            if value is None or value < 0 or len(text) > PLACES:
                yield Problem(
                    f"{path} model.{model}.{name}", f"{text!r} is no price", "a decimal of 0 or more per million"
                )


def money_of(sheet: Sheet, judged: Judged, table: PriceTable) -> Money:
    """The tokens of the solvable slice in money. Per accepted patch only where tokens per accepted patch may be printed."""
    of_models = {model: _cost(model, parts, table) for model, parts in tokens_by_model(sheet).items()}
    total = _sum(of_models)
    each = total if isinstance(total, NotMeasured) else _each(total, judged.estimate("tokens_per_accepted"))
    return Money(
        table=table.name,
        version=table.version,
        digest=table.digest,
        unit=table.unit,
        total=_text(total),
        per_accepted=_text(each),
        of_models=tuple((model or "not named", _text(cost)) for model, cost in of_models.items()),
    )


def _each(total: Fraction, qap: Estimate | None) -> Amount:
    """A share per accepted patch, where tokens per accepted patch have one."""
    if qap is None:
        return NotMeasured("no accepted patches")
    if isinstance(qap.value, NotMeasured):
        return qap.value
    return qap.denominator if isinstance(qap.denominator, NotMeasured) else total / qap.denominator


def _sum(costs: Mapping[str, Amount]) -> Amount:
    missing = [cost for cost in costs.values() if isinstance(cost, NotMeasured)]
    if missing or not costs:
        return missing[0] if missing else NotMeasured("no tokens were recorded")
    return sum((cost for cost in costs.values() if isinstance(cost, Fraction)), Fraction(0))


def _cost(model: str, parts: Sequence[Part], table: PriceTable) -> Amount:
    """The exact cost of one model's tokens."""
    price = table.price(model)
    if isinstance(price, NotMeasured):
        return price
    tokens: dict[str, int | NotMeasured] = {}
    for part in parts:
        lost = NotMeasured(
            f"{part.name} tokens of {part.unknown} of {part.attempts} are unknown ({model or 'no model'})"
        )
        tokens[part.name] = lost if part.unknown else part.known
    prompt, output = tokens["prompt"], tokens["completion"]
    if isinstance(prompt, NotMeasured):
        return prompt
    if isinstance(output, NotMeasured):
        return output
    cached = _cached(tokens, price)
    if isinstance(cached, NotMeasured):
        return cached
    fresh = prompt - sum(count for count, _ in cached)
    charged = ((fresh, price.input), (output, price.output), *cached)
    if any(count and not text for count, text in charged):
        return NotMeasured(f"{table.name} states no price of every part of {model}")
    return sum((Fraction(text) * count for count, text in charged if count), Fraction(0)) / MILLION


def _cached(tokens: Mapping[str, int | NotMeasured], price: Price) -> list[tuple[int, str]] | NotMeasured:
    """Cached tokens with their own price. Where the table has none, they cost what other input does, however many they are."""
    found = []
    for name in ("cached_read", "cache_write"):
        text, count = getattr(price, name), tokens[name]
        if not text:
            continue
        if isinstance(count, NotMeasured):
            return count
        found.append((count, text))
    return found


def _text(amount: Amount) -> str | NotMeasured:
    """Exact decimal text: prices are decimals per million, so that it always ends, except for a share per patch."""
    if isinstance(amount, NotMeasured):
        return amount
    scale, places = amount, 0
    while scale.denominator != 1 and places < PLACES:
        scale, places = scale * 10, places + 1
    if scale.denominator != 1:
        return decimal6(amount)
    digits = str(scale.numerator).rjust(places + 1, "0")
    return digits if not places else f"{digits[:-places]}.{digits[-places:]}"
