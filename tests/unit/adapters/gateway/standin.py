"""A gateway process without HTTP: it speaks the runner's protocol, and a client on the attempt's socket plays the calls.

A client sends one JSON line a call: {"reserved": tokens, "usage": [prompt, completion] or null, "tools": n, ...}; it gets
the grant back at once, sends a second line when the call is to end, and gets "done". "die" in a line kills the process.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from pathlib import Path

from denominator.adapters.gateway.messages import (
    Ask,
    Close,
    Closed,
    Done,
    Grant,
    Open,
    Opened,
    read_message,
    write_message,
)
from denominator.adapters.gateway.proxy.settings import read_settings
from denominator.records.rows import CallRow, Usage


class Standin:
    def __init__(self, number: int) -> None:
        self.wire = socket.socket(fileno=number)
        self.lock = threading.Lock()
        self.asks: dict[tuple[int, int], tuple[threading.Event, list[Grant]]] = {}
        self.made = 0
        self.leases: dict[int, Open] = {}

    def say(self, message) -> None:
        with self.lock:
            self.wire.sendall(write_message(message))

    def run(self) -> None:
        lines = self.wire.makefile("rb")
        read_settings(lines.readline())
        for line in lines:
            message = read_message(line)
            if isinstance(message, Open):
                self.listen(message)
            elif isinstance(message, Close):
                self.say(Closed(lease=message.lease))
            else:
                event, got = self.asks[message.lease, message.ask]
                got.append(message)
                event.set()
        os._exit(0)

    def listen(self, order: Open) -> None:
        if "nowhere" in order.folder:
            self.say(Opened(lease=order.lease, trouble="no such place"))
            return
        server = socket.socket(socket.AF_UNIX)
        path = Path(order.folder) / "s"
        server.bind(str(path))
        server.listen(64)
        self.leases[order.lease] = order
        threading.Thread(target=self.accept, args=(server, order), daemon=True).start()
        self.say(Opened(lease=order.lease, path=str(path)))

    def accept(self, server: socket.socket, order: Open) -> None:
        while True:
            client, _ = server.accept()
            threading.Thread(target=self.serve, args=(client, order), daemon=True).start()

    def serve(self, client: socket.socket, order: Open) -> None:
        lines = client.makefile("rb")
        for line in lines:
            told = json.loads(line)
            if told.get("die"):
                os._exit(9)
            if told.get("own"):
                row = CallRow(key=order.key, seq=0, purpose="refused", sent=False, outcome="gave_up", status=401)
                self.say(Done(lease=order.lease, row=row))
                client.sendall(b"done\n")
                continue
            self.call(client, lines, order, told)

    def call(self, client: socket.socket, lines, order: Open, told) -> None:
        with self.lock:
            self.made += 1
            number = self.made
        event, got = threading.Event(), []
        self.asks[order.lease, number] = event, got
        row = CallRow(key=order.key, seq=0, reserved_tokens=told["reserved"], retry_of=told.get("retry_of", 0))
        self.say(Ask(lease=order.lease, ask=number, row=row))
        event.wait()
        (grant,) = got
        client.sendall(
            json.dumps({"seq": grant.seq, "status": grant.status, "word": grant.word, "said": grant.said}).encode()
            + b"\n"
        )
        if grant.status:
            return
        lines.readline()
        fields = {
            "seq": grant.seq,
            "sent": True,
            "outcome": told.get("outcome", "ok"),
            "reserved_tokens": told["reserved"],
        }
        if told.get("usage"):
            fields["usage"] = Usage(prompt=told["usage"][0], completion=told["usage"][1])
        fields |= told.get("more", {})
        self.say(
            Done(lease=order.lease, row=CallRow(key=order.key, tool_calls=("bash:0",) * told.get("tools", 0), **fields))
        )
        client.sendall(b"done\n")


if __name__ == "__main__":
    Standin(int(sys.argv[1])).run()
