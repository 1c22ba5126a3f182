"""From the supervisor to the command: rules opened, places bound, the uid dropped, the domain entered, the filter on."""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from denominator.adapters.sandboxes import kernel
from denominator.adapters.sandboxes.landlock import calls
from denominator.adapters.sandboxes.landlock.orders import ALL, NETWORK, SCOPES, Orders, on_file

__all__ = ["opened", "shown", "start"]

PLACES_BYTES = 1 << 20


def opened(orders: Orders) -> dict[str, int]:
    """A descriptor of every granted path, opened with the harness's rights; in the mounts of this process they get their places.

    Raises OSError for a path that is not there.
    """
    if orders.places and (why := kernel.enter_private_mounts()):
        raise OSError(f"no private mounts: {why}")
    found = {grant.path: os.open(grant.path, os.O_PATH | os.O_CLOEXEC) for grant in orders.grants}
    if orders.places:
        kernel.mount_tmpfs(Path(orders.places), PLACES_BYTES, 0o755)
    for grant in orders.grants:
        if grant.place:
            _bind(found[grant.path], Path(grant.place))
    return found


def _bind(number: int, place: Path) -> None:
    source = Path(f"/proc/self/fd/{number}")
    if source.is_dir():
        place.mkdir(mode=0o755)
    else:
        place.touch(mode=0o644)
    kernel.bind_mount(source, place)


def shown(orders: Orders, numbers: Mapping[str, int]) -> dict[str, int]:
    """The same descriptors by the paths that the command knows."""
    return {grant.place or grant.path: numbers[grant.path] for grant in orders.grants}


def start(orders: Orders, numbers: Mapping[str, int], command: Sequence[str]) -> tuple[int, int]:
    """The command's process id, and the descriptor on which its calls are asked about."""
    parent = os.getpid()
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            _become(orders, numbers, command, parent, theirs)
        except BaseException as error:
            os.write(2, f"the sandbox cannot be made: {error}\n".encode())
        finally:
            os._exit(125)
    theirs.close()
    with ours:
        _, given, _, _ = socket.recv_fds(ours, 1, 1)
    if not given:
        os.waitpid(pid, 0)
        raise OSError("the command's process ended before it was confined")
    return pid, given[0]


def _become(
    orders: Orders, numbers: Mapping[str, int], command: Sequence[str], parent: int, told: socket.socket
) -> None:
    calls.die_with_parent(parent)
    signal.set_wakeup_fd(-1)
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(each, signal.SIG_DFL)
    rules = calls.ruleset(ALL, NETWORK, SCOPES)
    for grant in orders.grants:
        calls.add_path(rules, on_file(grant.rights, numbers[grant.path]), numbers[grant.path])
    if orders.uid >= 0:
        calls.drop_bounding_set()
        os.setgroups([])
        os.setresgid(orders.gid, orders.gid, orders.gid)
        os.setresuid(orders.uid, orders.uid, orders.uid)
        calls.die_with_parent(parent)  # a change of uid forgets it
    calls.restrict(rules)
    *first, last = [base64.b64decode(each) for each in orders.filters]
    for code in first:
        calls.install_filter(code)
    listener = calls.install_filter(last, listen=True)
    socket.send_fds(told, [b"x"], [listener])
    os.close(listener)
    told.close()
    with contextlib.suppress(OSError):
        os.execvpe(command[0], list(command), {"PATH": "/usr/bin:/bin"})
