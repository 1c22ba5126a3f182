"""The one scanner of what leaves: forms that secrets have, and secrets of this process that are known by value.

A form is a guess (`wire.private`); a value is certain, and is looked for in every encoding that is easily undone too. The
values come from the environment of whoever calls us, are held in memory only, and are never written or named but by variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from denominator.records.events import Json
from denominator.wire.private import SECRETS
from denominator.wire.tokens import token_hits

LEAST, SURE = 8, 16
"""A value below the first is a word like others; below the second it must hold a digit."""
BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL)
NAMES = re.compile(r"(?i)(?:token|secret|passw(?:or)?d|passphrase|credentials?|(?:\A|_)key|apikey|(?:\A|_)pat)\Z")
KEY = "a private key"
THOROUGH = 1 << 20
"""Bytes up to which every encoding is looked for: patches and reports are smaller, ledgers hold no encodings of ours."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Secrets known by value, by the variable that holds them; without any only forms are looked for."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)

    def known_in(self, data: bytes) -> Iterator[str]:
        """`the value of NAME (encoding)` of each value that the bytes hold; in large ones as it stands only."""
        for name, value in self.values.items():
            if len(data) > THOROUGH:
                hits = [f"{name}: plain"] if value.encode("utf-8", "surrogateescape") in data else []
            else:
                hits = [*token_hits(value, {name: data})]
            yield from (f"the value of {hit.replace(': ', ' (', 1)})" for hit in hits)

    def kind_in(self, text: str) -> str:
        """The first kind of secret whose form or value is in a text, or nothing."""
        for name, value in self.values.items():
            if value in text:
                return f"the value of {name}"
        return next((kind for kind, form in SECRETS.items() if form.search(text)), "")

    def covered(self, text: str) -> str:
        """The same text with a word in the place of every secret."""
        for name, value in self.values.items():
            text = text.replace(value, f"(left out: the value of {name})")
        for kind, form in SECRETS.items():
            if form.search(text):
                text = BLOCK.sub(_word(KEY), text) if kind == KEY else form.sub(partial(_kept, kind), text)
        return text

    def covered_json(self, value: Json) -> Json:
        """The same document, its texts covered; names of members too."""
        match value:
            case str():
                return self.covered(value)
            case list() | tuple():
                return [self.covered_json(one) for one in value]
            case dict():
                return {self.covered(name): self.covered_json(one) for name, one in value.items()}
            case _:
                return value


NONE = Secrets()


def secrets_of(environ: Mapping[str, str], *names: str) -> Secrets:
    """Values of these variables, and of all whose name says that they hold a secret."""
    chosen = {name: value.strip() for name, value in environ.items() if name in names or NAMES.search(name)}
    return Secrets({name: value for name, value in sorted(chosen.items()) if _telling(value)})


def _telling(value: str) -> bool:
    if value.startswith(("/", "~")):  # where a secret lies, not the secret
        return False
    return len(value) >= SURE or (len(value) >= LEAST and any(char.isdigit() for char in value))


def _word(kind: str) -> str:
    return f"(left out: {kind})"


def _kept(kind: str, hit: re.Match[str]) -> str:
    """Of a password only its value goes; its name stays."""
    value = hit.groupdict().get("value")
    return hit[0].replace(value, _word(kind)) if value else _word(kind)
