"""A connection that never blocks: plain or TLS, every wait bounded by the timer of the exchange."""

from __future__ import annotations

import errno
import selectors
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from denominator.adapters.gateway.upstream import Upstream
from denominator.adapters.probe.timing import EndedError, Timer
from denominator.errors import MachineError
from denominator.records.probe_words import End

READ_BYTES = 64 * 1024
WRITE_BYTES = 16 * 1024
OURS = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EADDRNOTAVAIL))
"""No connection because this machine has no room for one: nothing that an endpoint did."""
WAITS = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
Address = tuple[int, int, int, str, tuple[object, ...]]


class Link:
    """An open connection. `read` gives None when nothing is there yet and b"" at an orderly end."""

    def __init__(self, sock: socket.socket, timer: Timer) -> None:
        self.sock = sock
        self._timer = timer
        self._selector = selectors.DefaultSelector()
        self._selector.register(sock, selectors.EVENT_READ)
        self.full = False

    def read(self) -> bytes | None:
        """What has arrived. Raises EndedError(RESET) for an end that is not in order."""
        try:
            return self.sock.recv(READ_BYTES)
        except WAITS:
            return None
        except ssl.SSLEOFError:
            # The peer closed below TLS without saying so: the bytes so far may be all, or not.
            raise EndedError(End.FIN) from None
        except OSError:
            raise EndedError(End.RESET) from None

    def write(self, data: memoryview) -> int:
        """How many bytes were taken. Raises EndedError(SEND_FAILED) when the other side takes none any more."""
        self.full = False
        try:
            return self.sock.send(data[:WRITE_BYTES])
        except WAITS:
            self.full = True
            return 0
        except OSError:
            raise EndedError(End.SEND_FAILED) from None

    def wait(self, *, write: bool, ms: int) -> None:
        """Until something can be read (or written), or so many milliseconds have passed."""
        self._selector.modify(self.sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if write else 0))
        self._selector.select(ms / 1000)

    def shake(self, tls: ssl.SSLContext, host: str) -> None:
        """Puts TLS on it. Raises EndedError."""
        try:
            # Its own type of socket: an end without a farewell must be told from an orderly one.
            wrapped = tls.wrap_socket(
                self.sock, server_hostname=host, do_handshake_on_connect=False, suppress_ragged_eofs=False
            )
        except (ssl.SSLError, ValueError):
            raise EndedError(End.CERTIFICATE) from None
        except OSError:
            raise EndedError(End.RESET) from None
        self._selector.unregister(self.sock)
        self.sock = wrapped
        self._selector.register(wrapped, selectors.EVENT_READ)
        while not _shaken(wrapped, self.wait, self._timer):
            pass

    def close(self) -> None:
        """Let go of it, whatever is still on its way."""
        self._selector.close()
        with suppress(OSError):
            self.sock.close()


def connect(to: Upstream, timer: Timer, tls: ssl.SSLContext | None) -> Link:
    """A fresh connection to one of the addresses of the name. Raises EndedError, MachineError, StoppedError."""
    addresses = look_up(to.host, to.port, timer)
    end = End.REFUSED
    for place, address in enumerate(addresses):
        # Each address has its share of what is left, so that a silent one does not use up the time of the next.
        share = timer.left_ms() // (len(addresses) - place)
        try:
            link = _connected(address, timer, share)
        except EndedError as error:
            end = End.DEADLINE if End.DEADLINE in (end, error.end) else error.end
            continue
        try:
            if tls is not None:
                link.shake(tls, to.host)
        except BaseException:
            link.close()
            raise
        return link
    raise EndedError(end)


def look_up(host: str, port: int, timer: Timer) -> list[Address]:
    """Addresses of a name. The system's resolver cannot be interrupted, so it is asked from a thread that may be left."""
    answers: SimpleQueue[list[Address] | OSError | UnicodeError] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([(int(family), int(kind), proto, "", where) for family, kind, proto, _, where in found])
        except (OSError, UnicodeError) as error:
            answers.put(error)

    try:
        Thread(target=ask, name="name lookup", daemon=True).start()
    except RuntimeError:
        raise _no_room("no thread can be started") from None
    while True:
        with suppress(Empty):
            found = answers.get(timeout=timer.nap_ms() / 1000)
            if isinstance(found, OSError) and found.errno in OURS:
                raise _failed(found) from None
            if isinstance(found, OSError | UnicodeError) or not found:
                raise EndedError(End.NAME_UNKNOWN) from None
            return list(dict.fromkeys(found))


def _connected(address: Address, timer: Timer, share_ms: int) -> Link:
    family, kind, proto, _, where = address
    try:
        sock = socket.socket(family, kind, proto)
    except OSError as error:
        raise _failed(error) from None
    try:
        sock.setblocking(False)
        if family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = sock.connect_ex(where)
        link = Link(sock, timer)
    except OSError as error:
        sock.close()
        raise _failed(error) from None
    try:
        _wait_for(link, timer, share_ms, code)
    except BaseException:
        link.close()
        raise
    return link


def _wait_for(link: Link, timer: Timer, share_ms: int, code: int) -> None:
    """Until the connection is there. Raises EndedError, MachineError."""
    began = timer.us()
    while code in (errno.EINPROGRESS, errno.EALREADY, errno.EWOULDBLOCK, errno.EINTR):
        left = share_ms - (timer.us() - began) // 1000
        if left <= 0:
            raise EndedError(End.DEADLINE)
        link.wait(write=True, ms=timer.nap_ms(left))
        code = _state(link.sock)
    if code:
        raise _failed(OSError(code, ""))


def _state(sock: socket.socket) -> int:
    """0: connected; a code of the system otherwise."""
    if code := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        return code
    try:
        sock.getpeername()
    except OSError:
        return errno.EINPROGRESS
    return 0


def _failed(error: OSError) -> Exception:
    if error.errno in OURS:
        return _no_room(f"no connection can be opened ({errno.errorcode[error.errno or 0]})")
    return EndedError(End.DEADLINE if error.errno == errno.ETIMEDOUT else End.REFUSED)


def _no_room(what: str) -> MachineError:
    fix = "close other programs, or ask with a lower rate; then: denominator probe run FOLDER goes on"
    return MachineError(what, where="this machine", fix=fix)


def _shaken(sock: ssl.SSLSocket, wait: Callable[..., None], timer: Timer) -> bool:
    try:
        sock.do_handshake()
    except ssl.SSLWantReadError:
        wait(write=False, ms=timer.nap_ms())
        return False
    except ssl.SSLWantWriteError:
        wait(write=True, ms=timer.nap_ms())
        return False
    except ssl.SSLCertVerificationError:
        raise EndedError(End.CERTIFICATE) from None
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
        raise EndedError(End.FIN) from None
    except ssl.SSLError:
        # Something that speaks no TLS, or none that can be agreed on.
        raise EndedError(End.ILLEGAL) from None
    except OSError:
        raise EndedError(End.RESET) from None
    return True
