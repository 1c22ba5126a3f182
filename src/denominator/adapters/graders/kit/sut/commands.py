"""Command lines of the solution, and the files it leaves."""

from __future__ import annotations

import base64
import time

from .door import LINE_BYTES_MAX, TIMEOUT_S, door
from .values import Broken, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

# Output, errors and files of at most LINE_BYTES_MAX each, in base64, and the names.
ANSWER_BYTES_MAX = 5 * LINE_BYTES_MAX
FILES_MAX = 200


class Run:
    """What a finished command left: `code` (negative: the signal), `stdout`, `stderr`, `files` (text files of its
    folder by name), `data` (the bytes of those that were asked for by name)."""

    def __init__(self, code: int, stdout: str, stderr: str, files: dict[str, str], data: dict[str, bytes]) -> None:
        self.code, self.stdout, self.stderr, self.files, self.data = code, stdout, stderr, files, data


def run(
    argv: list[str],
    stdin: str | bytes = "",
    files: Mapping[str, str | bytes] | None = None,
    timeout: float = TIMEOUT_S,
    *,
    env: Mapping[str, str] | None = None,
    keep: Iterable[str] = (),
) -> Run:
    """Run `-m pkg.cli args...` or `script.py args...` of the solution in a fresh folder that holds `files`.

    `keep` names files of that folder that must be there afterwards: regular ones, no links, 1,000,000 bytes together.
    """
    names = list(keep)
    spec = {
        "kind": "run",
        "argv": list(argv),
        "stdin": _coded(stdin),
        "files": {name: _coded(text) for name, text in (files or {}).items()},
        "env": dict(env or {}),
        "keep": names,
    }
    answer = _ask(spec, timeout)
    code, out, err = answer.get("code"), answer.get("stdout"), answer.get("stderr")
    if type(code) is not int or not -64 <= code <= 255:
        raise Broken("the answer of a command has no status")
    found, data = _table(answer.get("files")), _table(answer.get("data"))
    if sorted(data) != sorted(set(names)):
        raise Broken("the answer of a command lacks a file")
    texts = {name: text for name, raw in found.items() if (text := _text(raw)) is not None}
    return Run(code, _bytes(out).decode("utf-8", "replace"), _bytes(err).decode("utf-8", "replace"), texts, data)


def files(argv: list[str], names: Iterable[str], **more: Any) -> dict[str, bytes]:
    """Run a command that must leave with 0, and return the bytes of the files it must leave. `more` as for `run`."""
    done = run(argv, keep=names, **more)
    if done.code:
        raise Broken(f"the command left with status {done.code}: {done.stderr[-500:]}")
    return done.data


def read(name: str) -> bytes:
    """The bytes of a file of the solution's tree: a regular one, no link on the way, at most 1,000,000 bytes."""
    return _table(_ask({"kind": "read", "keep": [name]}, TIMEOUT_S).get("data"))[name]


def _ask(spec: dict[str, Any], timeout: float) -> dict[str, Any]:
    line = door().open(spec)
    try:
        answer = read_json(line.line(time.monotonic() + timeout, ANSWER_BYTES_MAX))
    except (ValueError, RecursionError):
        raise Broken("the answer is not JSON") from None
    finally:
        line.close()
    if type(answer) is not dict:
        raise Broken("the answer has no form of an answer")
    if "broken" in answer:
        raise Broken(str(answer["broken"])[:500])
    return answer


def _table(value: Any) -> dict[str, bytes]:
    if type(value) is not dict or len(value) > FILES_MAX:
        raise Broken("the files of an answer are malformed")
    found = {name: _bytes(data) for name, data in value.items()}
    if sum(map(len, found.values())) > LINE_BYTES_MAX:
        raise Broken("the command left too much behind")
    return found


def _bytes(value: Any) -> bytes:
    try:
        data = base64.b64decode(value, validate=True)
    except (ValueError, TypeError):
        raise Broken("the answer holds no bytes") from None
    if len(data) > LINE_BYTES_MAX:
        raise Broken("the command left too much behind")
    return data


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _coded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()
