"""The filter, run by an interpreter of its own: what is denied is denied on both instruction sets, the rest passes."""

import errno
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.sandboxes.seccomp import NEWEST, OWN, SHARED, X86_ONLY, arch, program

X86, ARM = arch("x86_64"), arch("aarch64")
ALLOW, KILL = 0x7FFF0000, 0x80000000


def refuse(number: int) -> int:
    return 0x00050000 | number


def decide(code: bytes, audit: int, number: int, arguments=()) -> int:
    """What the kernel would answer: classic BPF has few instructions, and jumps go forward only."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *[*arguments, *[0] * 6][:6])
    words = list(struct.iter_unpack("<HBBI", code))
    at = held = 0
    while True:
        what, yes, no, value = words[at]
        at += 1
        if what == 0x20:
            held = struct.unpack_from("<I", data, value)[0]
        elif what == 0x06:
            return value
        else:
            true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[what]
            at += yes if true else no


@pytest.mark.parametrize("target", [X86, ARM], ids=["x86_64", "aarch64"])
def test_listed_calls_are_denied(target):
    code = program(target)
    assert len(code) % 8 == 0 and len(code) // 8 < 4096
    for number in target.denied:
        assert decide(code, target.audit, number) == refuse(errno.EPERM), number
    assert decide(code, target.audit, target.clone3) == refuse(errno.ENOSYS)


@pytest.mark.parametrize("target", [X86, ARM], ids=["x86_64", "aarch64"])
def test_arguments_decide(target):
    code = program(target)
    threads = 0x3D0F00
    assert decide(code, target.audit, target.clone, [threads]) == ALLOW
    assert decide(code, target.audit, target.clone, [17]) == ALLOW
    for bit in (17, 25, 26, 27, 28, 29, 30):
        assert decide(code, target.audit, target.clone, [17 | 1 << bit]) == refuse(errno.EPERM)
    assert decide(code, target.audit, target.ioctl, [0, 0x5413]) == ALLOW
    for request in (0x5412, 0x541C, 0x5412 | 1 << 40):
        assert decide(code, target.audit, target.ioctl, [0, request]) == refuse(errno.EPERM)
    for call in (target.socket, target.socketpair):
        for family in (1, 2, 10, 16):
            assert decide(code, target.audit, call, [family]) == ALLOW
        for family in (0, 3, 17, 38, 40, 44):
            assert decide(code, target.audit, call, [family]) == refuse(errno.EAFNOSUPPORT)


def test_foreign_instruction_sets_are_killed():
    assert decide(program(X86), ARM.audit, 0) == KILL
    assert decide(program(X86), 0x40000003, 0) == KILL
    assert decide(program(X86), X86.audit, 0x40000000 | 101) == refuse(errno.ENOSYS)


@settings(database=None)
@given(st.sampled_from([X86, ARM]), st.integers(NEWEST + 1, (1 << 32) - 1))
def test_calls_of_kernels_to_come_are_absent(target, number):
    assert decide(program(target), target.audit, number) == refuse(errno.ENOSYS)


@settings(database=None)
@given(st.integers(0, NEWEST))
def test_everything_else_passes(number):
    special = {X86.clone, X86.clone3, X86.ioctl, X86.socket, X86.socketpair, *X86.denied}
    if number not in special:
        assert decide(program(X86), X86.audit, number, [1]) == ALLOW


def test_tables_have_no_number_twice():
    for column in (0, 1):
        numbers = [pair[column] for pair in OWN.values()] + list(SHARED.values())
        assert len(set(numbers)) == len(numbers)
    assert not set(X86_ONLY.values()) & {pair[0] for pair in OWN.values()}


def test_an_unknown_machine_has_no_filter():
    assert arch("riscv64") is None
