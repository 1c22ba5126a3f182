"""What may not travel: forms of secrets, and paths of home folders. They are found before anything is packed.

Digests look like long random texts, so that the guess at those is not asked; every form that `wire.private` knows is.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.errors import Problem
from denominator.wire.private import PERSONAL, SECRETS

HOME = "a home folder"
FORMS = {**SECRETS, HOME: PERSONAL[HOME]}
MOST = 5
"""Places that are named a file at most."""


def private_places(name: str, data: bytes) -> Iterator[Problem]:
    """Where a file holds what may not travel: its line and the kind, never what stands there."""
    text = data.decode("utf-8", "replace")
    for kind, form in FORMS.items():
        for number, match in enumerate(form.finditer(text)):
            if number == MOST:
                yield Problem(name, f"{kind}, and more of them")
                break
            yield Problem(f"{name}:{text.count(chr(10), 0, match.start()) + 1}", kind)
