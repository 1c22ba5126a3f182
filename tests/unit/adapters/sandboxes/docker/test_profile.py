"""The engine's profile says of every call what our own filter says: the two are read side by side."""

import errno
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.sandboxes.docker.profile import profile
from denominator.adapters.sandboxes.seccomp import OWN, SHARED, SOCKET_FAMILIES, X86_ONLY, arch, program
from unit.adapters.sandboxes.test_seccomp import decide

X86 = arch("x86_64")
CODE = program(X86)
RULES = json.loads(profile())
LOOKED_INTO = {"clone": 56, "ioctl": 16, "socket": 41, "socketpair": 53, "clone3": 435}
NUMBERS = {
    **{name: numbers[0] for name, numbers in OWN.items()},
    **SHARED,
    **X86_ONLY,
    **LOOKED_INTO,
    "read": 0,
    "openat": 257,
}


def holds(test: dict, arguments: list[int]) -> bool:
    """One comparison as libseccomp makes it, on 64 bits."""
    value = arguments[test["index"]]
    if test["op"] == "SCMP_CMP_MASKED_EQ":
        return value & test["value"] == test["valueTwo"]
    assert test["op"] == "SCMP_CMP_GE"
    return value >= test["value"]


def by_profile(name: str, arguments: list[int]) -> int:
    """0 when the call passes, else its error number."""
    for rule in RULES["syscalls"]:
        if name in rule["names"] and all(holds(test, arguments) for test in rule["args"]):
            assert rule["action"] == "SCMP_ACT_ERRNO"
            return rule["errnoRet"]
    assert RULES["defaultAction"] == "SCMP_ACT_ALLOW"
    return 0


def by_filter(name: str, arguments: list[int]) -> int:
    answer = decide(CODE, X86.audit, NUMBERS[name], arguments)
    return 0 if answer == 0x7FFF0000 else answer & 0xFFFF


ARGUMENT = st.one_of(
    st.integers(0, 70), st.sampled_from([0x5412, 0x541C, 1 << 28, 1 << 17, 0x01200011]), st.integers(0, (1 << 32) - 1)
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(NUMBERS)), st.lists(ARGUMENT, min_size=6, max_size=6))
def test_profile_and_filter_agree(name, arguments):
    assert by_profile(name, arguments) == by_filter(name, arguments)


@pytest.mark.parametrize("high", [1 << 32, 0xFFFFFFFF << 32])
def test_bits_that_the_kernel_does_not_read_hide_nothing(high):
    assert by_profile("ioctl", [0, high | 0x5412, 0, 0, 0, 0]) == errno.EPERM
    assert by_profile("socket", [high | 40, 0, 0, 0, 0, 0]) == errno.EAFNOSUPPORT
    assert by_profile("clone", [high | 1 << 28, 0, 0, 0, 0, 0]) == errno.EPERM


def test_only_four_families_of_sockets_are_left():
    assert [family for family in range(200) if not by_profile("socket", [family, 0, 0, 0, 0, 0])] == sorted(
        SOCKET_FAMILIES
    )
