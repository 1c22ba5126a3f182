"""Environments of agents that are npm packages: made once from a lock with digests, kept beside the checkout."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from e2e.environment import ROOT


def node_environment(name: str) -> Path:
    """The folder of an agent, installed from its lock if it is not there yet (hundreds of megabytes, once).

    Not by `npm ci`, which demands that the registry knows the agent's packages for every other system too.
    """
    locked = ROOT / "requirements" / "e2e-node" / name
    digest = hashlib.sha256((locked / "package-lock.json").read_bytes()).hexdigest()
    folder = ROOT / ".venv-e2e" / name
    stamp = folder / "installed.sha256"
    if stamp.is_file() and stamp.read_text() == digest:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(locked, folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
    assert hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest() == digest, "more than was locked"
    stamp.write_text(digest)
    return folder
