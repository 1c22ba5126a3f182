"""Dask's client where it does not start: tried again, then said in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from denominator.errors import MachineError, OpenPromisesError
from denominator.ports import Carried

distributed = pytest.importorskip("distributed", reason="the extra `workers` is not installed")

from denominator.adapters.workers import dask  # noqa: E402

ADDRESS = "tcp://127.0.0.1:9"


@dataclass
class Future:
    """A job that is over at once."""

    client: Client
    status: str = "finished"

    def add_done_callback(self, tell: Callable[[Future], object]) -> None:
        tell(self)

    def result(self, timeout: float) -> tuple[str, str]:
        del timeout
        return "answer", "a"


class Client:
    """As Dask's, when its event loop has started."""

    status = "running"

    def __init__(self, workers: dict[str, Any] | None = None, error: Exception | None = None) -> None:
        self.workers, self.error, self.closed = workers or {"w": {"name": "w", "nthreads": 1}}, error, False
        self.lost = False

    def wait_for_workers(self, _count: int, *, timeout: float) -> None:
        del timeout
        if self.error is not None:
            raise self.error

    def scheduler_info(self, *, n_workers: int) -> dict[str, Any]:
        del n_workers
        return {"workers": self.workers}

    def submit(self, *_: object, **__: object) -> Future:
        if self.lost:
            self.status = "closed"
            raise Exception("Tried sending message after closing.")
        return Future(self)

    def close(self, *, timeout: float) -> None:
        self.closed = True
        raise TimeoutError(timeout)


class Starts:
    """`distributed.Client` whose first starts fail."""

    def __init__(self, client: Client, *errors: Exception) -> None:
        self.client, self.errors, self.count = client, list(errors), 0

    def __call__(self, *_: object, **__: object) -> Client:
        self.count += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.client


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Starts]:
    def made(client: Client, *errors: Exception) -> Starts:
        found = Starts(client, *errors)
        monkeypatch.setattr(distributed, "Client", found)
        monkeypatch.setattr(dask.time, "sleep", lambda _s: None)
        return found

    return made


def loop_that_never_started() -> Exception:
    """Dask asserts that its loop is there after ten seconds, and says nothing more."""
    return AssertionError()


@pytest.mark.parametrize("error", [loop_that_never_started(), TimeoutError("t"), OSError("o"), RuntimeError("r")])
def test_a_client_that_does_not_start_at_once_is_started_again(starts: Callable[..., Starts], error: Exception) -> None:
    found = starts(Client(), error, error)
    workers = dask.Dask(ADDRESS, "echo")
    assert found.count == 3
    workers.close()
    assert found.client.closed


def test_a_client_that_never_starts_is_a_matter_of_the_machine(
    starts: Callable[..., Starts], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "CONNECT_S", 0)
    starts(Client(), loop_that_never_started())
    with pytest.raises(MachineError, match="no Dask scheduler answers: AssertionError in Dask") as said:
        dask.Dask(ADDRESS, "echo")
    assert "docs/workers.md" in said.value.fix and said.value.where == ADDRESS


def test_in_the_middle_of_a_run_it_leaves_the_promises_open(
    starts: Callable[..., Starts], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = starts(Client())
    workers = dask.Dask(ADDRESS, "echo")
    found.client.status, found.errors = "closed", [loop_that_never_started()]
    monkeypatch.setattr(dask, "AWAY_S", 0)
    with pytest.raises(OpenPromisesError, match="no Dask scheduler answers"):
        workers.submit("r", "a")


def test_a_client_that_loses_its_scheduler_while_it_is_told_is_replaced(starts: Callable[..., Starts]) -> None:
    found = starts(Client())
    workers = dask.Dask(ADDRESS, "echo")
    found.client.lost, found.client = True, Client()
    assert workers.poll(workers.submit("r", "a"), 1) == Carried(answer="a")
    found.client.submit = lambda *_, **__: 1 / 0  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        workers.submit("r", "a")


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (Client(error=TimeoutError("none came")), "the scheduler has no worker"),
        (Client(error=OSError("closed")), "the Dask scheduler went away: closed"),
        (Client(error=AssertionError()), "the Dask scheduler went away: AssertionError in Dask"),
        (Client({"w": {"name": "w", "nthreads": 2}}), "more than one thread: w"),
    ],
)
def test_what_is_refused_is_said_and_the_client_let_go(
    starts: Callable[..., Starts], client: Client, says: str
) -> None:
    starts(client)
    with pytest.raises(MachineError, match=says):
        dask.Dask(ADDRESS, "echo")
    assert client.closed
