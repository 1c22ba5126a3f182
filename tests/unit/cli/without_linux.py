"""Runs verbs in a process that lacks what only Linux has: started by test_other_platforms.py, prints their ends as JSON."""

import contextlib
import io
import json
import os
import resource
import select
import signal
import socket
import sys

LINUX_ONLY = {
    os: """O_PATH O_TMPFILE O_DIRECT O_NOATIME O_LARGEFILE P_PIDFD memfd_create pidfd_open sched_getaffinity posix_fadvise
        sched_setaffinity posix_fallocate copy_file_range splice eventfd getrandom setns unshare getxattr setxattr listxattr
        removexattr getresuid getresgid setresuid setresgid fdatasync pipe2""",
    socket: "AF_VSOCK AF_PACKET AF_NETLINK AF_ALG SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED",
    signal: "sigtimedwait sigwaitinfo SIGPWR SIGSTKFLT SIGRTMIN SIGRTMAX SIGPOLL",
    select: "epoll",
    resource: "prlimit RLIMIT_SIGPENDING RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_MSGQUEUE",
}


class NoSandboxes:
    """Refuses to import what no reading verb may need."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith("denominator.adapters.sandboxes"):
            raise ImportError(f"{name} is not for reading verbs")


def ends(verbs):
    """(exit code, stdout, stderr) of each."""
    from denominator.cli.main import run_cli

    for args in verbs:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_cli(args)
        yield [code, out.getvalue(), err.getvalue()]


if __name__ == "__main__":
    for module, names in LINUX_ONLY.items():
        for one in names.split():
            if hasattr(module, one):
                delattr(module, one)
    sys.platform = "darwin"
    if sys.argv[1] == "reading":
        sys.meta_path.insert(0, NoSandboxes())
    json.dump(list(ends(json.loads(sys.argv[2]))), sys.stdout)
