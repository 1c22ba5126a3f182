"""What routers say about who answered and what it cost: in the body, and in headers of the response."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import number_text
from denominator.wire.numbers import decimal_of
from denominator.wire.providers.loose import as_dict, clean, text_of
from denominator.wire.providers.reply import Reply

_HOSTS = ("x-openrouter-provider", "x-inference-provider", "x-portkey-provider", "x-litellm-model-api-base")
"""Headers in which routers name who answered; the last one holds an address, of which the host is taken."""
_COST = "x-litellm-response-cost"
_SILENT = NotMeasured("the response does not say")


@dataclass(frozen=True, slots=True)
class Cost:
    """Decimal text and its unit: credits, usd, usd_ticks."""

    amount: Text = _SILENT
    unit: Text = _SILENT


def host_of(data: Mapping[str, Any]) -> Any:
    """Who answered, as a router's body says (OpenRouter: `provider`)."""
    provider = data.get("provider")
    return as_dict(provider).get("name") if isinstance(provider, dict) else provider


def quantisation_of(data: Mapping[str, Any]) -> Any:
    """The number format of the weights, where a body names it."""
    provider = data.get("provider")
    held = (data, provider) if isinstance(provider, dict) else (data,)
    return next((told for each in held if (told := each.get("quantization") or each.get("quantisation"))), None)


def cost_of(usage: Mapping[str, Any]) -> Cost:
    """What the provider itself reports in its usage."""
    cost = usage.get("cost")
    ways = (
        (as_dict(cost).get("total_cost"), "usd"),
        (usage.get("cost_in_usd_ticks"), "usd_ticks"),
        (None if isinstance(cost, dict) else cost, "credits"),
    )
    return next((Cost(text, unit) for value, unit in ways if (text := _amount(value))), Cost())


def with_headers(reply: Reply, headers: Iterable[tuple[str, str]]) -> Reply:
    """The reply with what only headers say; the body's word stays where there is one."""
    told = {name.lower(): value.strip() for name, value in headers}
    if not isinstance(reply.host, str):
        host = next((found for name in _HOSTS if (found := _host(told.get(name, "")))), "")
        reply = replace(reply, host=text_of(host, _SILENT.not_measured))
    amount = _amount(told.get(_COST))
    # litellm writes 0.0 for a model whose price it does not know, so that 0 says nothing there.
    if amount not in ("", "0") and not isinstance(reply.provider_cost, str):
        reply = replace(reply, provider_cost=amount, provider_cost_unit="usd")
    return reply


def _host(value: str) -> str:
    """A name as it is, an address by its host: its path and query may hold what nobody needs."""
    if "://" not in value:
        return clean(value)
    try:
        return clean(urlsplit(value).hostname or "")
    except ValueError:
        return ""


def _amount(value: Any) -> str:
    """A cost as plain decimal text; "" for what is none."""
    number = decimal_of(str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
    return number_text(number) if number is not None and number >= 0 else ""
