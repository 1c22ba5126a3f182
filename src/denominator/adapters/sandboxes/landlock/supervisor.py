"""The process between harness and sandbox: `-c "... main(N)"`, where N is the descriptor of its orders.

It has a Landlock domain of its own that says nothing but "signals stay inside". The command gets a narrower one. So the
command cannot send a signal to its supervisor, while the supervisor may send one to "everybody", which for it is exactly
what descends from it: detached, in other sessions or in the middle of a fork, all in one call.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from dataclasses import dataclass, field

from denominator.adapters.sandboxes.landlock import calls, confining
from denominator.adapters.sandboxes.landlock.asking import Doorkeeper
from denominator.adapters.sandboxes.landlock.filters import numbers
from denominator.adapters.sandboxes.landlock.orders import SCOPES, Orders

__all__ = ["main"]

LOOK_MS = 1000
FAILED = 125


@dataclass(slots=True)
class Supervisor:
    """One command and everything that it starts."""

    orders: Orders
    harness: int
    keeper: Doorkeeper
    command: int
    wake: int
    status: int | None = field(default=None)

    def watch(self) -> int:
        """Until the command ends or the harness says so or dies; then nothing of it lives. Returns the wait status."""
        poll = select.poll()
        for number in (self.orders.lifeline, self.keeper.listener, self.wake):
            poll.register(number, select.POLLIN)
        while self.status is None and os.getppid() == self.harness:
            ready = dict(poll.poll(LOOK_MS))
            if self.orders.lifeline in ready:
                break
            if ready.get(self.keeper.listener, 0) & select.POLLIN:
                self._ask()
            elif self.keeper.listener in ready:  # nobody is left under the filter
                poll.unregister(self.keeper.listener)
            if self.wake in ready:
                os.read(self.wake, 4096)
            self._reap(os.WNOHANG)
        self._end()
        return self.status if self.status is not None else 0

    def _ask(self) -> None:
        if question := self.keeper.next():
            threading.Thread(target=self.keeper.answer, args=(question,), daemon=True).start()

    def _end(self) -> None:
        """Signals of this domain reach its own descendants only, which `main` has made sure of."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(-1, signal.SIGKILL)
        self._reap(0)

    def _reap(self, options: int) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, options)
                if pid == 0:
                    return
                if pid == self.command:
                    self.status = status


def _alone() -> None:
    """Enter the domain, and see that no signal leaves it: without that nobody may be killed by "everybody"."""
    calls.take_orphans()
    calls.close_privileges()
    calls.restrict(calls.ruleset(0, 0, SCOPES))
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return
    raise OSError("signals leave the domain")


def main(number: int, command: list[str]) -> None:
    """Confine and watch `command`, then end as it did: its exit code, or 128 and its signal."""
    harness = os.getppid()
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    try:
        with os.fdopen(number, "rb") as file:
            orders = Orders.read(file.read())
        os.set_inheritable(orders.lifeline, False)
        opened = confining.opened(orders)
        _alone()
        wake, woken = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken)
        pid, listener = confining.start(orders, opened, command)
    except OSError as error:
        os.write(2, f"the sandbox cannot be made: {error}\n".encode())
        os._exit(FAILED)
    known = numbers()
    asked = {each: name for name, each in known.asked.items()} if known else {}
    keeper = Doorkeeper(listener, asked, confining.shown(orders, opened))
    status = Supervisor(orders, harness, keeper, pid, wake).watch()
    os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
