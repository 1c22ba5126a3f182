"""`dask://HOST:PORT` and `dask+tls://HOST:PORT`: workers of a running Dask scheduler (docs/workers.md).

Dask is a transport and nothing else: no retries, nothing cached by content, its cancel is not trusted. It still runs a
job again when the worker that had it died, or when the network is cut; the journal makes that harmless. Only text passes
through it. TLS files are named in Dask's own configuration (`distributed.comm.tls`).
"""

from __future__ import annotations

import importlib.util
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult
from uuid import uuid4

from denominator.adapters.workers.child import Children, GoneError
from denominator.errors import DenominatorError, InputError, MachineError, OpenPromisesError
from denominator.ports import Carried

CONNECT_S = 15.0
WORKERS_S = 30.0
AWAY_S = 120.0
"""How long a scheduler may be gone before the run stops, to be resumed."""
NO_ANSWER = (OSError, AssertionError, RuntimeError)
"""A scheduler that is not there (a TimeoutError is an OSError), and what Dask says of its own event loop that did not start within
ten seconds, or ended again, on a machine with much to do."""


def carry_out(module: str, run: str, job: str) -> tuple[str, str]:
    """In the Dask worker: hand the job to its child process. ("answer" or "lost", text)."""
    from distributed import get_worker

    worker: Any = get_worker()
    children = worker.__dict__.setdefault("denominator_children", Children(module))
    try:
        return "answer", children.ask(run, job)
    except (GoneError, OSError) as error:
        return "lost", str(error)


class Dask:
    """`ports.Workers` over a Dask client; a client that lost its scheduler is replaced."""

    name = "dask"

    def __init__(self, address: str, module: str) -> None:
        self._address, self._module = address, module
        self._lock = threading.Lock()
        self._jobs: dict[str, tuple[Any, threading.Event]] = {}
        self._away_until = 0.0
        self._client = self._connected(time.monotonic() + CONNECT_S, MachineError)
        self._refuse_bad_workers()

    def submit(self, run: str, job: str) -> str:
        """Hand over a job. Raises OpenPromisesError when the scheduler stays away."""
        name, over = f"denominator-{uuid4().hex}", threading.Event()
        future = self._submitted(run, job, name)
        future.add_done_callback(lambda _: over.set())
        self._jobs[name] = (future, over)
        return name

    def poll(self, ticket: str, seconds: float) -> Carried | None:
        """What became of a job; it is forgotten when told."""
        future, over = self._jobs[ticket]
        gone = future.client.status == "closed"
        if not gone and not over.wait(seconds):
            return None
        del self._jobs[ticket]
        return Carried(lost="the scheduler is gone") if gone and not future.done() else _carried(future)

    def cancel(self, ticket: str) -> None:
        """Dask forgets a job that waits. One that runs is told by the journal, and its answer is still waited for."""
        job = self._jobs.get(ticket)
        if job is not None and not self._runs(ticket):
            job[0].cancel()

    def close(self) -> None:
        """Let go of the scheduler; it goes on without us."""
        self._jobs.clear()
        # Whatever Dask says of a scheduler or a loop that is gone: nothing is wanted of it any more.
        with suppress(Exception):
            self._client.close(timeout=5)

    def _runs(self, ticket: str) -> bool:
        try:
            return any(ticket in keys for keys in self._client.processing().values())
        except Exception:  # whatever it is, nobody can tell: then it is waited for
            return True

    def _submitted(self, run: str, job: str, name: str) -> Any:
        while True:
            client = self._living()
            try:
                return client.submit(carry_out, self._module, run, job, key=name, pure=False, retries=0)
            except Exception:
                if client.status != "closed":  # it may lose its scheduler between the look and the word
                    raise

    def _living(self) -> Any:
        with self._lock:
            if self._client.status == "closed":
                # One wait for all slots: those that come after it was in vain ask once.
                self._away_until = self._away_until or time.monotonic() + AWAY_S
                self._client = self._connected(self._away_until)
                self._away_until = 0.0
            return self._client

    def _connected(self, until: float, refused: type[DenominatorError] = OpenPromisesError) -> Any:
        from distributed import Client

        while True:
            timeout = max(1.0, min(10.0, until - time.monotonic()))
            try:
                return Client(  # type: ignore[no-untyped-call]
                    self._address, set_as_default=False, timeout=timeout, name="denominator"
                )
            except (TypeError, ValueError) as error:  # what Dask says of a TLS configuration
                fix = "name CA, certificate and key in Dask's configuration: docs/workers.md"
                raise MachineError(f"no connection can be made: {error}", where=self._address, fix=fix) from None
            except NO_ANSWER as error:
                if time.monotonic() >= until:
                    what = f"no Dask scheduler answers: {_said(error)}"
                    raise refused(what, where=self._address, fix="start it: docs/workers.md") from None
                time.sleep(1)

    def _refuse_bad_workers(self) -> None:
        """At least one worker, each with one thread: two attempts in one worker would share a slot."""
        client = self._client
        try:
            client.wait_for_workers(1, timeout=WORKERS_S)
            workers = client.scheduler_info(n_workers=-1)["workers"].values()
        except TimeoutError:
            self.close()
            raise MachineError(
                "the scheduler has no worker",
                where=self._address,
                fix="dask worker ADDRESS --nthreads 1 --memory-limit 0",
            ) from None
        except NO_ANSWER as error:
            self.close()
            what = f"the Dask scheduler went away: {_said(error)}"
            raise MachineError(what, where=self._address, fix="start it: docs/workers.md") from None
        wide = [w["name"] for w in workers if w["nthreads"] != 1]
        if wide:
            self.close()
            raise MachineError(
                f"workers with more than one thread: {', '.join(map(str, wide[:8]))}",
                where=self._address,
                fix="dask worker ADDRESS --nthreads 1 --nworkers N --memory-limit 0",
            )


def _said(error: Exception) -> str:
    return str(error) or f"{type(error).__name__} in Dask"


def _carried(future: Any) -> Carried:
    """What a future that is over says; one that was cancelled, lost or killed says nothing of the attempt."""
    if future.status != "finished":
        try:
            error = future.exception(timeout=5)
        except BaseException as other:
            error = other
        return Carried(lost=f"{future.status}: {type(error).__name__}: {error}"[:1000])
    try:
        word, text = future.result(timeout=30)
    except Exception as error:
        return Carried(lost=f"{type(error).__name__}: {error}"[:1000])
    return Carried(answer=text) if word == "answer" else Carried(lost=text)


class Engine:
    """`dask://` as an engine: workers of any machine."""

    on_many_machines = True

    def connect(self, address: SplitResult, module: str) -> Dask:
        """`dask://HOST:PORT`, with TLS `dask+tls://HOST:PORT`. Raises InputError, MachineError, OpenPromisesError."""
        if address.scheme not in ("dask", "dask+tls") or not address.hostname or not address.port:
            raise InputError(
                f"{address.geturl()!r} names no scheduler",
                where="--workers",
                fix="dask://HOST:PORT, or dask+tls://HOST:PORT",
            )
        if importlib.util.find_spec("distributed") is None:
            raise MachineError(
                "Dask is not installed here", where="--workers", fix="pip install 'denominator[workers]'"
            )
        transport = "tls" if address.scheme == "dask+tls" else "tcp"
        return Dask(f"{transport}://{address.netloc}", module)


ENGINE = Engine()
