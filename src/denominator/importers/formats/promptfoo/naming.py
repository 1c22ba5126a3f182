"""Names of providers without paths, addresses and commands of somebody's machine."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

PROGRAMS = ("file:", "python:", "exec:", "ruby:", "golang:", "package:")
ADDRESSES = ("http:", "https:", "ws:", "wss:", "webhook:")
SCRIPT = re.compile(r"\.(?:js|ts|mjs|cjs|py|rb|go)(?::\w+)?\Z")
NOT_NAMED = "a provider without a name"


def provider_id(provider: object) -> str:
    """The id of a provider; a provider may be the id itself."""
    found = provider.get("id") if isinstance(provider, dict) else provider
    return found.strip()[:400] if isinstance(found, str) else ""


def is_own_program(name: str) -> bool:
    """Is it a program, a file or an address of the one who ran it, so that its name says nothing of a model?"""
    return not name or name.startswith((*PROGRAMS, *ADDRESSES, "/", "\\", ".")) or SCRIPT.search(name) is not None


def shown(provider: object) -> str:
    """The label of a provider, else its id; of a path its last part, of an address its host, of a command nothing more."""
    label = provider.get("label") if isinstance(provider, dict) else None
    if isinstance(label, str) and label.strip() and label.isprintable() and not is_own_program(label.strip()):
        return label.strip()[:80]
    name = provider_id(provider)
    if not name or not name.isprintable():
        return NOT_NAMED
    if name.startswith("exec:"):
        return "exec"
    if name.startswith(ADDRESSES):
        return _host(name.removeprefix("webhook:"))
    if is_own_program(name):
        return f"{name.partition(':')[0]}:{_last(name)}" if name.startswith(PROGRAMS) else _last(name)
    return name[:80]


def _last(name: str) -> str:
    return re.split(r"[/\\]", name.rpartition("file://")[2])[-1].split("?")[0][:80]


def _host(address: str) -> str:
    try:
        found = urlsplit(address)
        return f"{found.scheme}://{found.hostname}"[:80] if found.hostname else found.scheme
    except ValueError:
        return "an address"
