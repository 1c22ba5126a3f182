"""Where a sandbox has no file system of its own: what a job names by its path inside becomes the host's path.

A path is replaced where it stands alone or begins a word: of the command line, of a list in the environment, or a text of
a JSON object on stdin.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from denominator.adapters.sandboxes.layout import SOCKET
from denominator.ports import Job

__all__ = ["list_on_host", "message_on_host", "on_host", "places"]


def places(job: Job, work: Path) -> dict[str, Path]:
    """The host's place of each path inside that the job has; `work` stands in for a workspace."""
    hosts = {mount.inside: mount.host for mount in job.mounts}
    hosts["/work"] = job.workdir or work
    if job.outdir:
        hosts["/out"] = job.outdir
    if job.socket:
        hosts[SOCKET] = job.socket
    return hosts


def on_host(word: str, hosts: Mapping[str, Path]) -> str:
    """The host's name of a path inside; any other word stays as it is."""
    for inside in sorted(hosts, key=len, reverse=True):
        if word == inside or word.startswith(f"{inside}/"):
            return os.fspath(hosts[inside]) + word[len(inside) :]
    return word


def list_on_host(words: str, hosts: Mapping[str, Path]) -> str:
    """The same for each part of a list with colons."""
    return ":".join(on_host(part, hosts) for part in words.split(":"))


def message_on_host(stdin: bytes, hosts: Mapping[str, Path]) -> bytes:
    """An order that comes on stdin as a JSON object may name paths inside too; any other input stays as it is."""
    try:
        message = json.loads(stdin)
    except ValueError:
        return stdin
    if not isinstance(message, dict):
        return stdin
    own = {name: on_host(value, hosts) if isinstance(value, str) else value for name, value in message.items()}
    return json.dumps(own).encode()
