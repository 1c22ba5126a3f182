"""What looks like a secret or like personal data in a text. It names the kind, never what it found.

Patterns find forms, not meanings: a name of a person, an address of a house, a password that looks like a word are not
found. Addresses and numbers that are set aside for examples (example.org, 555-0100) are nobody's and pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

_SECRETS: Mapping[str, str] = {
    "a private key": r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
    "an access key": r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk|gsk|r8|npm|hf)[-_](?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{12,}"
    r"|(?:sk|pk|rk|gsk|hf)[-_](?:[a-z]{1,20}[-_]){0,4}[A-Za-z]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{16,})",
    "a signed token": r"(?<![A-Za-z0-9])eyJ[\w-]{8,}\.[\w-]{8,}",
    "a bearer token": r"(?i)\bbearer\s+[\w.~+/-]{16,}",
    "a name and password in an address": r"://[^/\s:@\"']+:[^/\s@\"']+@",
    "a password": r"(?i)(?<![A-Za-z0-9])(?:(?:api|access|private|secret)[_-]?(?:access[_-]?)?key|passw(?:or)?d|secret"
    r"|(?:api|access|auth)[_-]?token)(?:[\"']\s*[=:]\s*|[ \t]*[=:][ \t]*)[\"']?(?P<value>[^\s\"'{}\[\],]{6,})",
}
_LONG = re.compile(r"[A-Za-z0-9+/_=-]{32,}")
_PIECE = re.compile(r"[A-Za-z0-9]{20,}")
_PERSONAL: Mapping[str, str] = {
    "an e-mail address": r"(?<![\w.+-])[\w.+-]+@(?P<host>[\w-]+(?:\.[\w-]+)+)",
    "a telephone number": r"(?<![\w.,])(?:\+[1-9](?:[ ().-]{0,2}[0-9]){7,14}(?![\w])"
    r"|(?:\([0-9]{3}\) ?|[0-9]{3}[.-])[0-9]{3}[ .-][0-9]{4}(?![\w-])|0[0-9]{2,4}[ /-][0-9]{5,8}(?![\w.,-]))",
    "a home folder": r"(?i)(?<![\w.])/(?:home|users)/[^/\s\"']+|\b[a-z]:\\+users\\",
    "a social security number": r"(?<![\w-])(?!000|666|9)[0-9]{3}-[0-9]{2}-[0-9]{4}(?![\w-])",
    "a payment card": r"(?<![\w-])(?P<card>[0-9](?:[ -]?[0-9]){12,18})(?![\w-])",
    "a bank account": r"(?<!\w)(?P<iban>[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?!\w)",
}
SECRETS = {kind: re.compile(pattern) for kind, pattern in _SECRETS.items()}
PERSONAL = {kind: re.compile(pattern) for kind, pattern in _PERSONAL.items()}
EXAMPLE_HOSTS = re.compile(r"(?i)(?:.*\.)?(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost)\.?\Z")
SECRET_NAMES = re.compile(
    r"(?i)(?:^|[_-])(?:(?:api|access|private|secret)[_-]?(?:access[_-]?)?key|(?:api|access|auth)[_-]?token|secret|passw(?:or)?d"
    r"|authorization|credentials?)\Z"
)


def secret_kinds(text: str) -> tuple[str, ...]:
    """Kinds of secrets whose form is in the text."""
    found = [kind for kind, pattern in SECRETS.items() if pattern.search(text)]
    return tuple(found) or (("a long random text, as keys are",) if _random(text) else ())


def personal_kinds(text: str) -> tuple[str, ...]:
    """Kinds of personal data whose form is in the text."""
    return tuple(
        kind
        for kind, pattern in PERSONAL.items()
        if any(_REAL.get(kind, _any)(match) for match in pattern.finditer(text))
    )


def private_kinds(text: str) -> tuple[str, ...]:
    """Both."""
    return secret_kinds(text) + personal_kinds(text)


def names_secret(name: str) -> bool:
    """Is this the name of a field that holds a secret?"""
    return SECRET_NAMES.search(name) is not None


def _random(text: str) -> bool:
    """A run of 32 or more characters that looks drawn by lot; a digest is one too, a path or a long word is none."""
    return any(_restless(run) or any(map(_mixed, _PIECE.findall(run))) for run in _LONG.findall(text))


def _mixed(piece: str) -> bool:
    """Letters and digits in one word."""
    return sum(char.isdigit() for char in piece) >= 4 and sum(char.isalpha() for char in piece) >= 4


def _restless(run: str) -> bool:
    """Does it go from small to capital letters and digits more often than words do?"""
    kinds = ["A" if char.isupper() else "a" if char.islower() else "0" for char in run if char.isalnum()]
    turns = sum(one != other for one, other in pairwise(kinds))
    return len(set(kinds)) == 3 and 10 * turns >= 3 * len(run)


def _any(_match: re.Match[str]) -> bool:
    return True


def _not_example(match: re.Match[str]) -> bool:
    return EXAMPLE_HOSTS.match(match["host"]) is None


def _not_fiction(match: re.Match[str]) -> bool:
    return re.search(r"555[ .-]?01[0-9]{2}\Z", match[0]) is None


def _luhn(match: re.Match[str]) -> bool:
    """The check digit of payment cards."""
    digits = [int(char) for char in match["card"] if char.isdigit()][::-1]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _mod97(match: re.Match[str]) -> bool:
    """The check digits of bank accounts (ISO 13616)."""
    plain = match["iban"].replace(" ", "")
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


_REAL: Mapping[str, Callable[[re.Match[str]], bool]] = {
    "an e-mail address": _not_example,
    "a telephone number": _not_fiction,
    "a payment card": _luhn,
    "a bank account": _mod97,
}
