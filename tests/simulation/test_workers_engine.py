"""Dask as an engine, with workers that only echo: answers, lost workers, TLS."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from denominator.errors import DenominatorError, InputError
from denominator.ports import Carried
from workers_lab import children_of, cluster

pytest.importorskip("distributed", reason="the extra `workers` is not installed")

from dask import config

from denominator.adapters.workers.dask import ENGINE, Dask

ECHO = """
import json, os, sys, time
run = json.loads(sys.stdin.readline())["run"]
for line in sys.stdin:
    job = json.loads(line).get("job", "")
    if job == "wait":
        time.sleep(60)
    print(json.dumps({"answer": f"{run} {job}", "last": False}), flush=True)
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def echo(tmp_path: Path) -> dict[str, str]:
    """An environment in which a module `echo_worker` answers with what it was asked."""
    (tmp_path / "echo_worker.py").write_text(ECHO)
    return {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}


def done(workers: Dask, ticket: str) -> Carried:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if (found := workers.poll(ticket, 1)) is not None:
            return found
    raise AssertionError("no answer")


def test_orders_are_answered_by_processes_below_the_workers_and_a_killed_one_is_no_answer(
    tmp_path: Path, echo: dict[str, str]
) -> None:
    with cluster(tmp_path / "dask", 1, echo) as dask:
        workers = ENGINE.connect(urlsplit(f"dask://127.0.0.1:{dask.port}"), "echo_worker")
        try:
            assert done(workers, workers.submit("r", "a")).answer == "r a"
            assert done(workers, workers.submit("r", "a")).answer == "r a", "the same order twice is two orders"
            waiting = workers.submit("r", "wait")
            assert workers.poll(waiting, 1) is None
            os.kill(children_of(dask.workers[0].pid, "echo_worker")[0], signal.SIGKILL)
            assert "exit -9" in done(workers, waiting).lost
            assert done(workers, workers.submit("r", "b")).answer == "r b"
        finally:
            workers.close()


def test_nobody_answers_and_an_address_of_nothing_are_said(tmp_path: Path) -> None:
    for text in ("dask://", "dask://h", "dask+http://h:1", "dask://:8786"):
        with pytest.raises(InputError, match="names no scheduler"):
            ENGINE.connect(urlsplit(text), "echo_worker")


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates")
def test_with_tls_only_holders_of_a_certificate_are_heard(tmp_path: Path, echo: dict[str, str]) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    ask = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=denominator"]
    subprocess.run([*ask, "-keyout", key, "-out", cert], check=True, capture_output=True)
    tls = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(cert)}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        tls[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(cert)
        tls[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(key)
    with cluster(tmp_path / "dask", 1, echo | tls, protocol="tls") as dask:
        with pytest.raises(DenominatorError):
            ENGINE.connect(urlsplit(f"dask+tls://127.0.0.1:{dask.port}"), "echo_worker").close()
        mine = {"ca-file": str(cert), "client.cert": str(cert), "client.key": str(key)}
        with config.set({f"distributed.comm.tls.{name}": path for name, path in mine.items()}):
            workers = ENGINE.connect(urlsplit(f"dask+tls://127.0.0.1:{dask.port}"), "echo_worker")
            try:
                assert done(workers, workers.submit("r", "a")).answer == "r a"
            finally:
                workers.close()
