"""Five hundred streams at once: none is lost, none gets a byte of another, each has its row."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from functools import partial
from importlib.resources import files

import pytest

from unit.adapters.gateway.proxy.crowds import ask, crowd, events_of, many_files, unix
from unit.adapters.gateway.worlds import World

TOGETHER = 500
SHOW = "import os; print(os.environ['DENOMINATOR_MODEL_URL'], flush=True); input()"


@pytest.fixture
def gateway(tmp_path):
    many_files()
    with crowd(TOGETHER) as provider:
        w = World(lambda *_: None, tmp_path, endpoint=provider.url)
        yield w
        w.relay.shutdown()
        w.provider.close()


async def _all(connect, token: str) -> list[bytes]:
    return list(await asyncio.gather(*(ask(connect, token, number) for number in range(1, TOGETHER + 1))))


def _whole(w, answers: list[bytes]) -> None:
    assert answers == [b"".join(events_of(number)) for number in range(1, TOGETHER + 1)]
    rows = w.lease.close()
    assert [row.seq for row in rows] == list(range(1, TOGETHER + 1))
    assert {(row.outcome, row.status, row.final_event, row.client_left) for row in rows} == {("ok", 200, True, False)}
    told = {row.asked_model: (row.usage.prompt, row.usage.completion) for row in rows}
    assert told == {f"m-{number}": (1000 + number, number) for number in range(1, TOGETHER + 1)}
    assert len(w.seen) == 2 * TOGETHER


def test_five_hundred_streams_at_once(gateway):
    _whole(gateway, asyncio.run(_all(partial(unix, str(gateway.lease.socket)), gateway.lease.token)))


def test_five_hundred_streams_at_once_from_inside_a_sandbox(gateway):
    launch = str(files("denominator.adapters.gateway.inside").joinpath("launch.py"))
    argv = [sys.executable, "-I", launch, str(gateway.lease.socket), "--", sys.executable, "-c", SHOW]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:
        host, _, port = agent.stdout.readline().strip().removeprefix("http://").removesuffix("/v1").partition(":")
        connect = partial(asyncio.open_connection, host, int(port), family=socket.AF_INET)
        answers = asyncio.run(_all(connect, gateway.lease.token))
        agent.stdin.write("\n")
    assert agent.returncode == 0
    _whole(gateway, answers)
