"""Environments of whole third-party agents: made once from a locked list, kept beside the checkout, never committed."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
NEWER = ("python3.13", "python3.12")


def newer_python() -> str:
    """An interpreter of version 3.12 or newer: on the path, or beside our own. The test is skipped where there is none."""
    beside = [str(path) for name in NEWER for path in Path(sys.base_prefix).parent.glob(f"*/bin/{name}")]
    for path in (*filter(None, map(shutil.which, NEWER)), *beside):
        if subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return path
    pytest.skip("no Python 3.12 or newer is installed")


def environment(name: str, kind: str = "e2e", python: str = PYTHON) -> Path:
    """The virtual environment of an agent, installed with hashes if it is not there yet (minutes, once).

    `kind` "bench" is that of a peer, which the benchmarks make too.
    It is made from the system's python where nothing newer is needed, because the sandbox's uid can execute that one and perhaps no other.
    """
    locked = ROOT / "requirements" / f"{kind}-{name}.txt"
    digest = hashlib.sha256(locked.read_bytes()).hexdigest()
    folder = ROOT / f".venv-{kind}" / name
    stamp = folder / "installed.sha256"
    if stamp.is_file() and stamp.read_text() == digest:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(exist_ok=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    install = ["-m", "pip", "install", "-q", "--require-hashes", "-r", str(locked)]
    subprocess.run([folder / "bin" / "python", *install], check=True)
    stamp.write_text(digest)
    return folder
