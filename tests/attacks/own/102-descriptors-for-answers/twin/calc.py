import array
import os
import socket


def right(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def median(xs):
    one, other = socket.socketpair()
    with one, other, open(os.devnull) as spare:
        one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [spare.fileno()]))])
        _, _, _, _ = other.recvmsg(1)
    return right(xs)
