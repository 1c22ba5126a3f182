"""Level G3: the socket at which the solution's side comes in, once, before anything of the solution has run."""

import os
import socket
import stat

PATIENCE_S = 60.0
HELLO = b"here"
NAME = "solution"


def listen(folder: str) -> socket.socket:
    """The solution's sandbox shows the folder read-only and runs under another uid: it may connect and no more."""
    path = os.path.join(folder, NAME)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    os.chmod(path, stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
    listener.listen(1)
    return listener


def let_in(listener: socket.socket) -> None:
    """Wait for the one connection, close the door behind it, and tell `sut` its number."""
    listener.settimeout(PATIENCE_S)
    try:
        control, _ = listener.accept()
        control.settimeout(PATIENCE_S)
        word = control.recv(64)
    except TimeoutError:
        raise TimeoutError("the solution's sandbox does not answer") from None
    if word != HELLO:
        raise ConnectionError("the solution's sandbox ended before it was there")
    os.unlink(listener.getsockname())
    listener.close()
    os.environ["SUT_DOOR"] = str(control.detach())
