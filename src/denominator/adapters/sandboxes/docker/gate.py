"""The way in and out of a container: named pipes in a folder that it sees read-only, and a small script that uses them.

Standard input, both outputs, the report and the two control pipes are pipes of the kernel between harness and command: no
bytes pass through the engine or lie on a disk. When the script has opened them all, their names are removed and those that
only the command itself may use lose every permission bit, so that nothing inside can open them again.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from denominator.adapters.sandboxes.spawn import INSIDE_PATH, Streams

__all__ = ["INSIDE", "Gate"]

INSIDE = "/run/denominator/gate"
READ = ("stdout", "stderr", "report", "say")  # by the harness
WRITTEN = ("stdin", "go")
PUBLIC = ("stdout", "stderr")  # programs open /dev/stdout and /dev/stderr anew
READY, MISSING, ENDED, FAILED = b"ready", b"missing", b"ended", b"failed"


def script(argv: Sequence[str], env: Mapping[str, str], cwd: str, *, stdin: bool, report: bool) -> bytes:
    """What the container starts. It stays as the first process, for that one is deaf to signals from inside.

    It says "ready" when everything is open, waits for "go", and says "ended CODE"; or "missing ..." or "failed ...",
    and then the command never ran.
    """
    words = [f"{name}={value}" for name, value in env.items()]
    start = " ".join(shlex.quote(word) for word in ("env", "-i", "--", *words, *argv))
    streams = f"<{INSIDE}/stdin" if stdin else "</dev/null"
    streams += f" >{INSIDE}/stdout 2>{INSIDE}/stderr" + (f" 3>{INSIDE}/report" if report else "")
    quoted = {"path": shlex.quote(env.get("PATH", INSIDE_PATH)), "cwd": shlex.quote(cwd), "name": shlex.quote(argv[0])}
    text = """exec 8>{inside}/say 9<{inside}/go || exit 125
say() {{ echo "$@" >&8; }}
umask 022
cd -- {cwd} 2>/dev/null || {{ say failed there is no folder to start in; exit 125; }}
here() {{ [ -f "$1" ] && [ -x "$1" ]; }}
found() {{
  case $1 in */*) here "$1"; return ;; esac
  IFS=:
  for folder in $2; do here "$folder/$1" && return; done
  return 1
}}
(found {name} {path}) || {{ say missing; exit 127; }}
(
  say ready
  read -r go <&9 || exit 125
  PATH={path}
  exec 8>&- 9<&-
  exec {start}
) {streams}
say ended $?
read -r never <&9
"""
    return os.fsencode(text.format(inside=INSIDE, start=start, streams=streams, **quoted))


@dataclass(slots=True)
class Gate:
    """The pipes of one container. `streams` are the harness's ends, not blocking."""

    folder: Path
    streams: Streams = field(default_factory=Streams)
    say: int = -1
    go: int = -1
    word: bytes = b""
    _keep: list[int] = field(default_factory=list)

    def make(self, text: bytes, owner: tuple[int, int], *, stdin: bool, report: bool) -> None:
        """Make the folder's content and open our ends."""
        self.folder.mkdir(mode=0o755)
        self.folder.chmod(0o755)
        (self.folder / "run").write_bytes(text)
        (self.folder / "run").chmod(0o444)
        for name in (*READ, *WRITTEN):
            if (name == "stdin" and not stdin) or (name == "report" and not report):
                continue
            path = self.folder / name
            os.mkfifo(path, 0o600)
            if os.geteuid() == 0:
                os.chown(path, 0, owner[1])
                path.chmod(0o622 if name in PUBLIC else 0o020 if name in READ else 0o040)
            self._open(name, path)

    def _open(self, name: str, path: Path) -> None:
        """Our end. A writer needs a reader to open, so we are the reader until the script is there."""
        flags = os.O_NONBLOCK | os.O_CLOEXEC
        if name in READ:
            number = os.open(path, os.O_RDONLY | flags)
        else:
            self._keep.append(os.open(path, os.O_RDONLY | flags))
            number = os.open(path, os.O_WRONLY | flags)
        setattr(self if name in ("say", "go") else self.streams, name, number)

    def heard(self, timeout_s: float) -> bytes | None:
        """The next word of the script: a line without its end, b"" when it is gone; None when it says nothing in time."""
        poll = select.poll()
        poll.register(self.say, select.POLLIN)
        if b"\n" not in self.word and not poll.poll(timeout_s * 1000):
            return None
        with contextlib.suppress(BlockingIOError):
            self.word += os.read(self.say, 4096)
        line, mark, self.word = self.word.partition(b"\n")
        return line if mark else b""

    def opened(self) -> None:
        """All is open inside: let go of the readers' places, and take away names and rights."""
        for number in self._keep:
            os.close(number)
        self._keep.clear()
        for name in (*READ, *WRITTEN, "run"):
            with contextlib.suppress(FileNotFoundError):
                if name not in PUBLIC:
                    (self.folder / name).chmod(0)
                (self.folder / name).unlink()

    def close(self) -> None:
        """Close every descriptor and remove the folder."""
        self.streams.close()
        for number in (self.say, self.go, *self._keep):
            if number >= 0:
                os.close(number)
        self.say = self.go = -1
        self._keep.clear()
        with contextlib.suppress(OSError):
            for child in self.folder.iterdir():
                child.unlink()
            self.folder.rmdir()
