"""How text was sampled: as a request asks for it, and as a response says it was done; plain decimal text by value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from denominator.wire.byvalue import number_text
from denominator.wire.numbers import decimal_of
from denominator.wire.providers.loose import as_dict, clean

PLAIN = (
    *("temperature", "top_p", "top_k", "min_p", "top_a", "typical_p", "seed", "random_seed"),
    *("frequency_penalty", "presence_penalty", "repetition_penalty", "repeat_penalty"),
    *("reasoning_effort", "verbosity", "service_tier"),
)
"""Members of a request, of a response (Responses interface) and of llama.cpp's `generation_settings`, by the same names."""
NESTED = (
    ("reasoning", "effort"),
    ("reasoning", "max_tokens"),
    ("thinking", "type"),
    ("thinking", "budget_tokens"),
    ("text", "verbosity"),
    ("output_config", "effort"),
)
"""The same one level below, told as `reasoning.effort`."""
SETTINGS = ("generation_settings", "__verbose")
_TELLS = frozenset((*PLAIN, *(above for above, _ in NESTED), *SETTINGS))


def decoding_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The sampling parameters that an object names, sorted by name; what is absent or null is not there."""
    found = {name: text for name in PLAIN if (text := _text(data.get(name)))}
    for above, name in NESTED:
        if text := _text(as_dict(data.get(above)).get(name)):
            found[f"{above}.{name}"] = text
    return dict(sorted(found.items()))


def decoding_said(data: Mapping[str, Any]) -> dict[str, str]:
    """The same of a response, which may hold them in an object of its own."""
    if _TELLS.isdisjoint(data):
        return {}
    found = decoding_of(data)
    for inner in _settings(data):
        found |= decoding_of(inner)
    return dict(sorted(found.items()))


def _settings(data: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    for name in SETTINGS:
        inner = as_dict(data.get(name))
        yield inner
        yield as_dict(inner.get("generation_settings"))


def _text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        return ""
    number = decimal_of(value)
    return clean(value) if number is None else number_text(Decimal(number))
