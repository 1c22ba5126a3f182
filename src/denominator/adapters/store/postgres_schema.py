"""The tables of journals and blobs in PostgreSQL: schema `denominator`, keyed by run, append-only by trigger."""

from __future__ import annotations

from denominator.adapters.store.rows import CALL_FIELDS, EVENT_FIELDS

VERSION = 1
OLDEST_SERVER = 120000
TEXT = 'text COLLATE "C" NOT NULL'
# One lock guards the making of the tables; a run's own lock is the hash of its id.
MAKING = 0x64656E6F6D
PLACE = 'task_id text COLLATE "C", repeat bigint, attempt bigint'

TABLES = f"""
CREATE SCHEMA IF NOT EXISTS denominator;
CREATE TABLE denominator.meta (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE denominator.runs (
  run_id {TEXT} PRIMARY KEY, made_by text NOT NULL, made_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE denominator.events (
  run_id {TEXT} REFERENCES denominator.runs, seq bigint NOT NULL, {PLACE},
  incarnation bigint NOT NULL, t_mono_ns bigint NOT NULL, boot_id {TEXT}, t_wall {TEXT}, phase {TEXT}, writer {TEXT},
  kind {TEXT}, checkpoint {TEXT}, stream {TEXT}, payload {TEXT}, blob {TEXT}, prev_sha {TEXT}, sha {TEXT} UNIQUE,
  PRIMARY KEY (run_id, seq));
CREATE UNIQUE INDEX one_promise ON denominator.events (run_id, task_id, repeat, attempt) WHERE kind = 'promised';
CREATE UNIQUE INDEX one_close ON denominator.events (run_id, task_id, repeat, attempt) WHERE kind = 'closed';
CREATE UNIQUE INDEX one_start ON denominator.events (run_id, task_id, repeat, attempt, incarnation)
  WHERE kind = 'started';
CREATE UNIQUE INDEX one_checkpoint
  ON denominator.events (run_id, task_id, repeat, attempt, incarnation, checkpoint, kind)
  WHERE kind IN ('checkpoint.intent', 'checkpoint.done');
CREATE INDEX by_attempt ON denominator.events (run_id, task_id, repeat, attempt, seq);
CREATE INDEX by_incarnation ON denominator.events (run_id, task_id, repeat, attempt, incarnation)
  WHERE kind IN ('started', 'closed');
CREATE TABLE denominator.calls (
  run_id {TEXT} REFERENCES denominator.runs, task_id {TEXT}, repeat bigint NOT NULL, attempt bigint NOT NULL,
  incarnation bigint NOT NULL, seq bigint NOT NULL, state {TEXT}, row {TEXT},
  PRIMARY KEY (run_id, task_id, repeat, attempt, incarnation, seq, state));
CREATE TABLE denominator.blobs (
  run_id {TEXT} REFERENCES denominator.runs, sha256 {TEXT}, part int NOT NULL, parts int NOT NULL, data bytea NOT NULL,
  PRIMARY KEY (run_id, sha256, part));
ALTER TABLE denominator.blobs ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE denominator.claims (
  run_id {TEXT} REFERENCES denominator.runs, task_id {TEXT}, repeat bigint NOT NULL, attempt bigint NOT NULL,
  token text NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (run_id, task_id, repeat, attempt));
CREATE TABLE denominator.leases (
  run_id {TEXT} PRIMARY KEY REFERENCES denominator.runs, token text NOT NULL, pid bigint NOT NULL,
  boot_id text NOT NULL, start_time text NOT NULL, host text NOT NULL, until timestamptz NOT NULL);
"""
GUARDS = "".join(
    f"CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON denominator.{table} "
    "FOR EACH ROW EXECUTE FUNCTION denominator.append_only();"
    f"CREATE TRIGGER no_truncate BEFORE TRUNCATE ON denominator.{table} "
    "FOR EACH STATEMENT EXECUTE FUNCTION denominator.append_only();"
    for table in ("events", "calls", "blobs", "runs")
)
FUNCTION = """
CREATE FUNCTION denominator.append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$
"""
META = f"INSERT INTO denominator.meta VALUES ('version', '{VERSION}')"
STATEMENTS = tuple(one for one in (*TABLES.split(";"), FUNCTION, *GUARDS.split(";"), META) if one.strip())
"""One by one, in one transaction."""

EVENTS = ", ".join(EVENT_FIELDS)
INSERT = f"INSERT INTO denominator.events ({EVENTS}) VALUES ({', '.join(['%s'] * len(EVENT_FIELDS))})"
CALLS = ", ".join(CALL_FIELDS)
INSERT_CALL = f"INSERT INTO denominator.calls (run_id, {CALLS}) VALUES (%s, {', '.join(['%s'] * len(CALL_FIELDS))})"
MINE = "run_id = %s AND task_id = %s AND repeat = %s AND attempt = %s"
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
LAST = "SELECT seq, sha FROM denominator.events WHERE run_id = %s ORDER BY seq DESC LIMIT 1"
SHA_AT = "SELECT sha FROM denominator.events WHERE run_id = %s AND seq = %s"
NEWEST = f"SELECT max(incarnation) FROM denominator.events WHERE {MINE} AND kind IN ('started', 'closed')"
HOLDS = "SELECT token FROM denominator.leases WHERE run_id = %s"
CLAIM = """
INSERT INTO denominator.claims VALUES (%s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
ON CONFLICT (run_id, task_id, repeat, attempt) DO UPDATE SET token = excluded.token, until = excluded.until
  WHERE claims.until <= clock_timestamp() OR claims.token = excluded.token
RETURNING token
"""
RENEW = """
UPDATE denominator.claims SET until = clock_timestamp() + make_interval(secs => %s)
  WHERE run_id = %s AND token = %s AND until > clock_timestamp() RETURNING token
"""
