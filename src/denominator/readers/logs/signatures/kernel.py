"""The kernel's own sentences about memory. A lone `Killed` is what shells, mutation tests and prose say."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("kernel")

SIGNATURES = (
    sign(
        "kernel_oom",
        "B",
        "oom_sandbox",
        rb"(?:memory cgroup )?out of memory: (?:killed|kill) process \d+|oom-kill:constraint=\w+"
        rb"|oom_reaper: reaped process \d+|invoked oom-killer",
        (b"out of memory: kill", b"oom-kill:", b"oom_reaper", b"oom-killer"),
        b"Memory cgroup out of memory: Killed process 4131 (cc1plus)",
        b"oom-kill:constraint=CONSTRAINT_MEMCG",
        misses=(b"Killed", b"Killed: 14", b"mutants: 14 total, 14 killed", b"out of memory", b"process 137 killed"),
    ),
)
