"""The model calls of an attempt as lines of text: who answered, how it ended, what it took, and what was unusual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from denominator.publish.terminal.page import Page

ODD = ("error", "cap_state", "injected", "cassette", "retry_of", "cap_injected", "client_left")
"""Fields that are told only where they say something."""


def call_lines(page: Page, calls: Iterable[Mapping[str, Any]]) -> None:
    """One item a call, from its row as JSON; conversations are numbered in the order in which they begin."""
    threads: dict[str, int] = {}
    for call in calls:
        page.item(_told(call, threads), hang=16)


def _told(call: Mapping[str, Any], threads: dict[str, int]) -> str:
    thread = call.get("thread")
    number = f"c{threads.setdefault(thread, len(threads) + 1)}" if isinstance(thread, str) else "-"
    parts = [f"{call['seq']:>5}  {number:<3} {call['purpose']} {call['outcome']} {_said(call, 'status')}", _model(call)]
    usage = call.get("usage") or {}
    parts.append(f"prompt {_said(usage, 'prompt')}, completion {_said(usage, 'completion')}")
    parts.append(", ".join(f"{name} {value}" for name, value in sorted((call.get("decoding") or {}).items())))
    parts.append(_tools(call.get("tool_calls") or ()))
    parts += [f"{name}={_short(call[name])}" for name in ODD if _says(call.get(name))]
    return "  ".join(part for part in parts if part)


def _model(call: Mapping[str, Any]) -> str:
    """Asked and served name, then what the answer says of who served it."""
    asked, served = _said(call, "asked_model"), _said(call, "served_model")
    names = asked if asked == served else f"{asked} -> {served}"
    more = [str(call[name]) for name in ("host", "quantisation", "fingerprint") if _says(call.get(name))]
    return f"{names} ({', '.join(more)})" if more else names


def _tools(calls: Iterable[str]) -> str:
    names = [one.rpartition(":")[0] for one in calls]
    return f"tools {', '.join(names)}" if names else ""


def _says(value: object) -> bool:
    """Does a field say something? An unmeasured one is an object with its reason."""
    return bool(value) and not isinstance(value, dict)


def _said(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "?" if value is None or isinstance(value, dict) else str(value)


def _short(value: object) -> str:
    text = str(value)
    return text[:12] if len(text) == 64 else text
