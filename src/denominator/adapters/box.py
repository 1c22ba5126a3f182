"""Reads the machine's fingerprint; what the platform does not tell is unknown with a reason, never 0 or a guess."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import denominator
from denominator._version import __version__
from denominator.adapters.sandboxes.hierarchies import Hierarchy, hierarchies
from denominator.adapters.toolchain import toolchain
from denominator.records.boxes import Box, Fact
from denominator.records.values import NotMeasured

__all__ = ["SystemBox"]

UNLIMITED = "unlimited"
V1_UNLIMITED = 1 << 62
STA_UNSYNC, TIME_ERROR = 0x40, 5


class SystemBox:
    """The machine as /proc, /sys and a few programs describe it. `root` is where those folders are."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def read(self, folder: Path, python: str) -> Box:
        """The box as of now; `folder` is where the run writes, `python` the declared toolchain."""
        version, digest = toolchain(python)
        groups = self._groups()
        return Box(
            host=_text(platform.node(), "the host has no name"),
            kernel=f"{platform.system()} {platform.release()} {platform.version()}".strip(),
            machine=_text(platform.machine(), "the platform does not say"),
            python=f"{platform.python_implementation()} {platform.python_version()}",
            cpu_count=_text(str(os.cpu_count() or ""), "the platform does not say"),
            cpu_model=self._line("proc/cpuinfo", "model name"),
            memory_bytes=self._memory(),
            cgroup_version=_version(groups),
            cgroup_cpu_limit=_limit(groups, "cpu", _cpu),
            cgroup_memory_limit=_limit(groups, "memory", _memory),
            load_1m=_load(),
            disk_free_bytes=_disk(folder),
            ntp_synchronised=_ntp(),
            timezone=self._timezone(),
            harness_version=__version__,
            harness_commit=_commit(),
            container_image=self._container(),
            git_version=_said("git", "--version"),
            toolchain_python=version,
            toolchain_digest=digest,
        )

    def _read(self, path: str) -> str:
        return (self._root / path).read_text("utf-8", "replace")

    def _line(self, path: str, word: str) -> Fact:
        try:
            for line in self._read(path).splitlines():
                name, _, value = line.partition(":")
                if name.strip() == word and value.strip():
                    return value.strip()
        except OSError as error:
            return NotMeasured(f"/{path}: {error.strerror}")
        return NotMeasured(f"/{path} has no {word}")

    def _memory(self) -> Fact:
        found = self._line("proc/meminfo", "MemTotal")
        return str(int(found.split()[0]) * 1024) if isinstance(found, str) else found

    def _groups(self) -> list[Hierarchy]:
        try:
            found = hierarchies(self._read("proc/self/mountinfo"), self._read("proc/self/cgroup"))
        except (OSError, ValueError):
            return []
        return [
            Hierarchy(
                version=each.version,
                controllers=each.controllers,
                top=self._root / each.top.relative_to("/"),
                own=self._root / each.own.relative_to("/"),
            )
            for each in found
        ]

    def _timezone(self) -> Fact:
        if os.environ.get("TZ"):
            return os.environ["TZ"].removeprefix(":")
        link = self._root / "etc/localtime"
        try:
            return str(link.resolve(strict=True)).partition("zoneinfo/")[2] or _text(
                self._read("etc/timezone").strip(), "/etc/timezone is empty"
            )
        except OSError:
            if not link.exists():
                return "UTC"  # what the C library uses when no zone is configured
            return NotMeasured("/etc/localtime is not a link into a zone database")

    def _container(self) -> Fact:
        try:
            for line in self._read("run/.containerenv").splitlines():
                if line.startswith("image="):
                    return line.partition("=")[2].strip('"')
        except OSError:
            pass
        kinds = {"run/.containerenv": "podman", ".dockerenv": "docker"}
        kind = next((kind for path, kind in kinds.items() if (self._root / path).exists()), "")
        inside = f"in a {kind} container, which does not show its image" if kind else "no sign of a container"
        return NotMeasured(inside)


def _text(value: str, why: str) -> Fact:
    return value or NotMeasured(why)


def _version(groups: list[Hierarchy]) -> Fact:
    found = {group.version for group in groups}
    if not found:
        return NotMeasured("no control groups are mounted")
    return "hybrid" if len(found) == 2 else f"v{found.pop()}"


def _chain(group: Hierarchy) -> Iterator[Path]:
    """The own group and all above it, as far as they are visible: the tightest limit counts."""
    yield group.own
    for parent in group.own.parents:
        if parent != group.top and group.top not in parent.parents:
            return
        yield parent


def _cpu(folder: Path, version: int) -> tuple[float, str] | None:
    """(how many processors, the same as text) that a group allows; None when it sets no limit."""
    if version == 2:
        quota, _, period = (folder / "cpu.max").read_text("ascii").strip().partition(" ")
    else:
        quota = (folder / "cpu.cfs_quota_us").read_text("ascii").strip()
        period = (folder / "cpu.cfs_period_us").read_text("ascii").strip()
    if quota in ("max", "-1"):
        return None
    return int(quota) / int(period), f"{quota}/{period} us"


def _memory(folder: Path, version: int) -> tuple[float, str] | None:
    name = "memory.max" if version == 2 else "memory.limit_in_bytes"
    text = (folder / name).read_text("ascii").strip()
    if text == "max" or int(text) >= V1_UNLIMITED:
        return None
    return int(text), text


def _limit(groups: list[Hierarchy], controller: str, read: Callable[[Path, int], tuple[float, str] | None]) -> Fact:
    """The tightest limit of v2, else of v1; "unlimited" only when the files were there and said so."""
    for group in sorted(groups, key=lambda each: -each.version):
        if group.version == 1 and controller not in group.controllers:
            continue
        seen, limits = False, []
        for folder in _chain(group):
            try:
                found = read(folder, group.version)
            except (OSError, ValueError):
                continue  # the root group has no such file; a group without the controller neither
            seen = True
            if found:
                limits.append(found)
        if seen:
            return min(limits)[1] if limits else UNLIMITED
    return NotMeasured(f"no control group with {controller} is visible")


def _load() -> Fact:
    try:
        return f"{os.getloadavg()[0]:.2f}"
    except OSError:
        return NotMeasured("the platform does not tell its load")


def _disk(folder: Path) -> Fact:
    try:
        found = os.statvfs(folder)
    except OSError as error:
        return NotMeasured(f"{folder.name}: {error.strerror}")
    return str(found.f_bavail * found.f_frsize)


def _said(*argv: str) -> Fact:
    """The first line that a program prints."""
    if not shutil.which(argv[0]):
        return NotMeasured(f"{argv[0]} is not installed")
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=20, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        return NotMeasured(f"{argv[0]} failed: {type(error).__name__}")
    return _text(done.stdout.partition("\n")[0].strip(), f"{argv[0]} said nothing")


def _ntp() -> Fact:
    """Does the kernel's clock follow a time source? "yes" or "no"; asked without changing anything."""
    found = _said("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if found in ("yes", "no"):
        return found
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        state = ctypes.create_string_buffer(512)  # struct timex, larger than any; modes = 0 only reads
        answer = libc.adjtimex(state)
    except (OSError, AttributeError):
        return NotMeasured("neither timedatectl nor adjtimex is there")
    if answer < 0:
        return NotMeasured(f"adjtimex: {os.strerror(ctypes.get_errno())}")
    # After the modes word come offset, freq, maxerror and esterror, each a long.
    status = struct.unpack_from("@i", state, struct.calcsize("@Illll"))[0]
    return "no" if answer == TIME_ERROR or status & STA_UNSYNC else "yes"


def _commit() -> Fact:
    """The commit of this checkout, with "+changes" when files differ from it; an installed package has none."""
    root = Path(next(iter(denominator.__path__))).resolve().parent.parent
    if not (root / ".git").exists() or not (root / "pyproject.toml").is_file():
        return NotMeasured("installed without its repository")
    git = ("git", "-c", "core.fsmonitor=false", "--no-optional-locks", "-C", str(root))
    commit = _said(*git, "rev-parse", "HEAD")
    if isinstance(commit, NotMeasured):
        return commit
    changed = _said(*git, "status", "--porcelain", "--untracked-files=no", "--", "src")
    return commit if isinstance(changed, NotMeasured) else f"{commit}+changes"
