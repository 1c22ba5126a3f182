"""The Docker backend: each command in a container of its own, made by an engine on this machine.

Any engine that speaks the Docker API over a unix socket and shares this kernel and these folders will do (dockerd, Podman).
The image is the whole system that the command sees; it is pinned by id and looked at before every start.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes.docker import facts as fact_finding
from denominator.adapters.sandboxes.docker.client import Engine, EngineError, EngineGoneError, socket_path
from denominator.adapters.sandboxes.docker.contained import Contained, ended
from denominator.adapters.sandboxes.docker.gate import Gate
from denominator.adapters.sandboxes.docker.guard import Guard
from denominator.adapters.sandboxes.docker.images import Image, pinned
from denominator.adapters.sandboxes.docker.owners import OWNER, SESSION, own_name, sweep
from denominator.adapters.sandboxes.docker.preparing import Dialect, enforced, make_spec, writable
from denominator.adapters.sandboxes.docker.profile import profile
from denominator.adapters.sandboxes.endings import never_ran
from denominator.adapters.sandboxes.layout import PARTS, Machine, job_problems
from denominator.adapters.sandboxes.owned import Owned
from denominator.adapters.sandboxes.removal import disk_use
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["Docker"]


class Docker(Owned):
    """Runs hostile commands in containers of one image.

    `image` is a name, an id, or best a name with a digest: then no other image is ever started, whatever the name has come to mean.
    `socket` names the engine (default: DOCKER_HOST, then the usual places). `hidden` are host folders that must never be
    seen, even below a shown folder.
    """

    name = "docker"

    def __init__(
        self,
        *,
        image: str,
        socket: str = "",
        hidden: Sequence[Path] = (),
        uid_base: int = 61000,
    ) -> None:
        super().__init__(uid_base)
        self.image = image
        self.engine = Engine(socket_path(socket or os.environ.get("DOCKER_HOST", "")))
        self.machine = Machine(as_user=self.as_user, hidden=tuple(hidden))
        self.session = secrets.token_hex(8)
        self._base: Path | None = None
        self._guard: Guard | None = None
        self._seccomp = ""
        self._podman = False
        self._left = False
        self._lock = threading.Lock()

    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""
        return fact_finding.find(self, terms)

    def close(self) -> None:
        """Let the guard go and remove our files. No `run` may be under way."""
        with self._lock:
            if self._guard:
                self._guard.close(done=not self._left)
                self._guard = None
            if self._base:
                shutil.rmtree(self._base, ignore_errors=True)
                self._base = None

    def _ready(self) -> Path:
        """The folder of our files; at the first use dead harnesses' containers are swept and the guard is posted."""
        with self._lock:
            if self._base is None or self._guard is None:
                sweep(self.engine)
                self._base = Path(tempfile.mkdtemp(prefix="denominator-docker-"))
                self._guard = Guard(self.engine.path, self.session, self._base)
                self._seccomp = self._profile(self._base)
            if not self._guard.alive():
                raise MachineError("the guard of the containers died", fix="start again; a new one is posted")
            return self._base

    def _profile(self, base: Path) -> str:
        """The filter as this engine takes it: Podman wants a file, dockerd the text."""
        self._podman = self.engine.is_podman()
        if self._podman:
            (base / "seccomp.json").write_text(profile(), "ascii")
            return str(base / "seccomp.json")
        return profile()

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run one command to its end; when this returns, its container is gone."""
        job_problems(job, images=True)
        try:
            return self._run(job, stop)
        except (EngineError, OSError) as error:
            if is_full(error):
                raise OSError(errno.ENOSPC, f"no room for a container: {error}") from error
            self._left |= isinstance(error, EngineGoneError)
            raise MachineError(
                f"a container cannot be run: {error}", fix="`denominator doctor --sandbox docker`"
            ) from error

    def _run(self, job: Job, stop: Stop | None) -> Ended:
        folder = self._ready() / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        with contextlib.ExitStack() as undo:
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
            contained = Contained(engine=self.engine, id="", gate=Gate(folder / "gate"))
            undo.callback(contained.gate.close)
            measured = [path for path in writable(job) if path.is_dir()]
            limit = job.limits.disk_bytes * PARTS["/work"] // 16
            watch = Watch(
                spawned=contained,
                limits=job.limits,
                stop=stop,
                stdin=job.stdin,
                over_disk=(lambda: disk_use(measured, limit) > limit) if measured else None,
            )
            limits = enforced(job, bool(measured))
            try:
                image = pinned(self.engine, job.image or self.image)
                contained.id = self.engine.create(f"denominator-{folder.name}", self._spec(job, image, contained.gate))
                undo.callback(contained.close)
                started = not watch.stopped() and contained.ready(watch.stopped)
            except EngineError as error:
                # No fault of this job, and it would be every other's: the run stops, and goes on when there is an engine.
                if isinstance(error, EngineGoneError) or is_full(error):
                    raise
                started, contained.why = False, str(error)
            if not started:
                watch.read["stderr"] = bytearray(contained.why.encode())
                return never_ran(watch, limits)
            limits |= {"memory": contained.memory() or limits["memory"]}
            watch.run()
            return ended(watch, limits)

    def _spec(self, job: Job, image: Image, gate: Gate) -> dict[str, object]:
        dialect = Dialect(seccomp=self._seccomp, podman=self._podman)
        labels = {OWNER: own_name(), SESSION: self.session}
        return make_spec(job, image, gate, self.ids(job.role, job.slot), self.machine, labels, dialect)


def is_full(error: EngineError | OSError) -> bool:
    """Was there no room: on our disk, or on the engine's before the command began? An engine tells it in words alone."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return os.strerror(errno.ENOSPC).lower() in str(error).lower()
