"""Entry of a grading, started as `python -I /kit/run.py`: the order comes on stdin, the report leaves by fd 3.

Nothing of the solution is read or run before `loading` is out: what goes wrong earlier is the harness's fault, what
goes wrong later the solution's, which at level G3 is in another sandbox. Stdlib only. The runner's own modules cannot be
imported by tests or solution.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, NoReturn

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = ("frames", "hide", "place", "memory", "hidden", "equal", "door", "by_unittest", "by_pytest", "by_command")


def own(name: str) -> ModuleType:
    """One of the runner's modules, taken out of reach of an `import` in tests or solution once loaded."""
    return importlib.import_module(name)


def main() -> None:
    sys.path.insert(0, os.path.join(HERE, "runner"))
    modules = {name: own(name) for name in ("frames", "hide", "place", "hidden", "door")}
    order = json.loads(sys.stdin.buffer.read())
    modules["hide"].close_stdin()
    channel = modules["frames"].Channel(3, order.pop("nonce"))
    channel.send("hello", runner=order["runner"], python=sys.version.split()[0])
    try:
        listener = modules["door"].listen(order["door"]) if order["door"] else None
        # From here on nobody looks into this process, a supervisor that answers for sockets included.
        modules["hide"].hide_process()
        runner = own(f"by_{order['runner']}")
        tests = modules["hidden"].load(order)
        runner.prepare(order, tests)
        paths = sorted(tests)
        del tests  # texts of tests are for nobody from here on
        if listener:
            modules["door"].let_in(listener)
    except BaseException as error:
        channel.send("broken", why=f"{type(error).__name__}: {error}"[:2000])
        leave(70)
    sys.path.remove(os.path.join(HERE, "runner"))
    for name in OWN:
        sys.modules.pop(name, None)
    channel.send("loading")
    try:
        if not order["door"]:
            modules["place"].copy(order["graded"], order["work"])
        os.chdir(order["work"])
        code = runner.run(order, paths, channel)
        channel.send("end", code=code)
    except BaseException as error:
        crash(channel, error)
    leave(code)


def crash(channel: Any, error: BaseException) -> NoReturn:
    """The run came to no end; say so when the channel still works."""
    try:
        channel.send("crash", why=f"{type(error).__name__}: {error}"[:2000])
    except BaseException:
        pass
    leave(71)


def leave(code: int) -> NoReturn:
    """At once: exit handlers of the solution do not get a turn."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        pass
    os._exit(code)


if __name__ == "__main__":
    main()
