"""What may not travel: forms of secrets, and paths of home folders. They are found before anything is packed.

Digests look like long random texts, so that the guess at those is not asked; every form that `wire.private` knows is.
What the sealed pack itself holds is no secret of the run: it is known by the digest of what was matched, wherever it stands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from denominator.errors import Problem
from denominator.wire.private import PERSONAL, SECRETS
from denominator.wire.secrets import BLOCK, KEY, Secrets
from denominator.wire.secrets import NONE as NO_SECRETS

HOME = "a home folder"
FORMS = {**SECRETS, HOME: PERSONAL[HOME]}
MOST = 5
"""Places that are named a file at most."""
_NONE: frozenset[str] = frozenset()


def private_places(
    name: str,
    data: bytes,
    known: frozenset[str] = _NONE,
    secrets: Secrets = NO_SECRETS,
    forms: Mapping[str, re.Pattern[str]] = FORMS,
) -> Iterator[Problem]:
    """Where a file holds what may not travel: its line and the kind, never what stands there.

    Matches whose digest is among the `known` ones (`private_values` of what may be shown) are passed over; a value of
    `secrets` never is.
    """
    text = data.decode("utf-8", "replace")
    yield from (Problem(name, said) for said in secrets.known_in(data))
    for kind, form in forms.items():
        found = (match for match in form.finditer(text) if not known or _digest(kind, match) not in known)
        for number, match in enumerate(found):
            if number == MOST:
                yield Problem(name, f"{kind}, and more of them")
                break
            yield Problem(f"{name}:{text.count(chr(10), 0, match.start()) + 1}", kind)


def private_values(data: bytes) -> Iterator[str]:
    """The digest of everything in a file that looks like what may not travel."""
    text = data.decode("utf-8", "replace")
    for kind, form in FORMS.items():
        yield from (_digest(kind, match) for match in form.finditer(text))


def _digest(kind: str, match: re.Match[str]) -> str:
    """Of the kind and the value: of a password without its name, of a private key the whole of it, not its first line."""
    value = match.groupdict().get("value") or match[0]
    if kind == KEY and (whole := BLOCK.match(match.string, match.start())):
        value = whole[0]
    return hashlib.sha256(f"{kind}\n{value}".encode("utf-8", "surrogatepass")).hexdigest()
