"""The gateway process as the runner holds it: started with nothing but the key in its environment, heard by one thread."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import denominator
from denominator.adapters.gateway.messages import Message, read_message, write_message
from denominator.adapters.gateway.proxy.settings import Settings, write_settings
from denominator.errors import DenominatorError

COMMAND = (sys.executable, "-P", "-m", "denominator.adapters.gateway.proxy")
CHUNK = 1 << 20
END_WITHIN_S = 5.0
TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""Where certificates lie is no secret, and a provider behind a house's own authority is reached in no other way."""


class GoneError(Exception):
    """The process is dead, or it no longer listens."""


class GatewayProcess:
    """One process. `heard` gets whatever messages have come, in order; `gone` is called once, last, by the same thread."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        heard: Callable[[Sequence[Message]], None],
        gone: Callable[[Exception | None], None],
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._heard, self._gone = heard, gone
        self._lock = threading.Lock()
        self._wire, theirs = socket.socketpair()
        with theirs, contextlib.ExitStack() as failed:
            failed.callback(self._wire.close)
            self._wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, CHUNK)
            self._child = subprocess.Popen(
                [*command, str(theirs.fileno())],
                env=environment(settings.key_env, environ),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                # A Ctrl-C is for the runner: it ends attempts in order, and the gateway last.
                start_new_session=True,
            )
            failed.pop_all()
        self.pid = self._child.pid
        self._thread = threading.Thread(target=self._listen, name="gateway", daemon=True)
        self._tell(write_settings(settings))
        self._thread.start()

    def send(self, *messages: Message) -> None:
        """Say something; raises `GoneError`."""
        if messages and not self._tell(b"".join(write_message(message) for message in messages)):
            raise GoneError

    def kill(self) -> None:
        """End it now; `gone` follows."""
        self._child.kill()

    def close(self) -> None:
        """End it in order: at the end of our words it ends itself, or it is ended."""
        with contextlib.suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(END_WITHIN_S)
        self._child.kill()
        self._thread.join()

    def _tell(self, data: bytes) -> bool:
        with self._lock:
            try:
                self._wire.sendall(data)
            except OSError:
                return False
        return True

    def _listen(self) -> None:
        trouble: Exception | None = None
        try:
            self._hear()
        except Exception as error:
            # Nobody else hears this thread: whoever waits for an answer has to learn that none will come.
            trouble = error
        self._child.kill()
        self._child.wait()
        self._gone(trouble)
        with self._lock:
            self._wire.close()

    def _hear(self) -> None:
        left = b""
        while True:
            try:
                data = self._wire.recv(CHUNK)
            except OSError:
                return
            if not data:
                return
            *lines, left = (left + data).split(b"\n")
            try:
                messages = [read_message(line) for line in lines]
            except DenominatorError:
                return  # a process that speaks otherwise than agreed is as good as dead
            if messages:
                self._heard(messages)


def environment(key_env: str, environ: Mapping[str, str]) -> dict[str, str]:
    """What of the harness's environment the process gets: the key by its name, and where certificates lie."""
    names = (*TRUST, *((key_env,) if key_env else ()))
    given = {name: environ[name] for name in names if name in environ}
    return {"PYTHONPATH": str(Path(denominator.__file__).parents[1])} | given
