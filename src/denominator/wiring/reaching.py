"""Are git and the model's endpoint there before the first prompt (METHODS M2)? Else the whole batch would be INFRA.

git is needed where the agent's sandbox looks for it: a workspace begins as a repository of one commit. It is optional for
`oracle` and `nop`, which run nobody's program and never look at the repository. Of an endpoint only the door is tried: a
connection is opened and closed, no byte is sent, no key is told to anybody. An arm whose network is off has no endpoint, and of one
that a recording answers nobody is asked.
`seal` and `run --dry-run` start nothing and so try nothing.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterable, Iterator

from denominator.adapters.gateway.upstream import Upstream, read_upstream
from denominator.errors import MachineError, Problem
from denominator.records.envelopes import Arm, Envelope

AGENTS_PATH = "/usr/local/bin:/usr/bin:/bin"
CONNECT_S = 5.0
START = "start the model server, or correct the address; it is dialled from this machine, not from the sandbox"
WITHOUT_GIT = frozenset(("oracle", "nop"))


def require_reached(
    arms: Iterable[tuple[Arm, Envelope]], *, path: str = AGENTS_PATH, wait_s: float = CONNECT_S
) -> None:
    """Raise MachineError with everything that is out of reach; nothing was started and nothing was written."""
    asked = list(arms)
    found = [*_git(asked, path), *_endpoints(asked, wait_s)]
    if found:
        fix = "mend it, then run the same line again"
        raise MachineError("the whole batch would be INFRA and is not started", problems=found, fix=fix)


def _git(arms: Iterable[tuple[Arm, Envelope]], path: str) -> Iterator[Problem]:
    if all(arm.agent in WITHOUT_GIT for arm, _ in arms):
        return
    if shutil.which("git", path=path) is None:
        yield Problem("git", f"is not in {path}, where a sandbox looks for it", "install git")


def _endpoints(arms: Iterable[tuple[Arm, Envelope]], wait_s: float) -> Iterator[Problem]:
    """Each address is tried once, however many arms name it."""
    tried: dict[tuple[str, int], str] = {}
    for arm, envelope in arms:
        if envelope.sandbox.network != "gateway" or not isinstance(arm.model.endpoint, str):
            continue
        if envelope.gateway.cassette:
            continue
        to = read_upstream(arm.model.endpoint, "", {})
        if (to.host, to.port) not in tried:
            tried[to.host, to.port] = _tried(to, wait_s)
        if why := tried[to.host, to.port]:
            yield Problem(f"arm {arm.label!s}: model.endpoint", f"{to.host}:{to.port} cannot be reached: {why}", START)


def _tried(to: Upstream, wait_s: float) -> str:
    """Why no connection could be opened; "" when one was."""
    try:
        socket.create_connection((to.host, to.port), timeout=wait_s).close()
    except TimeoutError:
        return f"no answer within {wait_s:g} s"
    except (OSError, UnicodeError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""
