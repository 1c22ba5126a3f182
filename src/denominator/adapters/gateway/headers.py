"""Which headers pass, in each direction."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

Headers = list[tuple[str, str]]

HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"}
    | {"te", "trailer", "trailers", "transfer-encoding", "upgrade"}
)
CREDENTIALS = ("authorization", "x-api-key", "api-key")
_NOT_SENT = HOP_BY_HOP | set(CREDENTIALS) | {"host", "content-length", "accept-encoding", "cookie", "expect"}
# The last two name the account that pays.
_NOT_SHOWN = HOP_BY_HOP | {"content-length", "set-cookie", "openai-organization", "anthropic-organization-id"}


def token_of(headers: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The credential of a request: the header it came in (lower case) and its bare value; ("", "") without one."""
    for name, value in headers:
        if name.lower() in CREDENTIALS:
            bare = value.strip()
            scheme, _, rest = bare.partition(" ")
            return name.lower(), rest.strip() if scheme.lower() == "bearer" else bare
    return "", ""


def is_token(given: str, token: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def passed_on(headers: Headers) -> Headers:
    """The agent's headers as far as they are the provider's business: no token, nothing of this connection alone."""
    passed = _without(headers, _NOT_SENT)
    asked = " ".join(value for name, value in headers if name.lower() == "accept-encoding").lower()
    # Only what we can read ourselves; other encodings would hide usage, and the key, from us.
    passed.append(("Accept-Encoding", "gzip" if "gzip" in asked else "identity"))
    return passed


def with_key(headers: Headers, place: str, key: str) -> Headers:
    """The same with the real key, in the header in which the token came."""
    if not key:
        return headers
    return [*headers, ("Authorization", f"Bearer {key}") if place == "authorization" else (place, key)]


def to_agent(headers: Headers, key: str) -> Headers:
    """The provider's headers for the agent; one that holds the key is dropped."""
    return [(name, value) for name, value in _without(headers, _NOT_SHOWN) if not (key and key in f"{name}: {value}")]


def _without(headers: Headers, dropped: Iterable[str]) -> Headers:
    named = {
        part.strip().lower() for name, value in headers if name.lower() == "connection" for part in value.split(",")
    }
    gone = set(dropped) | named
    return [(n, v) for n, v in headers if n.lower() not in gone and "\n" not in v and "\r" not in v]
