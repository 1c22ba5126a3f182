"""The machine a run happened on."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured

Fact = str | NotMeasured
WEAK = "weak"
"""The first word of the mode of a sandbox that keeps too little in for more than counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """The run controls of a host, as text; a field that the platform lacks is unknown with a reason and matches nothing."""

    host: Fact
    kernel: Fact
    machine: Fact
    python: Fact
    cpu_count: Fact
    cpu_model: Fact
    memory_bytes: Fact
    cgroup_version: Fact
    cgroup_cpu_limit: Fact
    cgroup_memory_limit: Fact
    load_1m: Fact
    disk_free_bytes: Fact
    ntp_synchronised: Fact
    timezone: Fact
    harness_version: Fact
    harness_commit: Fact
    container_image: Fact
    git_version: Fact
    toolchain_python: Fact
    toolchain_digest: Fact
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """One protection of the sandbox: does it hold here, how is that known, what is missing if not."""

    name: str
    holds: bool
    how: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxFacts:
    """What a sandbox can promise on this machine; recorded in the seal."""

    name: str
    version: str
    mode: str
    usable: bool
    protections: tuple[Protection, ...]
    why_not: str = ""

    @property
    def weak(self) -> bool:
        """Does what ran in it count, and support no rate?"""
        return self.mode.partition(",")[0] == WEAK
