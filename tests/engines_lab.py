"""Private container engines for tests: their own store, socket and no network, and a base image made without any registry.

Nothing of the machine's own engine is touched. The image is a tar of chosen folders of this host: what the named Debian
packages own, and the libraries that their programs need.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.docker.client import Engine, EngineError

PACKAGES = (
    *(
        "bash",
        "coreutils",
        "dash",
        "diffutils",
        "findutils",
        "git",
        "grep",
        "libc-bin",
        "libc6",
        "make",
        "procps",
        "sed",
    ),
    *("tar", "gzip", "util-linux", "python3-minimal", "python3", "media-types"),
    *("python3.11", "python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib"),
)
UNWANTED = re.compile(
    r"/usr/share/(doc|man|locale|info|lintian|bash-completion|perl5|git-core/contrib)/|__pycache__|/perl/"
)
FOLDERS = (
    "usr",
    "usr/bin",
    "usr/sbin",
    "usr/lib",
    "usr/lib64",
    *["etc", "tmp", "run", "home", "proc", "sys", "dev", "opt"],
)
IMAGE = "denominator-test/base:latest"


@dataclass
class Running:
    """A started engine: its name, its socket, its command line and its process."""

    name: str
    socket: Path
    words: tuple[str, ...]
    process: subprocess.Popen | None

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it as this signal does, and wait for it."""
        self.process.send_signal(number)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def again(self) -> None:
        """Start it anew, with what it has in its store; of one that was killed all that lives on is ended first."""
        for pid in _outliving(self.socket.parent):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.socket.parent / "exec/containerd", ignore_errors=True)
        for name in ("pid", "engine.sock"):
            (self.socket.parent / name).unlink(missing_ok=True)
        self.process = _process(self.socket.parent, self.words)
        _wait(self, self.socket.parent / "log")

    @property
    def engine(self) -> Engine:
        return Engine(self.socket)


def missing(name: str) -> str:
    """Why this engine cannot be had here, "" when it can."""
    if os.geteuid() != 0:
        return "a private engine needs root"
    if shutil.which("dpkg-query") is None:
        return "the base image is made of Debian packages, and there is no dpkg here"
    needed = {"dockerd": ("dockerd", "runc"), "podman": ("podman", "runc")}[name]
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    lacking = [program for program in needed if shutil.which(program, path=path) is None]
    return f"{', '.join(lacking)} not installed (Debian: docker.io, podman, runc)" if lacking else ""


def _dockerd(folder: Path) -> list[str]:
    return [
        *("/usr/sbin/dockerd", "--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec"),
        *("-H", f"unix://{folder}/engine.sock", "--pidfile", f"{folder}/pid", "--bridge=none"),
        *("--iptables=false", "--ip6tables=false", "--ip-forward=false"),
    ]


def _podman(folder: Path) -> list[str]:
    return [
        *("podman", "--root", f"{folder}/data", "--runroot", f"{folder}/exec", "--cgroup-manager=cgroupfs"),
        *("--runtime", "runc", "--events-backend=none", "system", "service", "-t", "0", f"unix://{folder}/engine.sock"),
    ]


@contextlib.contextmanager
def started(name: str, *more: str):
    """A private engine with the base image in it; `more` are words for its command line."""
    folder = Path(tempfile.mkdtemp(prefix=f"lab-{name}-"))
    words = (*{"dockerd": _dockerd, "podman": _podman}[name](folder), *more)
    running = Running(name, folder / "engine.sock", words, _process(folder, words))
    try:
        _wait(running, folder / "log")
        load(running.engine)
        yield running
    finally:
        for each in _containers(running.engine):
            running.engine.remove(each)
        running.end()
        _unmount(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _process(folder: Path, words: tuple[str, ...]) -> subprocess.Popen:
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=folder
        )


def _outliving(folder: Path) -> list[int]:
    """The containerd and the shims of an engine, and the first processes of their containers."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"containerd" in (path / "comm").read_bytes() and os.fsencode(folder) in (path / "cmdline").read_bytes():
                children = [int(pid) for each in path.glob("task/*/children") for pid in each.read_text().split()]
                found += [*children, int(path.name)]
    return found


def _containers(engine: Engine) -> list[str]:
    with contextlib.suppress(EngineError):
        return [each["Id"] for each in engine.call("GET", "/containers/json", {"all": "true"}) or []]
    return []


def _unmount(folder: Path) -> None:
    """What an engine left mounted below its own folder."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    for place in sorted((line.split()[1] for line in lines if line.split()[1].startswith(f"{folder}/")), reverse=True):
        subprocess.run(["umount", "-l", place], check=False)


def _wait(running: Running, log: Path) -> None:
    for _ in range(600):
        with contextlib.suppress(EngineError):
            running.engine.version()
            return
        time.sleep(0.1)
    raise AssertionError(f"{running.name} does not answer:\n{log.read_text(errors='replace')[-3000:]}")


def load(engine: Engine, name: str = IMAGE) -> str:
    """Make the base image; its id."""
    repo, _, tag = name.rpartition(":")
    with tempfile.TemporaryFile() as file:
        write_base(file)
        file.seek(0)
        engine.call(
            "POST",
            "/images/create",
            {"fromSrc": "-", "repo": repo, "tag": tag},
            stream=iter(lambda: file.read(1 << 20), b""),
            timeout_s=300,
        )
    return engine.image(name)["Id"]


def write_base(file) -> None:
    """The tar of the base image."""
    paths = base_files()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for folder in FOLDERS:
            tar.addfile(_folder(folder))
        for name in ("bin", "sbin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
        for path in paths:
            if path.lstrip("/") in FOLDERS:
                continue
            tar.add(path, arcname=path.lstrip("/"), recursive=False)


def _folder(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
    return info


def base_files() -> list[str]:
    """Every file, link and folder of the packages, and the libraries that they load; by their real folders."""
    listed = []
    for package in PACKAGES:
        done = subprocess.run(["dpkg-query", "-L", package], capture_output=True, text=True, check=False)
        listed += done.stdout.splitlines()
    found: dict[str, None] = {}
    for path in listed:
        if path.startswith("/") and not UNWANTED.search(path + "/") and os.path.lexists(path) and path.count("/") > 1:
            found[os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))] = None
    programs = [path for path in found if os.path.isfile(path) and _is_elf(path)]
    for path in libraries(programs):
        found[path] = None
    extra = ("/etc/ld.so.cache", "/etc/alternatives")
    return sorted({*found, *(path for path in extra if os.path.exists(path)), *_alternatives()})


def _alternatives() -> list[str]:
    return [str(path) for path in Path("/etc/alternatives").glob("awk")]


def _is_elf(path: str) -> bool:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"
    return False


def libraries(programs: list[str]) -> set[str]:
    """What the loader would load for these, and each link on the way to it."""
    found: set[str] = set()
    done = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False)
    for place in set(re.findall(r"(/\S+)\s+\(0x", done.stdout)):
        folder, name = os.path.realpath(os.path.dirname(place)), os.path.basename(place)
        here = os.path.join(folder, name)
        found |= {here, os.path.realpath(here)}
    return found
