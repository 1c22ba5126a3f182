"""Exit statuses that say who or what ended the process, not how tests went (measured; SIGNATURES "Runner endings")."""

from __future__ import annotations

from denominator.records.values import NotMeasured

NAMES = {
    1: "HUP",
    2: "INT",
    3: "QUIT",
    4: "ILL",
    5: "TRAP",
    6: "ABRT",
    7: "BUS",
    8: "FPE",
    9: "KILL",
    11: "SEGV",
    13: "PIPE",
    14: "ALRM",
    15: "TERM",
    24: "XCPU",
    25: "XFSZ",
    31: "SYS",
}
CRASHES = frozenset((4, 5, 6, 7, 8, 11, 31))
"""Signals that a process earns by what it did itself."""
TIMEOUT_STATUS = 124
NOT_STARTED = {126: "the command cannot be executed", 127: "the command was not found"}


def signal_of(status: int | NotMeasured, signal: int | NotMeasured) -> int:
    """The signal that ended the runner, or 0: told apart, as a negative status, or as a shell's 128 + n."""
    if isinstance(signal, int) and signal > 0:
        return signal
    if not isinstance(status, int):
        return 0
    if status < 0:
        return -status
    return status - 128 if status - 128 in NAMES else 0
