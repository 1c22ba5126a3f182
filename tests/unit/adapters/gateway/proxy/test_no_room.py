"""A machine that has no open file left for a connection: the gateway's own failure, nothing that a provider did."""

from __future__ import annotations

import asyncio
import resource
import socket

import pytest

from denominator.adapters.gateway.proxy.answers import BrokenError, Outgoing
from denominator.adapters.gateway.proxy.origin import HttpOrigin
from denominator.adapters.gateway.upstream import read_upstream
from denominator.records.keys import AttemptKey
from denominator.wire.providers import Api


def asked(port: int) -> Outgoing:
    return Outgoing(
        method="POST",
        below="/chat/completions",
        query="",
        headers=[],
        credential="authorization",
        body=b"{}",
        api=Api.CHAT,
        key=AttemptKey("r", "t"),
        incarnation=1,
        seq=1,
    )


async def answered(port: int, *, files: bool) -> None:
    origin = HttpOrigin(read_upstream(f"http://127.0.0.1:{port}/v1", "", {}), 5.0)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        if not files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        await asyncio.wait_for(origin.answer(asked(port)), 5)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_no_open_file_left_is_not_the_providers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(OSError, match="Too many open files"):
            asyncio.run(answered(port, files=False))


def test_a_closed_door_is_the_providers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(BrokenError, match="connect_failed"):
        asyncio.run(answered(port, files=True))
