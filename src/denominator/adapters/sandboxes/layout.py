"""Decides what one job sees: the system from /usr and nothing else of it, the toolchain, its own folders."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import denominator
from denominator.adapters.sandboxes.argv import Bind, Tmpfs, View
from denominator.adapters.sandboxes.workspaces import Scratch
from denominator.errors import InputError, Problem
from denominator.ports import Job

__all__ = [
    "HOME",
    "SOCKET",
    "Machine",
    "environment",
    "etc_files",
    "hides",
    "job_problems",
    "toolchain_folders",
    "view",
]

HOME = "/home/agent"
SOCKET = "/run/denominator/model.sock"
ROOT_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC = ("/etc/ld.so.cache", "/etc/alternatives")
RESERVED = ("/", "/usr", "/proc", "/dev", "/etc", "/tmp", "/run", "/home", *(f"/{name}" for name in ROOT_FOLDERS))
# Without a disk of its own a command's writable folders share its disk budget: 16 parts in all.
OWN_PLACES = ("/work", "/out")  # the agent's: nothing may be mounted inside
FRESH_PLACES = ("/tmp", HOME)  # made anew for each command, by us
PARTS = {"/work": 12, "/tmp": 2, HOME: 1, "/dev/shm": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What every sandbox of this machine shows: folders of the toolchain, and folders to hide below anything shown."""

    as_user: bool
    toolchain: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()

    @property
    def system(self) -> tuple[Bind, ...]:
        """/usr, real (unmerged) root folders, the loader's cache, the toolchain: all read-only."""
        roots = [f"/{name}" for name in ROOT_FOLDERS if Path("/", name).is_dir() and not Path("/", name).is_symlink()]
        binds = [Bind(host=path, inside=path) for path in ("/usr", *roots)]
        binds += [Bind(host=path, inside=path, optional=True) for path in ETC]
        return (*binds, *(bind for bind in self._toolchain() if not _inside(bind.inside, FRESH_PLACES)))

    @property
    def late(self) -> tuple[Bind, ...]:
        """The parts of the toolchain that lie below a folder which every command gets fresh."""
        return tuple(bind for bind in self._toolchain() if _inside(bind.inside, FRESH_PLACES))

    def _toolchain(self) -> list[Bind]:
        return [Bind(host=str(path), inside=str(path)) for path in self.toolchain]

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The root folders that are links into /usr."""
        return tuple(
            (str(Path("/", name).readlink()), f"/{name}") for name in ROOT_FOLDERS if Path("/", name).is_symlink()
        )


def own_package() -> Path:
    """The installed package: it carries example packs with hidden tests, which no sandbox may show."""
    return Path(next(iter(denominator.__path__))).resolve()


def toolchain_folders(python: str, site: str = "") -> tuple[Path, ...]:
    """The folders outside /usr that a declared interpreter and site folder need; links are followed to the end."""
    wanted: list[Path] = []
    program = Path(python)
    for each in (program, program.resolve()):
        if each.parent.name == "bin":
            wanted.append(each.parent.parent)
    marker = program.parent.parent / "pyvenv.cfg"
    if marker.is_file():
        for line in marker.read_text("utf-8", "replace").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home" and Path(value.strip()).name == "bin":
                wanted += [Path(value.strip()).parent, Path(value.strip()).parent.resolve()]
    if site:
        wanted += [Path(site), Path(site).resolve()]
    outside = [path for path in dict.fromkeys(wanted) if path.is_dir() and not _below(path, Path("/usr"))]
    covered = [Problem(str(path), "lies below a folder of the sandbox's own") for path in outside if _covered(path)]
    if covered:
        raise InputError(
            "the toolchain cannot be shown in the sandbox",
            where="sandbox.python, sandbox.site",
            problems=covered,
            fix=f"move it away from {' and '.join(OWN_PLACES)}",
        )
    return tuple(path for path in outside if path != Path("/"))


def _below(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _inside(path: str, places: Sequence[str]) -> bool:
    return any(_below(Path(path), Path(place)) for place in places)


def _covered(path: Path) -> bool:
    return _inside(str(path), OWN_PLACES) or str(path) in FRESH_PLACES


def environment(job: Job, toolchain: Sequence[Path]) -> dict[str, str]:
    """Exactly what the command finds in its environment; the job's own words win."""
    own = [str(folder / "bin") for folder in toolchain if (folder / "bin").is_dir()]
    fixed = {
        "PATH": ":".join([*own, "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",
        "PYTHONPYCACHEPREFIX": "/tmp/.pycache",
    }
    return {**fixed, **job.env}


def etc_files(uid: int, gid: int) -> dict[str, bytes]:
    """The few files of /etc that programs cannot do without."""
    return {
        "/etc/passwd": f"root:x:0:0:root:/:/usr/sbin/nologin\nagent:x:{uid}:{gid}:agent:{HOME}:/bin/sh\n".encode(),
        "/etc/group": f"root:x:0:\nagent:x:{gid}:\n".encode(),
        "/etc/hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    }


def job_problems(job: Job, *, images: bool = False) -> None:
    """Refuse a job that cannot be run as it is meant; all its mistakes at once. `images`: the sandbox has images."""
    found: list[Problem] = []
    if job.image and not images:
        found.append(Problem("image", f"{job.image}: this sandbox shows the machine's own system, no image"))
    if not job.argv or not job.argv[0] or "=" in job.argv[0]:
        found.append(Problem("argv", "the command is empty or has '=' in its name"))
    if job.role not in ("agent", "grader"):
        found.append(Problem("role", f"{job.role!r} is neither agent nor grader"))
    if job.slot < 0:
        found.append(Problem("slot", "a slot counts from 0"))
    words = [*job.argv, *job.env, *job.env.values()]
    if any("\0" in word for word in words) or any("=" in name or not name for name in job.env):
        found.append(Problem("argv, env", "a word has a zero byte, or a name is empty or has '='"))
    for mount in job.mounts:
        inside = PurePosixPath(mount.inside)
        kernel = len(inside.parts) > 1 and inside.parts[1] in ("proc", "dev", "sys")
        if not inside.is_absolute() or ".." in inside.parts or str(inside) in RESERVED or kernel:
            found.append(Problem("mounts", f"{mount.inside}: not an absolute path that may be covered"))
        for kept, folder in (("/work", job.workdir), ("/out", job.outdir)):
            # A mount point would be made inside a folder that an agent controls, through whatever link it left there.
            if folder and str(inside).startswith(kept):
                found.append(Problem("mounts", f"{mount.inside}: nothing is mounted inside {kept}"))
    for name in ("wall_s", "memory_bytes", "processes", "disk_bytes", "file_bytes", "open_files", "output_bytes"):
        if getattr(job.limits, name) <= 0:
            found.append(Problem(f"limits.{name}", "a limit is above 0"))
    if found:
        raise InputError("a sandbox cannot run this job", problems=found, fix="correct the job")


def view(
    job: Job,
    machine: Machine,
    *,
    scratch: Scratch | None,
    files: Mapping[str, int],
    seccomp: int | None,
) -> View:
    """The view of one job."""
    binds = [Bind(host=str(mount.host), inside=mount.inside, writable=mount.writable) for mount in job.mounts]
    if job.workdir:
        binds.append(Bind(host=str(job.workdir), inside="/work", writable=True))
    if job.outdir:
        binds.append(Bind(host=str(job.outdir), inside="/out", writable=True))
    if job.socket:
        binds.append(Bind(host=str(job.socket), inside=SOCKET))
    binds += machine.late
    private = {"/tmp": scratch.tmp, HOME: scratch.home, "/dev/shm": scratch.shm} if scratch else {}
    binds += [Bind(host=str(host), inside=inside, writable=True, fresh=True) for inside, host in private.items()]
    taken = {bind.inside for bind in binds}
    part = job.limits.disk_bytes // 16
    tmpfs = [
        Tmpfs(inside=inside, size=max(4096, parts * part), mode=0o1777)
        for inside, parts in PARTS.items()
        if inside not in taken
    ]
    return View(
        as_user=machine.as_user,
        system=machine.system,
        links=machine.links,
        files=tuple((number, inside) for inside, number in files.items()),
        tmpfs=tuple(tmpfs),
        binds=tuple(binds),
        hides=hides(machine, (*machine.system, *binds)),
        seccomp=seccomp,
    )


def hides(machine: Machine, binds: Sequence[Bind]) -> tuple[Tmpfs, ...]:
    """Empty read-only folders over whatever must not be seen below a shown folder."""
    secret = [path.resolve() for path in (*machine.hidden, own_package()) if path.is_dir()]
    found = {}
    for bind in binds:
        shown = Path(bind.host).resolve()
        for path in secret:
            if path != shown and shown in path.parents:
                inside = os.path.join(bind.inside, path.relative_to(shown))  # noqa: PTH118 - a path inside, not here
                found[inside] = Tmpfs(inside=inside, size=4096, readonly=True)
    return tuple(found.values())
