"""The bytes of a request: the same case, mode and model give the same bytes on every machine."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from decimal import Decimal

from denominator.records.events import Json
from denominator.records.probe_words import Mode
from denominator.records.probes import Case
from denominator.wire.byvalue import number_text
from denominator.wire.canonical import canonical

MODEL = "$model"
"""Stands in the text of a malformed control for the model's name as JSON."""
MAX_TOKENS = "max_tokens"
RAW = "$base64"
"""The one key of a control's body that is bytes."""
DECIMAL = "$decimal"
"""The one key of a field of `request` that is a number with a fraction: {"$decimal": "0.9"} goes out as 0.9."""


def model_of(case: Case, model: str) -> str:
    """The model that this case asks for, where the envelope names `model`."""
    return case.model or model


def request_body(case: Case, mode: str, model: str, cap_field: str = MAX_TOKENS) -> bytes:
    """The body to send: canonical JSON; of a malformed control what its author wrote. `model` is the envelope's.

    `cap_field` names the output cap; whoever reads the body back finds the same cap under either name.
    """
    name = model_of(case, model)
    return _control(case.body, name) if case.control else _written(_fields(case, mode, name, cap_field))


def _fields(case: Case, mode: str, model: str, cap_field: str) -> dict[str, bytes]:
    """Every field of the body as its JSON text."""
    found: dict[str, Json] = {
        **case.request,
        "model": model,
        "messages": _messages(case),
        cap_field: case.max_tokens,
    }
    if mode == Mode.STREAM:
        found |= {"stream": True} | ({"stream_options": {"include_usage": True}} if case.stream_usage else {})
    texts = {name: _text(value) for name, value in found.items()}
    if case.temperature:
        texts["temperature"] = number_text(Decimal(case.temperature)).encode()
    return texts


def _text(value: Json) -> bytes:
    """JSON of a field; a fraction is written as it is meant, in its shortest form."""
    if isinstance(value, Mapping) and DECIMAL in value:
        return number_text(Decimal(str(value[DECIMAL]))).encode()
    return canonical(value)


def _messages(case: Case) -> list[Json]:
    said = (("system", case.system), ("user", case.prompt))
    return [{"role": role, "content": text} for role, text in said if text]


def _written(texts: Mapping[str, bytes]) -> bytes:
    """An object of fields that are JSON already; a fraction (a temperature) cannot go through `canonical`."""
    return b"{" + b",".join(canonical(name) + b":" + texts[name] for name in sorted(texts)) + b"}"


def _control(body: Json, model: str) -> bytes:
    """Text and bytes as they stand, with the model's name put in; an object as JSON."""
    name = canonical(model)
    if isinstance(body, str):
        return body.encode().replace(MODEL.encode(), name)
    if isinstance(body, Mapping) and set(body) == {RAW}:
        return b64decode(str(body[RAW])).replace(MODEL.encode(), name)
    return canonical({"model": model, **body} if isinstance(body, Mapping) else body)
