"""The journal: append-only, chained, one promise and one checkpoint of a kind, one runner."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import ArmedFailpoints, NoFailpoints, parse
from denominator.adapters.store.lease import Holder, alive, holder_of_this_process
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.adapters.store.sqlite_schema import SCHEMA
from denominator.errors import DuplicateError, FencedError, InputError, RunInUseError, UnknownStateError
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured

KEY = AttemptKey("r", "t", 1, 1)


def journal(path: Path, create: bool = True, failpoints: object = None) -> SqliteJournal:
    return SqliteJournal(path, "r", SystemClock(), failpoints or NoFailpoints(), create=create)  # type: ignore[arg-type]


def draft(kind: str, key: AttemptKey | None = KEY, **more: object) -> Draft:
    return Draft(kind=kind, phase="run", writer="harness", key=key, **more)  # type: ignore[arg-type]


def test_events_come_back_as_they_were_appended(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    written = j.append(draft("promised", payload={"slice": "solvable", "n": 3, "list": ["é", None, True]}))
    written += j.append(draft("run.started", None), draft("output", stream="stdout", blob="ab"))
    j.close()
    again = journal(tmp_path / "j.db", create=False)
    assert list(again.events()) == written
    assert [e.kind for e in again.events(KEY)] == ["promised", "output"]
    assert [e.seq for e in again.events()] == [1, 2, 3]
    assert again.verify() == []


@pytest.mark.parametrize(
    "sql", ["UPDATE events SET kind = 'x'", "DELETE FROM events", "DELETE FROM calls", "UPDATE calls SET seq = 9"]
)
def test_rows_cannot_be_changed_or_removed(tmp_path: Path, sql: str) -> None:
    j = journal(tmp_path / "j.db")
    j.append(draft("promised"))
    j.put_calls(CallRow(key=KEY, seq=1))
    db = sqlite3.connect(tmp_path / "j.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(sql)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ('UPDATE events SET payload = \'{"slice":"floor"}\' WHERE seq = 2', "event 2 was changed"),
        ("DELETE FROM events WHERE seq = 2", "events 2 to 2 are missing"),
        ("UPDATE events SET t_wall = '1999' WHERE seq = 1", "event 1 was changed"),
    ],
)
def test_a_chain_that_was_tampered_with_is_found(tmp_path: Path, sql: str, says: str) -> None:
    j = journal(tmp_path / "j.db")
    for n in range(3):
        j.append(draft("output", payload={"n": n}))
    j.close()
    db = sqlite3.connect(tmp_path / "j.db")
    for name in ("events_no_update", "events_no_delete"):
        db.execute(f"DROP TRIGGER {name}")
    db.execute(sql)
    db.commit()
    db.close()
    assert says in "; ".join(journal(tmp_path / "j.db", create=False).verify())


def test_a_promise_or_checkpoint_is_made_once_and_a_refused_append_leaves_nothing(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    j.append(draft("promised"))
    with pytest.raises(DuplicateError):
        j.append(draft("output"), draft("promised"))
    point = draft("checkpoint.done", checkpoint="tests_run")
    j.append(point)
    with pytest.raises(DuplicateError):
        j.append(point)
    j.append(draft("checkpoint.done", checkpoint="tests_run", incarnation=2))
    assert [e.kind for e in j.events()] == ["promised", "checkpoint.done", "checkpoint.done"]
    assert j.verify() == []


def test_threads_append_without_loss(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    threads = [
        threading.Thread(target=lambda n=n: [j.append(draft("output", payload={"n": n, "i": i})) for i in range(20)])
        for n in range(4)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    seen = {(e.payload["n"], e.payload["i"]) for e in j.events()}
    assert len(seen) == 80
    assert j.verify() == []


def test_calls_show_their_result_or_their_open_intent(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    j.put_calls(CallRow(key=KEY, seq=1), CallRow(key=KEY, seq=2))
    j.put_calls(CallRow(key=KEY, seq=1, outcome="ok", usage=Usage(prompt=5, completion=2)))
    rows = list(j.calls(KEY))
    assert [(r.seq, r.outcome) for r in rows] == [(1, "ok"), (2, "open")]
    assert rows[0].usage.prompt == 5
    assert isinstance(rows[1].usage.prompt, NotMeasured)


def test_a_try_that_was_to_be_made_again_may_end_after_all_and_its_last_word_stands(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    for outcome in ("open", "retry", "gave_up"):
        j.put_calls(CallRow(key=KEY, seq=1, outcome=outcome))
        assert [row.outcome for row in j.calls()] == [outcome]


def test_a_group_of_calls_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    j.put_calls(CallRow(key=KEY, seq=1))
    with pytest.raises(DuplicateError):
        j.put_calls(CallRow(key=KEY, seq=2), CallRow(key=KEY, seq=1))
    assert [row.seq for row in j.calls()] == [1]
    j.put_calls(CallRow(key=KEY, seq=2))
    assert [row.seq for row in j.calls()] == [1, 2]


def run_python(code: str, **more: object) -> subprocess.Popen[bytes]:
    head = f"import sys; sys.path[:0] = {sys.path!r}\n{PRELUDE}\n"
    return subprocess.Popen([sys.executable, "-c", head + code], stdout=subprocess.PIPE, **more)  # type: ignore[call-overload]


PRELUDE = """
import time
from pathlib import Path
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import ArmedFailpoints, NoFailpoints, parse
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.records.events import Draft
"""


def test_a_second_runner_is_kept_out_and_a_dead_one_does_not_keep_the_run(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    other = run_python(
        f"""
with SqliteJournal(Path({str(tmp_path / "j.db")!r}), "r", SystemClock(), NoFailpoints()).lease():
    print("held", flush=True)
    time.sleep(60)
"""
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    with pytest.raises(RunInUseError, match="is working on this run"), j.lease():
        pass
    other.kill()
    other.wait()
    with j.lease():
        pass


def test_a_reused_pid_or_another_boot_is_not_the_holder() -> None:
    me = holder_of_this_process("boot")
    assert alive(me, "boot")
    assert not alive(Holder(me.pid, "boot", "1"), "boot")
    assert not alive(me, "other boot")


@pytest.mark.parametrize("name", ["journal.before_commit", "journal.after_commit"])
def test_kill_around_a_commit_leaves_all_of_it_or_nothing(tmp_path: Path, name: str) -> None:
    killed = run_python(
        f"""
j = SqliteJournal(
    Path({str(tmp_path / "j.db")!r}), "r", SystemClock(), ArmedFailpoints(parse("{name}=kill@2")), create=True
)
for n in range(3):
    j.append(*[Draft(kind="output", phase="run", writer="harness", payload={{"n": n}}) for _ in range(2)])
"""
    )
    assert killed.wait() == -9
    again = journal(tmp_path / "j.db", create=False)
    assert len(list(again.events())) == (2 if name.endswith("before_commit") else 4)
    assert again.verify() == []


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no journal"):
        journal(tmp_path / "none.db", create=False)
    (tmp_path / "junk.db").write_bytes(os.urandom(5000))
    with pytest.raises(UnknownStateError, match="not a journal"):
        journal(tmp_path / "junk.db", create=False)
    journal(tmp_path / "j.db").close()
    with pytest.raises(InputError, match="is of run r"):
        SqliteJournal(tmp_path / "j.db", "other", SystemClock(), NoFailpoints())


def test_enospc_while_appending_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db", failpoints=ArmedFailpoints(parse("journal.before_commit=enospc@1")))
    with pytest.raises(OSError, match="No space left"):
        j.append(draft("promised"))
    j.append(draft("promised"))
    assert len(list(j.events())) == 1


@pytest.mark.parametrize("text", ["a=boom", "a=kill@x", "a=sleep:x", "justname"])
def test_a_failpoint_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_only_the_newest_incarnation_is_written_down(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    j.append(draft("promised"), draft("started"), draft("output"))
    with pytest.raises(DuplicateError):
        j.append(draft("output"), draft("started"))
    j.append(draft("started", incarnation=2))
    for late in (draft("output"), draft("closed"), draft("started")):
        with pytest.raises(FencedError):
            j.append(draft("output", incarnation=2), late)
    with pytest.raises(FencedError):
        j.put_calls(CallRow(key=KEY, seq=1, incarnation=1))
    j.put_calls(CallRow(key=KEY, seq=1, incarnation=1, outcome="ok"))
    j.append(draft("closed", incarnation=3))
    with pytest.raises(FencedError):
        j.append(draft("output", incarnation=2))
    assert [e.kind for e in j.events(after=2)] == ["output", "started", "closed"]
    assert [e.seq for e in j.events(KEY, after=4)] == [5]
    assert j.verify() == []


def test_a_claim_keeps_others_out_until_it_is_over_or_given_back(tmp_path: Path) -> None:
    j, other = journal(tmp_path / "j.db"), journal(tmp_path / "j.db", create=False)
    held = j.claim(KEY, 60)
    assert held is not None
    assert other.claim(KEY, 60) is None
    assert j.renew(held, 60)
    j.release(held)
    assert not j.renew(held, 60)
    short = other.claim(KEY, 0)
    assert short is not None
    stolen = j.claim(KEY, 60)
    assert stolen is not None
    assert not other.renew(short, 60)
    other.release(short)
    assert other.claim(KEY, 60) is None


def test_a_journal_from_before_there_were_claims_goes_on(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    j.append(draft("promised"), draft("started"))
    j.close()
    db = sqlite3.connect(tmp_path / "j.db")
    db.executescript("DROP INDEX by_incarnation; DROP TABLE IF EXISTS claims")
    db.close()
    old = journal(tmp_path / "j.db", create=False)
    assert [e.kind for e in old.events()] == ["promised", "started"]
    assert old.claim(KEY, 60) is not None
    with pytest.raises(DuplicateError):
        old.append(draft("started"))


def test_a_journal_of_the_first_schema_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest was unique by an index of its own and the attempts' index held `seq` twice; both are the same version."""
    first = SCHEMA.replace("sha TEXT NOT NULL);", "sha TEXT NOT NULL UNIQUE);").replace(
        "by_attempt ON events (task_id, repeat, attempt);", "by_attempt ON events (task_id, repeat, attempt, seq);"
    )
    assert first.count("UNIQUE);") == SCHEMA.count("UNIQUE);") + 1 and "attempt, seq);" in first
    monkeypatch.setattr("denominator.adapters.store.sqlite.SCHEMA", first)
    j = journal(tmp_path / "j.db")
    j.append(draft("promised"), draft("started"))
    j.close()
    monkeypatch.undo()
    old = journal(tmp_path / "j.db", create=False)
    assert old.verify() == []
    old.append(draft("output"))
    with pytest.raises(DuplicateError):
        old.append(draft("output"), draft("promised"))
    assert [e.kind for e in old.events(KEY, after=1)] == ["started", "output"] and old.verify() == []


def test_an_attempt_is_found_by_index_in_its_order(tmp_path: Path) -> None:
    j = journal(tmp_path / "j.db")
    sql = "SELECT * FROM events WHERE seq > 0 AND task_id = 't' AND repeat = 1 AND attempt = 1 ORDER BY seq"
    plan = [row[3] for row in j._db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert len(plan) == 1 and "USING INDEX by_attempt (task_id=? AND repeat=? AND attempt=? AND rowid>?)" in plan[0]
