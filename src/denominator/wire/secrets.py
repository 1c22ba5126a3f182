"""The one scanner of what leaves: forms that secrets have, and secrets of this process that are known by value.

A form is a guess (`wire.private`); a value is certain, and is looked for in every encoding that is easily undone too. The
values come from the environment of whoever calls us, are held in memory only, and are never written or named but by variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
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

    def lines(self, text: str) -> Iterator[tuple[str, str]]:
        """Each line with the first kind of secret whose value (in any easy dress) or form it holds, or "".

        A value that is spread over lines is in all of them.
        """
        lines = text.splitlines()
        whole = self._dressed(text)
        found = [self._dressed(line) if whole else "" for line in lines]
        spread = whole if not any(found) else ""
        for line, said in zip(lines, found, strict=True):
            yield line, spread or said or next((kind for kind, form in SECRETS.items() if form.search(line)), "")

    def covered(self, text: str) -> str:
        """The same text with a word in the place of every secret."""
        for name, value in self.values.items():
            text = text.replace(value, f"(left out: the value of {name})")
        if self._dressed(text):
            text = "\n".join(_word(said) if (said := self._dressed(line)) else line for line in text.split("\n"))
        if said := self._dressed(text):
            text = _word(said)
        for kind, form in SECRETS.items():
            if form.search(text):
                text = BLOCK.sub(_word(KEY), text) if kind == KEY else form.sub(partial(_kept, kind), text)
        return text

    def _dressed(self, text: str) -> str:
        """Which value the text holds in another dress."""
        if not any(len(value) <= len(text) for value in self.values.values()):
            return ""
        return next(self.known_in(text.encode("utf-8", "surrogatepass")), "")

    def covered_json(self, value: Json) -> Json:
        """The same document, its texts covered; names of members too."""
        rest = self if self._dressed("\n".join(_texts(value))) else NONE
        return _mapped(rest.covered, value)


NONE = Secrets()


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case dict():
            yield from value
            for one in value.values():
                yield from _texts(one)


def _mapped(covered: Callable[[str], str], value: Json) -> Json:
    match value:
        case str():
            return covered(value)
        case list() | tuple():
            return [_mapped(covered, one) for one in value]
        case dict():
            return {covered(name): _mapped(covered, one) for name, one in value.items()}
        case _:
            return value


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
