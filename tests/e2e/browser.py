"""A real headless browser, spoken to over its own debugging pipe: what a page shows, says, asks for and looks like."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
LIMIT_S = 60


@dataclass
class Browser:
    """One browser with one tab. `events` are what it told of its own accord."""

    process: subprocess.Popen[bytes]
    out: int
    back: int
    session: str = ""
    number: int = 0
    rest: bytes = b""
    events: list[Mapping[str, Any]] = field(default_factory=list)

    def call(self, method: str, **params: Any) -> Mapping[str, Any]:
        """One command of the debugging protocol, and its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + LIMIT_S
        while (said := self._next(until)).get("id") != self.number:
            self.events.append(said)
        assert "error" not in said, said
        return said["result"]

    def _next(self, until: float) -> Mapping[str, Any]:
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            assert left > 0 and select.select([self.back], [], [], left)[0], "the browser says nothing"
            read = os.read(self.back, 1 << 20)
            assert read, "the browser has gone"
            self.rest += read
        first, _, self.rest = self.rest.partition(b"\0")
        return json.loads(first)

    def open(self, page: Path) -> None:
        """Opens a file, and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        until = time.monotonic() + LIMIT_S
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._next(until))

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def look(self, width: int, *, dark: bool = False, media: str = "screen") -> bytes:
        """The whole page at a width, as PNG; a page of tens of thousands of lines is too large for that."""
        self.view(width, dark=dark, media=media)
        made = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(made["data"])

    def view(self, width: int, *, dark: bool = False, media: str = "screen") -> None:
        """The page at a width from now on."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=scheme)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600
        )

    def complaints(self) -> list[str]:
        """What the page wrote to the console, and what the browser logged about it."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(one["params"])[:300] for one in self.events if one.get("method") in kinds]

    def asked_for(self) -> list[str]:
        """Every address that was asked for beside the page itself."""
        found = [
            one["params"]["request"]["url"] for one in self.events if one.get("method") == "Network.requestWillBeSent"
        ]
        return found[1:]


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own; the test is skipped where none is installed."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no chromium is installed (Debian, as root: apt-get install chromium)")
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as profile:
        theirs_in, ours_out = os.pipe()
        ours_back, theirs_out = os.pipe()
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
        words += [f"--user-data-dir={profile}", "--no-first-run", "--disable-background-networking", "about:blank"]
        # The pipe is on the descriptors 3 and 4 of the browser; the shell puts them there.
        start = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        process = subprocess.Popen(
            ["/bin/bash", "-c", start, program, *words],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        made = Browser(process, ours_out, ours_back)
        try:
            target = made.call("Target.createTarget", url="about:blank")["targetId"]
            made.session = made.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                made.call(f"{domain}.enable")
            yield made
        finally:
            process.kill()
            process.wait()
            os.close(ours_out)
            os.close(ours_back)
