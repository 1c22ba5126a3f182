"""The interfaces that are relayed, by path below the base address."""

from __future__ import annotations

import re
from enum import StrEnum


class Api(StrEnum):
    """How request, response and usage of a path are shaped."""

    CHAT = "openai_chat"
    RESPONSES = "openai_responses"
    MESSAGES = "anthropic_messages"
    OTHER = "other"


API_BY_PATH: dict[tuple[str, str], Api] = {
    ("POST", "/chat/completions"): Api.CHAT,
    ("POST", "/completions"): Api.CHAT,
    ("POST", "/responses"): Api.RESPONSES,
    ("POST", "/messages"): Api.MESSAGES,
    ("POST", "/messages/count_tokens"): Api.OTHER,
    ("GET", "/models"): Api.OTHER,
}


# Names may hold slashes, but no segment of dots and no escape, so that the path cannot leave /models.
_ONE_MODEL = re.compile(r"/models(?:/(?!\.+(?:/|$))[A-Za-z0-9._:@+-]+)+")


def api_of(method: str, path: str) -> Api | None:
    """The interface of a request, or None when it is not one that agents may reach with the harness's key."""
    known = API_BY_PATH.get((method, path))
    if known is None and method == "GET" and _ONE_MODEL.fullmatch(path):
        return Api.OTHER
    return known
