"""The conditions of a column, in the words of a manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.importers.foreign import digest
from denominator.importers.formats.promptfoo.cases import asks_a_model, assertion_types
from denominator.importers.formats.promptfoo.document import Found
from denominator.importers.formats.promptfoo.naming import is_own_program, provider_id, shown
from denominator.importers.formats.promptfoo.plan import OPTIONS, repeat_of

SAMPLING = {"temperature": "temperature", "max_tokens": "max_output_tokens", "seed": "seed"}
NOT_STATED = "the configuration in the document does not state it for this provider"


def conditions(found: Found, column: int) -> tuple[dict[str, object], dict[str, str]]:
    """What is recorded, and why the rest is not."""
    row = next((row for _, row in found.of(column)), {})
    provider, unknown = row.get("provider"), {}
    document: dict[str, object] = {"name": "promptfoo", "harness_name": "promptfoo", "scorer": _scorer(found, column)}
    if _option(found.config, "repeat") is not None:
        document["repeats"] = repeat_of(found.config)
    if isinstance(found.tool, str) and found.tool.strip():
        document["harness_version"] = found.tool.strip()[:60]
    if isinstance(found.timestamp, str) and found.timestamp[:4].isdecimal():
        document["started_at_utc"] = found.timestamp[:40]
    if is_own_program(provider_id(provider)):
        unknown["model_id"] = f"the provider is a program or an address of its own ({shown(provider)})"
    else:
        document["model_id"] = provider_id(provider)[:200]
    if isinstance(raw := found.prompt(column).get("raw"), str) and raw:
        document["prompt_template_sha256"] = digest(raw)
    for key, value in _sampling(found.config, provider):
        document[SAMPLING[key]] = value
    for word in SAMPLING.values():
        if word not in document:
            unknown[word] = NOT_STATED
    if (threads := _option(found.config, "maxConcurrency")) is not None:
        document["concurrency"] = threads
    return document, unknown


def _scorer(found: Found, column: int) -> str:
    kinds = {kind for _, row in found.of(column) for kind in assertion_types(row)}
    if any(kind == "human" for kind in kinds):
        return "person"
    return "model" if any(asks_a_model(kind) for kind in kinds) else "tests"


def _sampling(config: Mapping[str, Any], provider: object) -> Iterator[tuple[str, int | Decimal]]:
    """Numbers that the configuration gives the provider of this name, where one entry alone has it."""
    listed = config.get("providers")
    same = [
        one
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and provider_id(one) and provider_id(one) == provider_id(provider)
        if (one.get("label") or "") == ((provider.get("label") or "") if isinstance(provider, dict) else "")
    ]
    table = same[0].get("config") if len(same) == 1 else None
    for key in SAMPLING:
        value = table.get(key) if isinstance(table, dict) else None
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            yield key, value


def _option(config: Mapping[str, Any], name: str) -> int | None:
    for table in reversed(OPTIONS):
        options = config.get(table)
        value = options.get(name) if isinstance(options, dict) else None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None
