"""The only door between hidden tests and a solution: requests go out, plain data comes back.

A test never imports the solution. It asks the solution's side, where a fresh process for each session imports it, and
compares values of exact built-in types. So a solution cannot hand a test an object that equals everything, patch the
test runner, or read what the test expects. At level G3 that side is a sandbox of its own; elsewhere it is a process
beside the tests, which sees the solution at `$SUT_DIR` (else the current directory).

The solution sees the standard library and itself; `SUT_SITE=1` adds the interpreter's site-packages, for packs with
dependencies. Stdlib only; runs under `python3 -I` from a read-only folder.
"""

from .session import Session, call, call_mut, raises
from .values import Broken, Handle, Raised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Run, files, read, run
    from .service import Answer, Service

__all__ = [
    "Answer", "Broken", "Handle", "Raised", "Run", "Service", "Session", "call", "call_mut", "files", "raises", "read",
    "run",
]  # fmt: skip


_LATER = {
    **dict.fromkeys(("Run", "files", "read", "run"), "commands"),
    **dict.fromkeys(("Answer", "Service"), "service"),
}


def __getattr__(name: str) -> object:
    """Loaded where a test asks for it: a grading compiles what it imports."""
    if name not in _LATER:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
