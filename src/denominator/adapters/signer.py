"""Signatures as OpenSSH makes them (`ssh-keygen -Y`, SSHSIG), in a namespace of our own so that no other one passes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from denominator.errors import InputError, MachineError
from denominator.records.bundles import Signed

NAMESPACE = "denominator-bundle"
PROGRAM = "ssh-keygen"
SECONDS = 60
_KEY = re.compile(r"with (\S+) key (SHA256:\S+)")


class SshSigner:
    """Signs and checks with the ssh-keygen of this machine."""

    def sign(self, data: bytes, key: Path) -> bytes:
        """The signature of these bytes by a private key, or by the public half of one that an agent holds."""
        if not key.is_file():
            raise InputError("there is no such key", where=str(key), fix="name a private key of ssh-keygen")
        done = _run(["-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key)], data)
        if done is None:
            raise MachineError(f"{PROGRAM} is not here", where=str(key), fix="install the OpenSSH client")
        if done.returncode or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE"):
            raise InputError(f"cannot sign: {_said(done.stderr)}", where=str(key), fix=f"try it: {PROGRAM} -Y sign")
        return done.stdout

    def check(self, data: bytes, signature: Path, allowed: Path | None = None) -> Signed:
        """Is it a signature of these bytes in our namespace, by which key, and is that key one of those `allowed`?"""
        done = _run(["-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(signature)], data)
        if done is None:
            return Signed(state="unchecked", why=f"{PROGRAM} is not here")
        if done.returncode:
            return Signed(state="bad", why=f"is no signature of these sums: {_said(done.stderr or done.stdout)}")
        found = _KEY.search(done.stdout.decode("utf-8", "replace"))
        key = f"{found[1]} {found[2]}" if found else "of an unknown kind"
        return Signed(state="good", key=key, who=_who(data, signature, allowed) if allowed else "")


def _who(data: bytes, signature: Path, allowed: Path) -> str:
    """The first name under which the reader's own file allows this key for our namespace, now; "" for none."""
    found = _run(["-Y", "find-principals", "-s", str(signature), "-f", str(allowed)], b"")
    for name in found.stdout.decode("utf-8", "replace").splitlines() if found and not found.returncode else []:
        asked = ["-Y", "verify", "-n", NAMESPACE, "-s", str(signature), "-f", str(allowed), "-I", name]
        if (done := _run(asked, data)) and not done.returncode:
            return name
    return ""


def _run(args: list[str], data: bytes) -> subprocess.CompletedProcess[bytes] | None:
    """None where the program is not here."""
    try:
        return subprocess.run([PROGRAM, *args], input=data, capture_output=True, timeout=SECONDS, check=False)
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        raise MachineError(f"{PROGRAM} did not end within {SECONDS} s", where=PROGRAM) from None


def _said(text: bytes) -> str:
    lines = text.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else "it does not say why"
