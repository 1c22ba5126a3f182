"""Messages of the runner, carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.messages import (
    Close,
    Closed,
    Grant,
    Message,
    Open,
    Opened,
    read_message,
    write_message,
)
from denominator.adapters.gateway.proxy.bodies import Bodies
from denominator.adapters.gateway.proxy.desk import Desk
from denominator.adapters.gateway.proxy.lease import Lease
from denominator.adapters.gateway.proxy.listener import Listener
from denominator.adapters.gateway.proxy.origins import origin_of
from denominator.adapters.gateway.proxy.settings import Settings, read_settings
from denominator.adapters.gateway.proxy.waiting import Waiting
from denominator.adapters.gateway.proxy.wire import Wire
from denominator.adapters.gateway.upstream import read_upstream


async def serve(wire: Wire, environ: Mapping[str, str]) -> None:
    """Until the runner is gone. Raises `InputError` for settings or messages that are none."""
    lines = Lines(wire)
    first = await lines.next()
    if first is None:
        return
    desk = make_desk(read_settings(first), environ, lambda message: wire.put(write_message(message)))
    serving = Serving(desk)
    while (line := await lines.next()) is not None:
        serving.told(read_message(line))


def make_desk(settings: Settings, environ: Mapping[str, str], say: Callable[[Message], None]) -> Desk:
    """What the exchanges share, made from the settings."""
    upstream = read_upstream(settings.endpoint, settings.key_env, environ)
    return Desk(
        settings=settings,
        upstream=upstream,
        origin=origin_of(settings, upstream),
        bodies=Bodies(settings.blobs if settings.terms.bodies == "keep" else "", upstream.key),
        waiting=Waiting(settings.terms),
        clock=SystemClock(),
        say=say,
    )


class Lines:
    """Lines that arrive on a wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._left = b""
        self._lines: list[bytes] = []

    async def next(self) -> bytes | None:
        """The next line, None at the end; a line that has no end is none."""
        while not self._lines:
            data = await self._wire.read()
            if not data:
                return None
            *whole, self._left = (self._left + data).split(b"\n")
            self._lines = whole[::-1]
        return self._lines.pop()


class Serving:
    """The leases of the process. Each is opened and closed in a task of its own, so that none waits for another."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._open: dict[int, tuple[Lease, Listener]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def told(self, message: Message) -> None:
        """Carries out one message."""
        if isinstance(message, Grant):
            if message.lease in self._open:
                self._open[message.lease][0].granted(message)
        elif isinstance(message, Open):
            lease = Lease(message, self._desk)
            self._open[message.lease] = lease, Listener(lease)
            self._run(self._start(message.lease))
        elif isinstance(message, Close):
            self._run(self._end(message.lease))

    async def _start(self, number: int) -> None:
        listener = self._open[number][1]
        try:
            await listener.start()
        except OSError as error:
            del self._open[number]
            self._desk.say(Opened(lease=number, trouble=error.strerror or type(error).__name__))
        else:
            self._desk.say(Opened(lease=number, path=str(listener.path)))

    async def _end(self, number: int) -> None:
        if number in self._open:
            await self._open[number][1].close()
            self._open.pop(number, None)
        self._desk.say(Closed(lease=number))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
