"""Disks: full, read-only, broken."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("disk")

SIGNATURES = (
    sign(
        "disk_full",
        "SVHB",
        "disk_full",
        rb"no space left on device|\berrno 28\b|\bENOSPC\b|database or disk is full|disk quota exceeded|\bEDQUOT\b",
        (b"no space left", b"errno 28", b"enospc", b"disk is full", b"disk quota exceeded", b"edquot"),
        b"OSError: [Errno 28] No space left on device: '/tmp/run-tmp/gw0'",
        b"npm ERR! code ENOSPC",
        b"sqlite3.OperationalError: database or disk is full",
        unless=rb"/dev/full",
        misses=(b"there is space left on this device", b"errno 281", b"write to /dev/full: No space left on device"),
    ),
    sign(
        "disk_read_only",
        "VS",
        "sandbox_config",
        rb"read-only file system|\bEROFS\b",
        (b"read-only file system", b"erofs"),
        b"mkdir: cannot create directory '/cache': Read-only file system",
        misses=(b"a file system that is read-only",),
    ),
    sign(
        "disk_broken",
        "SVHB",
        "io_error",
        rb"\binput/output error\b|stale (?:nfs )?file handle|structure needs cleaning|\[errno 5\]|\[errno 116\]",
        (b"input/output error", b"stale", b"structure needs cleaning", b"[errno 5]", b"[errno 116]"),
        b"cp: error reading '/mnt/a': Input/output error",
        b"ls: cannot access '/mnt': Stale file handle",
        misses=(b"input and output errors", b"stale cache", b"[errno 51]"),
    ),
)
