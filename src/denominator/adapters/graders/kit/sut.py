"""The only door between hidden tests and a solution: calls go out, plain JSON values come back.

A test never imports the solution. It asks a child process, which imports it, and compares values of exact built-in
types. So a solution cannot hand a test an object that equals everything, patch the test runner, or read what the test
expects. Limit: parent and child are one user on one machine here; the sandbox around both, or a second sandbox for the
child, keeps them apart.

Where the solution is: `$SUT_DIR` (else the current directory). The solution sees the standard library and itself;
`SUT_SITE=1` adds the interpreter's site-packages, for packs with dependencies.
Stdlib only; runs under `python3 -I` from a read-only folder.
"""

# Paths are strings because pathlib would cost every grading milliseconds; exceptions are named as tests read them.

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

__all__ = ["Broken", "Handle", "Raised", "Run", "Session", "call", "call_mut", "raises", "run"]

LINE_BYTES_MAX = 1_000_000
FILES_MAX = 200
TIMEOUT_S = 10.0
_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sut_child.py")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*\Z")


class Raised(Exception):
    """The solution raised: `.type` is the class name, `.bases` the names of its bases, `.message` its text."""

    def __init__(self, kind: str, message: str, bases: Any = ()) -> None:
        super().__init__(f"{kind}: {message}")
        self.type, self.message, self.bases = kind, message, tuple(bases)


class Broken(Exception):
    """No usable answer: the child died, hung, talked nonsense or returned something that is not plain data."""


class Handle:
    """Names an object that lives in the child; it can be passed as an argument."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class Run:
    """What a finished command left: `code`, `stdout`, `stderr`, `files` (text files of its working folder)."""

    def __init__(self, code: int, stdout: str, stderr: str, files: dict[str, str]) -> None:
        self.code, self.stdout, self.stderr, self.files = code, stdout, stderr, files


class _Raises:
    def __init__(self, target: str, message: str) -> None:
        self.target, self.message = target, message


def raises(target: str, message: str = "") -> _Raises:
    """An outcome for `Session.stub`: raise `target` (a built-in name, or `pkg.mod:Class`)."""
    return _Raises(target, message)


def call(target: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call `pkg.mod:func` in a fresh child and return its result; coroutines are awaited."""
    with Session() as session:
        return session.call(target, *args, **kwargs)


def call_mut(target: str, /, *args: Any) -> tuple[Any, list[Any]]:
    """Like `call`, but return `(result, args_after)` to show what the solution did to its arguments."""
    with Session() as session:
        return session.call_mut(target, *args)


class Session:
    """One child that keeps its state between requests; a context manager. `timeout` is seconds for each request."""

    def __init__(self, timeout: float = TIMEOUT_S) -> None:
        self._timeout = timeout
        self._number = 0
        self._buffer = b""
        self._folder = tempfile.mkdtemp(prefix="sut-")
        request_read, self._out = os.pipe()
        self._in, answer_write = os.pipe()
        os.set_blocking(self._out, False)
        self._child: subprocess.Popen[bytes] | None = None
        try:
            self._child = subprocess.Popen(
                [*_python(), "serve", _sut_dir(), str(request_read), str(answer_write)],
                cwd=self._folder,
                env=_environment(self._folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(request_read, answer_write),
                start_new_session=True,
            )
        finally:
            os.close(request_read)
            os.close(answer_write)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the child and everything it started in its group; safe to call twice."""
        if self._child is None:
            return
        _kill(self._child)
        self._child = None
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, target: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._ask("call", _target(target), args, kwargs)["ok"]

    def call_mut(self, target: str, /, *args: Any) -> tuple[Any, list[Any]]:
        answer = self._ask("call_mut", _target(target), args, {})
        if type(answer.get("args")) is not list:
            self._fail("the answer lacks the arguments")
        return answer["ok"], answer["args"]

    def new(self, target: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call `target` (a class or a function), keep the result in the child, return a handle to it."""
        return self._ask("new", _target(target), args, kwargs)["ok"]

    def method(self, handle: Handle, name: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._ask("method", [handle.number, name], args, kwargs)["ok"]

    def get(self, handle: Handle, name: str, /) -> Any:
        return self._ask("get", [handle.number, name], (), {})["ok"]

    def stub(self, *outcomes: Any, delay_s: float = 0.0, coroutine: bool = False, group: str = "") -> Any:
        """A callable in the child with a script: values or `raises(...)`, one for each call; the last one repeats."""
        script = [
            ["raise", o.target, o.message] if isinstance(o, _Raises) else ["value", o, ""] for o in outcomes or (None,)
        ]
        return self._ask("stub", [delay_s, coroutine, group], script, {})["ok"]

    def stub_log(self, handle: Handle) -> Any:
        """`{"calls": [[args, kwargs]...], "finished": n, "cancelled": n, "peak": most of its group at once}`."""
        return self._ask("stub_log", [handle.number], (), {})["ok"]

    def _ask(self, op: str, target: Any, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        if self._child is None:
            raise Broken("the session is closed")
        self._number += 1
        request = {
            "id": self._number,
            "op": op,
            "target": target,
            "args": [_encode(a) for a in args],
            "kwargs": {k: _encode(v) for k, v in kwargs.items()},
        }
        deadline = time.monotonic() + self._timeout
        self._write(json.dumps(request).encode() + b"\n", deadline)
        return self._answer(self._read_line(deadline))

    def _write(self, data: bytes, deadline: float) -> None:
        while data:
            if not select.select([], [self._out], [], max(0.0, deadline - time.monotonic()))[1]:
                self._fail("timeout: the child does not read")
            try:
                data = data[os.write(self._out, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._fail("the child died")

    def _read_line(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > LINE_BYTES_MAX:
                self._fail("the answer is too long")
            if not select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))[0]:
                self._fail("timeout: no answer")
            chunk = os.read(self._in, 65536)
            if not chunk:
                self._fail("the child died")
            self._buffer += chunk
        line, _, rest = self._buffer.partition(b"\n")
        if rest:
            self._fail("the child sent more than one answer")
        self._buffer = b""
        return line

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            self._fail("the answer is not JSON")
        if type(answer) is not dict or type(answer.get("id")) is not int or answer["id"] != self._number:
            self._fail("the answer belongs to no request")
        if "raised" in answer:
            self._raise(answer["raised"])
        if "refused" in answer:
            self._fail(f"refused: {str(answer['refused'])[:500]}")
        try:
            return {
                k: [_decode(v) for v in answer[k]] if k == "args" else _decode(answer[k])
                for k in ("ok", "args")
                if k in answer or k == "ok"
            }
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            self._fail("the answer is not plain data")

    def _raise(self, raised: Any) -> NoReturn:
        if (
            type(raised) is not list
            or len(raised) != 3
            or type(raised[2]) is not list
            or not all(type(t) is str for t in [*raised[:2], *raised[2]])
        ):
            self._fail("the report of an exception is malformed")
        raise Raised(*raised)

    def _fail(self, why: str) -> NoReturn:
        self.close()
        raise Broken(why)


def run(argv: list[str], stdin: str = "", files: dict[str, str] | None = None, timeout: float = TIMEOUT_S) -> Run:
    """Run `-m pkg.cli args...` or `script.py args...` of the solution in a fresh folder that holds `files`."""
    folder = tempfile.mkdtemp(prefix="sut-")
    try:
        _put_files(folder, files or {})
        process = subprocess.Popen(
            [*_python(), "main", _sut_dir(), *argv],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(stdin.encode(), timeout)
        except subprocess.TimeoutExpired:
            raise Broken("timeout: the command did not end") from None
        finally:
            _kill(process)
        if max(len(out), len(err)) > LINE_BYTES_MAX:
            raise Broken("the command printed too much")
        return Run(
            process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), _text_files(folder)
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _python() -> list[str]:
    # Without site-packages (-S) no package of the machine can hide one of the solution, and a child starts sooner.
    site = [] if os.environ.get("SUT_SITE") == "1" else ["-S"]
    return [sys.executable, "-I", *site, "-B", "-X", "utf8", _CHILD]


def _sut_dir() -> str:
    return os.path.abspath(os.environ.get("SUT_DIR") or os.getcwd())


def _environment(folder: str) -> dict[str, str]:
    # Built from nothing, so that no path of the grader's reaches the solution by inheritance.
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": folder,
        "TMPDIR": folder,
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()


def _target(text: str) -> str:
    if not _NAME.match(text):
        raise ValueError(f"a target is written pkg.mod:name, not {text!r}")
    return text


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _encode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (str, int, bool, float):
        return value
    if kind in (list, tuple):
        return ["l" if kind is list else "t", *map(_encode, value)]
    if kind is dict and all(type(k) is str for k in value):
        return ["d", *([k, _encode(v)] for k, v in value.items())]
    if kind is Handle:
        return ["h", value.number]
    raise TypeError(f"an argument must be plain data or a handle, not {kind.__name__}")


def _decode(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (str, int, bool):
        return value
    if kind is float and math.isfinite(value):
        return value
    if kind is not list:
        raise ValueError("untagged value")
    tag, items = value[0], value[1:]
    if tag == "l":
        return [_decode(item) for item in items]
    if tag == "t":
        return tuple(_decode(item) for item in items)
    if tag == "h" and len(items) == 1 and type(items[0]) is int:
        return Handle(items[0])
    if tag == "d" and all(type(pair) is list and len(pair) == 2 and type(pair[0]) is str for pair in items):
        return {key: _decode(item) for key, item in items}
    raise ValueError("unknown tag")


def _put_files(folder: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


def _text_files(folder: str) -> dict[str, str]:
    found: dict[str, str] = {}
    room = LINE_BYTES_MAX
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            info = os.lstat(path)
            if not stat.S_ISREG(info.st_mode):
                continue
            room -= info.st_size
            if room < 0 or len(found) >= FILES_MAX:
                raise Broken("the command left too much behind")
            try:
                with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8", newline="") as file:
                    found[os.path.relpath(path, folder)] = file.read()
            except (UnicodeDecodeError, OSError):
                continue
    return found
