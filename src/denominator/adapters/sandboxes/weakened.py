"""Protections taken away one by one, so that tests can show that each is missed. `wiring` never sets one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from denominator.adapters.sandboxes.seccomp import Arch

__all__ = ["DROP", "Weakened"]

DROP = ("--clear-groups", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs")
KEPT = ("--clear-groups", "--inh-caps=+setuid", "--ambient-caps=+setuid")
PROC_SYS = ["--ro-bind", "/proc/sys", "/proc/sys"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakened:
    """What is left out. bubblewrap itself sets no_new_privs, so that one cannot be taken away here.

    `rlimits` are those on files and core files, `calls` are numbers that the filter lets pass.
    """

    cgroups: bool = False
    seccomp: bool = False
    network: bool = False
    pids: bool = False
    proc_sys: bool = False
    uid: bool = False
    capabilities: bool = False
    rlimits: bool = False
    parent: bool = False
    calls: tuple[int, ...] = ()

    def options(self, words: list[str]) -> list[str]:
        """The options of bubblewrap without those that are left out."""
        gone = {"--unshare-net": self.network, "--unshare-pid": self.pids, "--die-with-parent": self.parent}
        kept = [word for word in words if not gone.get(word)]
        at = next((n for n in range(len(kept)) if kept[n : n + 3] == PROC_SYS), None) if self.proc_sys else None
        return kept if at is None else kept[:at] + kept[at + 3 :]

    def drop(self, ids: tuple[int, int]) -> Sequence[str]:
        """How root gives up its rights before the command starts."""
        if self.uid:
            return ()
        return ("setpriv", f"--reuid={ids[0]}", f"--regid={ids[1]}", *(KEPT if self.capabilities else DROP))

    def filter(self, whole: Arch | None) -> Arch | None:
        """The filter's table without the calls that are left out."""
        if whole is None or self.seccomp:
            return None
        return replace(whole, denied=tuple(number for number in whole.denied if number not in self.calls))

    def limits(self, words: list[str]) -> list[str]:
        """The resource limits; what is left out keeps what this process has."""
        return [":", *(word for word in words if word.split()[1][-1] not in "cfn")] if self.rlimits else words
