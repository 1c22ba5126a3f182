"""The declared interpreter: its version, and one digest of the program and of what is installed for it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

from denominator.records.boxes import Fact
from denominator.records.values import NotMeasured
from denominator.wire.canonical import digest

__all__ = ["toolchain"]

ASK = """
import importlib.metadata, json, platform, sys
print(json.dumps({
    "implementation": platform.python_implementation(),
    "version": platform.python_version(),
    "build": sys.version,
    "distributions": sorted({f"{d.metadata['Name']}=={d.version}" for d in importlib.metadata.distributions()}),
}))
"""


def toolchain(python: str) -> tuple[Fact, Fact]:
    """(implementation and version, digest over the program's bytes, its build and its distributions)."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", ASK], capture_output=True, timeout=60, check=True, stdin=subprocess.DEVNULL
        )
        said = json.loads(done.stdout)
        program = hashlib.sha256(Path(python).resolve(strict=True).read_bytes()).hexdigest()
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        unknown = NotMeasured(f"{python} does not run: {type(error).__name__}")
        return unknown, unknown
    version = f"{said['implementation']} {said['version']}"
    return version, digest({**said, "program": program})
