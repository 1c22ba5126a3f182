"""Who signs and checks signatures on this machine."""

from __future__ import annotations

from denominator.adapters.signer import SshSigner
from denominator.ports import Signer


def signer() -> Signer:
    """The OpenSSH client's."""
    return SshSigner()
