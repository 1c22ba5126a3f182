"""Two Dask workers over PostgreSQL: the ledger is that of a run without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.testing.postgres_server import PostgresServer
from workers_lab import begin, cli, cluster, finish, opened, same_as

pytest.importorskip("distributed", reason="the extra `workers` is not installed")

pytestmark = [pytest.mark.needs_bwrap, pytest.mark.slow]


def test_two_dask_workers_leave_the_ledger_of_one_process(
    tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    folder = begin(tmp_path / "b", sleep_s=0.4)
    env = {"PGPASSWORD": postgres.password, "DENOMINATOR_SCRATCH": str(tmp_path / "scratch")}
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole")) == 0
    journal = postgres.tcp_dsn()
    with cluster(tmp_path / "dask", 2, env) as dask:
        address = f"dask://127.0.0.1:{dask.port}"
        argv = ("run", "envelope.toml", "--run-id", "far", "--journal", journal, "--workers", address)
        assert finish(cli(folder, *argv, env=env)) == 0
        argv = ("run", "envelope.toml", "--run-id", "lost", "--workers", address)
        assert finish(cli(folder, *argv)) == 2
    same_as(folder, "far", "whole")
    run = opened(folder, "far")
    places = {str(e.payload["place"]) for e in run.journal.events() if e.kind == "started"}
    run.journal.close()
    assert len(places) == 2
    assert not (folder / "runs" / "lost").exists()
    assert not list((tmp_path / "scratch").glob("*/*/*/seal.json"))
