"""Streamed calls through the gateway process, directly, and through a litellm proxy: in turn, in one run.

Added latency is a call's median over one kept connection less that of a direct one; throughput is calls a second of 16
connections. The runner grants at once and journals nothing: what a commit costs is the journal's bench. litellm gets an
environment of its own (`LITELLM` names one that is there); without it that half is skipped. Run
`python benchmarks/bench_gateway.py`; it exits 1 when ours adds more than a third of what litellm adds, or carries less
than three times as many calls as litellm.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.records.envelopes import GatewayTerms
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

ROUNDS, CALLS, TOGETHER, CROWD = 2, 30, 16, 96
AHEAD_MIN = 3.0
BEHIND_DIRECT_MAX = 50.0
END = b"data: [DONE]\n\n"
EVENTS = [
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":%b}]}\n\n'
    % delta
    for delta in (b'{"role":"assistant","content":"a"}', *[b'{"content":"word "}'] * 10)
] + [
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{},'
    b'"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":11,"total_tokens":20}}\n\n',
    END,
]
BODY = json.dumps(
    {"model": "bench", "stream": True, "max_tokens": 64, "messages": [{"role": "user", "content": "x" * 2000}]}
).encode()
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


class Open:
    """Budgets without an end."""

    capped = False

    def ask(self, row: CallRow) -> CallRow:
        return row

    def settle(self, _row: CallRow) -> None:
        return


def provide(port: int) -> None:
    """A provider on loopback, in a process of its own."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                if b"content-length:" in head:
                    await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                else:
                    await reader.readuntil(b"\r\n0\r\n\r\n")
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                for event in EVENTS:
                    writer.write(b"%x\r\n%b\r\n" % (len(event), event))
                writer.write(b"0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def run() -> None:
        await (await asyncio.start_server(serve, "127.0.0.1", port, backlog=512)).serve_forever()

    asyncio.run(run())


async def call(streams: Streams, token: str) -> None:
    """One streamed call; whatever is in the way may cut events otherwise, but says the end."""
    reader, writer = streams
    writer.write(
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n".encode()
        + BODY
    )
    got = await reader.readuntil(b"\r\n0\r\n\r\n")
    if not got.startswith(b"HTTP/1.1 200") or b"[DONE]" not in got:
        raise SystemExit(f"no answer: {got[:300]!r}")


async def latency(connect: Connect, token: str) -> float:
    """Median seconds of a call on one connection."""
    streams, spent = await connect(), []
    for _ in range(CALLS):
        begun = time.perf_counter()
        await call(streams, token)
        spent.append(time.perf_counter() - begun)
    streams[1].close()
    return statistics.median(spent)


async def throughput(connect: Connect, token: str) -> float:
    """Calls a second of many connections."""

    async def one(streams: Streams) -> None:
        for _ in range(CROWD // TOGETHER):
            await call(streams, token)
        streams[1].close()

    opened = [await connect() for _ in range(TOGETHER)]
    begun = time.perf_counter()
    await asyncio.gather(*map(one, opened))
    return CROWD / (time.perf_counter() - begun)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        return int(made.getsockname()[1])


@contextmanager
def litellm(folder: Path, upstream: int) -> Iterator[int]:
    """A litellm proxy before the same provider; 0 when there can be none."""
    program = Path(os.environ.get("LITELLM") or folder / "venv" / "bin" / "litellm")
    if not program.exists():
        print("installing litellm into an environment of its own ...", file=sys.stderr)
        made = [sys.executable, "-m", "venv", str(folder / "venv")]
        got = [str(folder / "venv" / "bin" / "pip"), "install", "-q", "litellm[proxy]"]
        if subprocess.run(made).returncode or subprocess.run(got, stderr=subprocess.DEVNULL).returncode:
            print("litellm: skipped, it cannot be installed here")
            yield 0
            return
    known = {"model": "openai/bench", "api_base": f"http://127.0.0.1:{upstream}/v1", "api_key": "none"}
    config = {
        "model_list": [{"model_name": "bench", "litellm_params": known}],
        "litellm_settings": {"telemetry": False, "num_retries": 0},
        "general_settings": {"dangerously_permit_weak_or_unset_master_key": True},
    }
    (folder / "litellm.yaml").write_text(json.dumps(config))
    port, quiet = (
        free_port(),
        {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "LITELLM_LOG": "ERROR"},
    )
    with (folder / "litellm.log").open("wb") as log:
        argv = [str(program), "--config", str(folder / "litellm.yaml"), "--host", "127.0.0.1", "--port", str(port)]
        child = subprocess.Popen(argv, env={**os.environ, **quiet}, stdout=log, stderr=log)
    try:
        up = reached(port, 180)
        if not up:
            print("litellm: skipped, it does not start here")
        yield port if up else 0
    finally:
        child.kill()
        child.wait()


def reached(port: int, within_s: float) -> bool:
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return True
    return False


def main() -> int:
    """Rounds in turn; the medians are told."""
    upstream = free_port()
    provider = multiprocessing.get_context("spawn").Process(target=provide, args=(upstream,), daemon=True)
    provider.start()
    reached(upstream, 30)
    with tempfile.TemporaryDirectory(prefix="bench-gateway-") as name, litellm(Path(name), upstream) as other:
        settings = Settings(endpoint=f"http://127.0.0.1:{upstream}/v1", terms=GatewayTerms(bodies="digests"))
        relay = Relay(settings, environ={}, clock=SystemClock(), record=lambda *_: None, guard=Open())
        lease = relay.open(AttemptKey("bench", "t"), 1, Path(name), uid=None)
        tcp = partial(asyncio.open_connection, "127.0.0.1")
        ways: dict[str, Connect] = {"direct": partial(tcp, upstream)}
        ways["ours"] = partial(asyncio.open_unix_connection, str(lease.socket))
        if other:
            ways["litellm"] = partial(tcp, other)
        slow: dict[str, list[float]] = {way: [] for way in ways}
        many: dict[str, list[float]] = {way: [] for way in ways}
        for at in range(ROUNDS + 1):
            for way, connect in ways.items():
                found = asyncio.run(latency(connect, lease.token)), asyncio.run(throughput(connect, lease.token))
                if at:  # the first round only warms up
                    slow[way].append(found[0])
                    many[way].append(found[1])
        relay.shutdown()
    provider.kill()
    return judged({way: (statistics.median(slow[way]), statistics.median(many[way])) for way in ways})


def judged(found: dict[str, tuple[float, float]]) -> int:
    """Prints the figures; 1 when a ratio is not reached."""
    for way, (one, rate) in found.items():
        added = (one - found["direct"][0]) * 1000
        print(f"{way:8} {one * 1000:8.2f} ms a call, {added:7.2f} ms added, {rate:8.0f} calls/s")
    behind = found["direct"][1] / found["ours"][1]
    print(f"throughput: a direct connection carries {behind:.1f} times ours (at most {BEHIND_DIRECT_MAX:.0f})")
    good = behind <= BEHIND_DIRECT_MAX
    if "litellm" in found:
        less = (found["litellm"][0] - found["direct"][0]) / max(found["ours"][0] - found["direct"][0], 1e-6)
        more = found["ours"][1] / found["litellm"][1]
        print(
            f"beside litellm: {less:.1f} times less added latency, {more:.1f} times the calls (at least {AHEAD_MIN:.0f})"
        )
        good = good and less >= AHEAD_MIN and more >= AHEAD_MIN
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
