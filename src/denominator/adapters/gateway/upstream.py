"""The model's endpoint as the harness reaches it: address, and the key that never leaves this process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from denominator.errors import InputError

KEY_CHARS_MIN = 8


@dataclass(frozen=True, slots=True)
class Upstream:
    """`base` is the path that stands for /v1. The key is not in the record's text form."""

    scheme: str
    host: str
    port: int
    base: str
    key: str = field(default="", repr=False)

    @property
    def named(self) -> str:
        """The host as requests name it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = {"http": 80, "https": 443}[self.scheme]
        return host if self.port == usual else f"{host}:{self.port}"

    def hide(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.key, "*" * len(self.key)) if self.key else text


def read_upstream(url: str, key_env: str, environ: Mapping[str, str]) -> Upstream:
    """Reads the arm's endpoint and takes the key from the variable that it names."""
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = 0
    odd = parts.username or parts.password or parts.query or parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not port or odd:
        raise InputError(
            "the model's endpoint is not a plain http or https address",
            where="model.endpoint",
            fix='write what stands before /chat/completions or /messages, such as "http://127.0.0.1:8080/v1"',
        )
    return Upstream(parts.scheme, parts.hostname, port, parts.path.rstrip("/"), _key(key_env, environ))


def _key(name: str, environ: Mapping[str, str]) -> str:
    if not name:
        return ""
    key = environ.get(name, "").strip()
    if len(key) < KEY_CHARS_MIN or not key.isascii() or not key.isprintable():
        # A key that is too short to be told from other text could not be kept out of answers.
        raise InputError(
            f"the environment variable {name} holds no key of at least {KEY_CHARS_MIN} printable characters",
            where="model.key_env",
            fix=f"export {name} in the shell that runs denominator, or leave key_env out for an endpoint without keys",
        )
    return key
