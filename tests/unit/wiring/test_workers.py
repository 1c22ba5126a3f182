"""What workers may be asked for, and what they get of a run."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from denominator.adapters.store.blobs import FolderBlobs
from denominator.envelopes.template import demo_envelope
from denominator.errors import InputError
from denominator.run.layout import RunFolder
from denominator.wire.canonical import canonical
from denominator.wiring.workers import check_workers, claim_of
from denominator.wiring.workers_bundle import Bundle, File, pack_up, unpack
from denominator.wiring.workers_scratch import own_scratch

ENVELOPE = demo_envelope("nop", "nop", version="1")
FREE = replace(ENVELOPE, run=replace(ENVELOPE.run, run_cap_tokens=None))
CAPPED = replace(ENVELOPE, run=replace(ENVELOPE.run, run_cap_tokens=1000))


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("two", "no engine is called"),
        ("carts://2", "no engine is called 'carts'"),
        ("processes://2?claim=0", "not known"),
        ("processes://2?claim=", "not known"),
        ("processes://2?claim=nan", "not known"),
        ("processes://2?clam=9", "not known"),
    ],
)
def test_an_address_that_says_nothing_is_refused(address: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        check_workers(address, [FREE], on_server=False)


def test_all_that_workers_cannot_carry_is_said_at_once() -> None:
    with pytest.raises(InputError) as refused:
        check_workers("dask://h:1", [FREE, CAPPED], on_server=False)
    assert [p.where for p in refused.value.problems] == ["--workers", "run.run_cap_tokens"]
    with pytest.raises(InputError) as refused:
        check_workers("processes://2", [CAPPED], on_server=True)
    assert [p.where for p in refused.value.problems] == ["run.run_cap_tokens"]


def test_what_can_be_carried_is_not_refused() -> None:
    check_workers("", [CAPPED], on_server=False)
    check_workers("processes://2", [FREE], on_server=False)
    check_workers("dask://h:1?claim=2", [FREE], on_server=True)
    check_workers("dask+tls://h:1", [FREE], on_server=True)
    assert (claim_of("processes://2"), claim_of("dask://h:1?claim=7.5")) == (30.0, 7.5)


def run_in(root: Path) -> SimpleNamespace:
    return SimpleNamespace(folder=RunFolder(root), blobs=FolderBlobs(root / "blobs"))


def test_a_worker_gets_the_run_s_folder_and_nothing_that_was_made_there(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    for name, text in {
        "seal.json": "{}",
        "pack/tasks/a/run.sh": "#!/bin/sh",
        "card.json": "{}",
        "journal.db": "x",
    }.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    (home / "pack/tasks/a/run.sh").chmod(0o755)
    (home / "pack/tasks/a/empty").mkdir()
    run = run_in(home)
    sha = pack_up(run)  # type: ignore[arg-type]
    assert pack_up(run) == sha  # type: ignore[arg-type]
    unpack(run.blobs, sha, away)
    found = sorted(path.relative_to(away).as_posix() for path in away.rglob("*") if path.is_file())
    assert found == ["pack/tasks/a/run.sh", "seal.json"]
    assert stat.S_IMODE((away / "pack/tasks/a/run.sh").stat().st_mode) == 0o755
    assert (away / "pack/tasks/a/empty").is_dir()


@pytest.mark.parametrize("path", ["../seal.json", "pack/../../x", "/etc/passwd", "card.json", "", "pack//x", "pack/."])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    (tmp_path / "blobs").mkdir()
    text = blobs.put(b"x")
    bundle = Bundle(files=(File(path=path, sha256=text, mode=0o644),), folders=())
    with pytest.raises(InputError, match="no part of a run's folder"):
        unpack(blobs, blobs.put(canonical(bundle)), tmp_path / "away")
    assert not (tmp_path / "away").exists()


def test_scratch_of_the_living_stays_and_of_the_dead_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DENOMINATOR_SCRATCH", str(tmp_path))
    with own_scratch("one") as one:
        (one.parent / "dead").mkdir()
        (one.parent / "dead" / "left").write_text("x")
        with own_scratch("two") as two:
            assert sorted(os.listdir(one.parent)) == ["one", "two"]
            assert stat.S_IMODE(two.stat().st_mode) == 0o700
        assert os.listdir(one.parent) == ["one"]
    assert os.listdir(tmp_path / f"denominator-workers-{os.getuid()}") == []
