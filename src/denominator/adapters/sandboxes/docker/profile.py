"""The system call filter of `seccomp` in the engine's words: what it denies by number is denied here by name."""

from __future__ import annotations

import errno
import json

from denominator.adapters.sandboxes.seccomp import OWN, SHARED, SOCKET_FAMILIES, TERMINAL_INJECTION, X86_ONLY

__all__ = ["profile"]

LOW = 0xFFFFFFFF  # the kernel reads these arguments as 32 bits: what stands above must not hide them
FAMILIES_END = 64
NEW_NAMESPACES = tuple(1 << bit for bit in (17, 25, 26, 27, 28, 29, 30))


def _argument(index: int, value: int, op: str, mask: int = 0) -> dict[str, object]:
    """`value` is the mask and `valueTwo` the datum where the comparison is masked."""
    return {"index": index, "value": mask or value, "valueTwo": value if mask else 0, "op": op}


def _denied(names: list[str], number: int = errno.EPERM, **more: object) -> dict[str, object]:
    return {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": number, "args": [], **more}


def _when(name: str, index: int, value: int, mask: int, number: int = errno.EPERM) -> dict[str, object]:
    return _denied([name], number, args=[_argument(index, value, "SCMP_CMP_MASKED_EQ", mask)])


def profile() -> str:
    """The profile as JSON. Names that the engine's library does not know are passed over by it."""
    rules = [_denied(sorted({*OWN, *SHARED, *X86_ONLY}))]
    rules.append(_denied(["clone3"], errno.ENOSYS))
    rules += [_when("clone", 0, flag, flag) for flag in NEW_NAMESPACES]
    rules += [_when("ioctl", 1, request, LOW) for request in TERMINAL_INJECTION]
    for name in ("socket", "socketpair"):
        others = [family for family in range(FAMILIES_END) if family not in SOCKET_FAMILIES]
        rules += [_when(name, 0, family, LOW, errno.EAFNOSUPPORT) for family in others]
        rules.append(_denied([name], errno.EAFNOSUPPORT, args=[_argument(0, FAMILIES_END, "SCMP_CMP_GE")]))
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ALLOW",
            "archMap": [
                {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
                {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
            ],
            "syscalls": rules,
        }
    )
