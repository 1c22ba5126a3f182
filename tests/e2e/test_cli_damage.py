"""Runs that were damaged or tampered with: said in words with the exit code of the table; what was measured is not made up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.run.layout import RunFolder
from denominator.wiring.opening import open_run
from e2e.cli_lab import copy_run, files_of

pytestmark = [pytest.mark.needs_bwrap, pytest.mark.xdist_group("cli")]

RUN = "window-script"
Damage = Callable[[Path], object]


def sql(statement: str) -> Damage:
    """Somebody who takes the triggers away first."""

    def damage(run: Path) -> None:
        with closing(sqlite3.connect(run / "journal.db")) as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            assert db.execute(statement).rowcount > 0
            db.commit()

    return damage


def write(name: str, data: bytes) -> Damage:
    return lambda run: (run / name).write_bytes(data)


def cut(name: str, keep: int) -> Damage:
    return lambda run: (run / name).write_bytes((run / name).read_bytes()[:keep])


def folder_instead(name: str) -> Damage:
    def damage(run: Path) -> None:
        (run / name).unlink()
        (run / name).mkdir()

    return damage


def edit_seal(run: Path) -> None:
    text = (run / "seal.json").read_text()
    changed = text.replace('"invalid_rate":"0.99"', '"invalid_rate":"0.98"')
    assert changed != text
    (run / "seal.json").write_text(changed)


def move_blobs(run: Path) -> None:
    (run / "blobs").rename(run / "elsewhere")


def blobs_a_file(run: Path) -> None:
    move_blobs(run)
    (run / "blobs").write_text("")


def garble_blobs(run: Path) -> None:
    for path in (run / "blobs").rglob("*"):
        if path.is_file():
            path.write_bytes(b"hi")


def loose_seal(run: Path) -> None:
    (run / "seal.json").rename(run / "seal.bak")
    (run / "seal.json").symlink_to("nowhere")


# damage: exit of status, card, gate, show, resume
DAMAGES: dict[str, tuple[Damage, tuple[int, int, int, int, int]]] = {
    "seal cut": (cut("seal.json", 500), (2, 2, 2, 2, 2)),
    "seal garbage": (write("seal.json", b"\xff\x00\x17"), (2, 2, 2, 2, 2)),
    "seal empty": (write("seal.json", b""), (2, 2, 2, 2, 2)),
    "seal of another kind": (write("seal.json", b'{"schema_version":1}'), (2, 2, 2, 2, 2)),
    "seal a folder": (folder_instead("seal.json"), (2, 2, 2, 2, 2)),
    "seal a dangling link": (loose_seal, (2, 2, 2, 2, 2)),
    "seal edited": (edit_seal, (0, 1, 1, 0, 2)),
    "journal gone": (lambda run: (run / "journal.db").unlink(), (2, 2, 2, 2, 2)),
    "journal empty": (write("journal.db", b""), (5, 5, 5, 5, 5)),
    "journal garbage": (write("journal.db", b"\x00\xffnonsense" * 1000), (5, 5, 5, 5, 5)),
    "journal cut": (cut("journal.db", 8192), (5, 5, 5, 5, 5)),
    "journal a folder": (folder_instead("journal.db"), (2, 2, 2, 2, 2)),
    "grade changed": (
        sql(
            """UPDATE events SET payload = replace(payload, '"grade":"red"', '"grade":"green"') WHERE kind = 'graded'"""
        ),
        (5, 5, 5, 0, 5),
    ),
    "ending taken out": (sql("DELETE FROM events WHERE kind = 'closed' AND task_id = 'count-words'"), (5, 5, 5, 0, 5)),
    "payload no JSON": (sql("UPDATE events SET payload = '[[[' WHERE kind = 'graded'"), (5, 5, 5, 5, 5)),
    "baseline gone": (lambda run: (run / "baseline.json").unlink(), (0, 1, 1, 0, 2)),
    "baseline a folder": (folder_instead("baseline.json"), (0, 1, 1, 0, 2)),
    "baseline garbage": (write("baseline.json", b"{"), (0, 2, 2, 2, 2)),
    "baseline of another kind": (write("baseline.json", b"{}"), (0, 2, 2, 2, 2)),
    "blobs gone": (move_blobs, (0, 0, 0, 0, 2)),
    "blobs a file": (blobs_a_file, (0, 0, 0, 0, 2)),
    "blobs garbage": (garble_blobs, (0, 0, 0, 0, 2)),
    "card garbage": (write("card.json", b"{"), (0, 0, 0, 0, 0)),
}
VERBS = (("status", RUN), ("card", RUN, "--brief"), ("gate", RUN), ("show", "count-words", "--run", RUN))


@pytest.fixture
def damaged(lab, tmp_path):
    def make(damage: Damage) -> Path:
        run = copy_run(lab, tmp_path / "runs", RUN)
        damage(run)
        return run

    return make


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_run_is_read_as_far_as_it_can_be(name, damaged, cli):
    damage, expected = DAMAGES[name]
    run = damaged(damage)
    before = files_of(run)
    said = [cli(*verb, "--runs-dir", run.parent) for verb in VERBS]
    assert [one.code for one in said] == list(expected[:4])
    for one in said:
        assert one.out or one.err.startswith("denominator: ")
    assert files_of(run) == before


@pytest.mark.parametrize(
    "name", [name for name, (_, codes) in DAMAGES.items() if codes[4] and not name.startswith("blobs g")]
)
def test_a_damaged_run_is_not_gone_on_with(name, damaged, cli, monkeypatch):
    monkeypatch.setattr("denominator.wiring.world.enter_private_mounts", lambda _sandbox: None)
    damage, expected = DAMAGES[name]
    run = damaged(damage)
    said = cli("resume", RUN, "--runs-dir", run.parent, "-q")
    assert said.code == expected[4]
    assert "next: " in said.err or "cannot be read" in said.err or "seal.json" in said.err or "journal.db" in said.err
    assert said.out == ""


@pytest.mark.parametrize("name", ["seal cut", "journal gone", "journal garbage", "payload no JSON"])
def test_one_damaged_run_hides_no_other(name, lab, damaged, cli):
    run = damaged(DAMAGES[name][0])
    copy_run(lab, run.parent, "window-oracle")
    said = cli("runs", "ls", "--runs-dir", run.parent)
    assert said.code == 2
    assert "UNREADABLE" in said.out and "window-oracle" in said.out and "finished" in said.out
    (run / "work").mkdir()
    collected = cli("runs", "gc", "--runs-dir", run.parent)
    assert collected.code == 0 and "left alone" in collected.err and (run / "work").is_dir()


def test_gc_leaves_a_run_alone_that_somebody_holds(lab, cli, tmp_path):
    run = copy_run(lab, tmp_path, "window-oracle")
    (run / "work").mkdir()
    journal = SqliteJournal(run / "journal.db", "window-oracle", SystemClock(), NoFailpoints())
    with journal.lease():
        held = cli("runs", "gc", "--runs-dir", tmp_path)
        assert held.code == 0 and "is working on this run" in held.err and (run / "work").is_dir()
    journal.close()
    assert cli("runs", "gc", "--runs-dir", tmp_path).code == 0 and not (run / "work").exists()


def test_a_verb_that_ran_leaves_a_journal_that_is_whole_in_one_file(lab):
    for run in ("window-script", "window-oracle"):
        assert [path.name for path in sorted((lab / "runs" / run).glob("journal.db*"))] == [
            "journal.db",
            "journal.db.lock",
        ]


def test_what_was_tampered_with_is_named(damaged, cli):
    run = damaged(DAMAGES["grade changed"][0])
    said = cli("card", RUN, "--runs-dir", run.parent)
    assert "was changed after it was written" in " ".join(said.out.split())
    headline = next(
        line for line in said.out.splitlines() if "headline" in line and "withheld" in " ".join(said.out.split())
    )
    assert "/2" not in headline, "a forged green gives no number"
    assert "UNKNOWN STATE" in cli("status", RUN, "--runs-dir", run.parent).out


def test_missing_evidence_is_said_on_the_card_and_in_show(damaged, cli):
    run = damaged(move_blobs)
    assert "artifacts that the journal names are gone" in " ".join(
        cli("card", RUN, "--runs-dir", run.parent).out.split()
    )
    assert "(cannot be shown: blob" in cli("show", "count-words", "--run", RUN, "--runs-dir", run.parent).out
    assert not (run / "blobs").exists()


def test_an_older_folder_under_another_name_is_another_run(lab, tmp_path, cli):
    copy_run(lab, tmp_path / "runs", RUN).rename(tmp_path / "runs" / "renamed")
    said = cli("card", "renamed", "--runs-dir", tmp_path / "runs")
    assert said.code == 2 and f"this journal is of run {RUN}" in said.err


def test_a_run_that_somebody_works_on_is_not_resumed(lab, tmp_path, cli, monkeypatch):
    monkeypatch.setattr("denominator.wiring.world.enter_private_mounts", lambda _sandbox: None)
    run = open_run(RunFolder(copy_run(lab, tmp_path / "runs", RUN)), SystemClock(), NoFailpoints())
    with run.journal.lease():
        said = cli("resume", RUN, "--runs-dir", tmp_path / "runs", "-q")
    run.journal.close()
    assert said.code == 2 and "is working on this run [E010]" in said.err
