"""The known texts, by family. A test holds every one against its own examples and near misses."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.readers.logs.shape import Signature
from denominator.readers.logs.signatures import (
    clients,
    container,
    disk,
    git,
    k8s,
    kernel,
    machine,
    memory,
    network,
    packages,
    ssh,
)

SIGNATURES: tuple[Signature, ...] = (
    *git.SIGNATURES,
    *ssh.SIGNATURES,
    *container.SIGNATURES,
    *k8s.SIGNATURES,
    *kernel.SIGNATURES,
    *memory.SIGNATURES,
    *disk.SIGNATURES,
    *network.SIGNATURES,
    *clients.SIGNATURES,
    *packages.SIGNATURES,
    *machine.SIGNATURES,
)
BY_NAME: Mapping[str, Signature] = {one.name: one for one in SIGNATURES}
