"""The tables of a journal in SQLite, and the statements that fill them."""

from __future__ import annotations

from denominator.adapters.store.rows import CALL_FIELDS, EVENT_FIELDS

VERSION = 1

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE events (
  seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, task_id TEXT, repeat INTEGER, attempt INTEGER,
  incarnation INTEGER NOT NULL, t_mono_ns INTEGER NOT NULL, boot_id TEXT NOT NULL, t_wall TEXT NOT NULL,
  phase TEXT NOT NULL, writer TEXT NOT NULL,
  kind TEXT NOT NULL, checkpoint TEXT NOT NULL, stream TEXT NOT NULL, payload TEXT NOT NULL, blob TEXT NOT NULL,
  prev_sha TEXT NOT NULL, sha TEXT NOT NULL);
CREATE UNIQUE INDEX one_promise ON events (task_id, repeat, attempt) WHERE kind = 'promised';
CREATE UNIQUE INDEX one_close ON events (task_id, repeat, attempt) WHERE kind = 'closed';
CREATE UNIQUE INDEX one_checkpoint ON events (task_id, repeat, attempt, incarnation, checkpoint, kind)
  WHERE kind IN ('checkpoint.intent', 'checkpoint.done');
CREATE INDEX by_attempt ON events (task_id, repeat, attempt);
CREATE INDEX by_incarnation ON events (task_id, repeat, attempt, incarnation) WHERE kind IN ('started', 'closed');
CREATE TABLE calls (
  id INTEGER PRIMARY KEY, task_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL,
  incarnation INTEGER NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, row TEXT NOT NULL,
  UNIQUE (task_id, repeat, attempt, incarnation, seq, state));
CREATE TABLE lease (
  only INTEGER PRIMARY KEY CHECK (only = 1), pid INTEGER, boot_id TEXT, start_time TEXT, taken_at TEXT);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER calls_no_update BEFORE UPDATE ON calls BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER calls_no_delete BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
COLUMNS = ", ".join(EVENT_FIELDS)
INSERT = f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join('?' * len(EVENT_FIELDS))})"
CLAIMS = """
CREATE TABLE IF NOT EXISTS claims (
  task_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL,
  token TEXT NOT NULL, boot_id TEXT NOT NULL, until_ns INTEGER NOT NULL, PRIMARY KEY (task_id, repeat, attempt))
"""
"""Made when first needed: journals that were begun before there were claims have no such table."""
NEWEST = "SELECT max(incarnation) FROM events WHERE task_id = ? AND repeat = ? AND attempt = ? AND kind IN ('started', 'closed')"
INSERT_CALL = f"INSERT INTO calls ({', '.join(CALL_FIELDS)}) VALUES ({', '.join('?' * len(CALL_FIELDS))})"
