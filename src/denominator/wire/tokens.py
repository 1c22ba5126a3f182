"""Where a secret token occurs in bytes, plainly or in an encoding that is easily undone."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from urllib.parse import quote

LEAST_BYTES = 8


def token_hits(token: str, places: Mapping[str, bytes]) -> tuple[str, ...]:
    """`place: encoding` for every place that holds the token; an empty token occurs nowhere."""
    if not token:
        return ()
    forms = encodings(token)
    return tuple(
        f"{place}: {name}" for place, data in sorted(places.items()) for name, form in forms.items() if form in data
    )


def encodings(token: str) -> dict[str, bytes]:
    """The token as it may be written; of base64 only the parts that no neighbour can change.

    A form that is too short would be found anywhere; such a token is looked for plainly only.
    """
    raw = token.encode()
    forms = {"reversed": raw[::-1], "hex": raw.hex().encode(), "percent": quote(token, safe="").encode()}
    for shift in range(3):
        packed = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
        forms[f"base64+{shift}"] = packed[4 if shift else 0 : len(packed) - 2]
    return {"plain": raw, **{name: form for name, form in forms.items() if len(form) >= LEAST_BYTES}}
