"""What a sandboxed command sees, as data, and the same as options of bubblewrap. Pure: nothing is looked up here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Bind", "Tmpfs", "View", "options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind:
    """A host path shown inside. In a `fresh` one, which is made for the command, folders for other mounts may be made."""

    host: str
    inside: str
    writable: bool = False
    optional: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tmpfs:
    """An empty sized file system inside; `readonly` ones only hide what is below them."""

    inside: str
    size: int
    mode: int = 0o755
    readonly: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The whole view. `as_user` builds it in a user namespace; otherwise root builds it and drops its uid later.

    `system` comes first, then /proc and /dev, then `tmpfs`, then `binds` in the order of their depth, then `hides`.
    """

    as_user: bool
    system: tuple[Bind, ...]
    links: tuple[tuple[str, str], ...]
    files: tuple[tuple[int, str], ...]
    tmpfs: tuple[Tmpfs, ...]
    binds: tuple[Bind, ...]
    hides: tuple[Tmpfs, ...]
    hostname: str = "sandbox"
    seccomp: int | None = None


def _parents(inside: str) -> Iterator[str]:
    yield from (str(parent) for parent in reversed(PurePosixPath(inside).parents) if str(parent) != "/")


class _Builder:
    """Collects options; makes each parent folder once, open to all (bubblewrap's own are closed to other uids)."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._made: set[str] = {"/proc", "/dev"}
        self._covered: set[str] = set()

    def parents(self, inside: str) -> None:
        for parent in _parents(inside):
            if parent in self._covered:
                return
            if parent not in self._made:
                self.words += ["--perms", "0755", "--dir", parent]
                self._made.add(parent)

    def bind(self, bind: Bind) -> None:
        self.parents(bind.inside)
        option = ("--bind" if bind.writable else "--ro-bind") + ("-try" if bind.optional else "")
        self.words += [option, bind.host, bind.inside]
        (self._made if bind.fresh else self._covered).add(bind.inside)

    def tmpfs(self, tmpfs: Tmpfs) -> None:
        self.parents(tmpfs.inside)
        self.words += ["--perms", f"{tmpfs.mode:04o}", "--size", str(tmpfs.size), "--tmpfs", tmpfs.inside]
        if tmpfs.readonly:
            self.words += ["--remount-ro", tmpfs.inside]
        self._made.add(tmpfs.inside)


def _namespaces(view: View) -> list[str]:
    words = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if view.as_user:
        return ["--unshare-user", "--disable-userns", *words]
    # Only what setpriv needs to drop the rest; the bounding set goes there.
    return [
        *words,
        "--cap-drop",
        "ALL",
        *(w for cap in ("SETUID", "SETGID", "SETPCAP") for w in ("--cap-add", f"CAP_{cap}")),
    ]


def options(view: View) -> list[str]:
    """The options, to be passed by `--args`, so that no host path shows in a command line."""
    made = _Builder()
    for bind in view.system:
        made.bind(bind)
    for target, link in view.links:
        made.words += ["--symlink", target, link]
    made.words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for number, inside in view.files:
        made.parents(inside)
        made.words += ["--perms", "0444", "--file", str(number), inside]
    for tmpfs in view.tmpfs:
        made.tmpfs(tmpfs)
    for bind in sorted(view.binds, key=lambda each: each.inside.count("/")):
        made.bind(bind)
    for hide in view.hides:
        made.tmpfs(hide)
    words = [*_namespaces(view), "--die-with-parent", "--new-session", "--hostname", view.hostname, "--clearenv"]
    words += ["--setenv", "PATH", "/usr/bin:/bin:/usr/sbin:/sbin", *made.words]
    # /dev and / are file systems without a size: nobody may write to them.
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
    if view.seccomp is not None:
        words += ["--seccomp", str(view.seccomp)]
    return words
