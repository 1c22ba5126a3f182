"""Journals against a model in plain Python: whatever is appended, claimed and asked, both answer alike; two handles, one run."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import ArmedFailpoints, NoFailpoints, parse
from denominator.adapters.store.dsn import parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import DuplicateError, FencedError
from denominator.ports import Journal
from denominator.records.claims import Claim
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.run.standing import standing_of
from denominator.testing.postgres_server import PostgresServer

TASKS = ("a", "b")
KINDS = ("promised", "started", "checkpoint.intent", "checkpoint.done", "output", "closed", "run.started")
STATES = {"open": "intent", "retry": "interim", "ok": "result"}
GROUPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(TASKS), st.integers(1, 3), st.sampled_from(("x", "y"))),
    min_size=1,
    max_size=3,
)
CALLS = st.lists(
    st.tuples(st.sampled_from(TASKS), st.integers(1, 3), st.integers(1, 2), st.sampled_from(sorted(STATES))),
    min_size=1,
    max_size=3,
)


class Model:
    """What a journal promises, as short as it can be said."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.calls: list[tuple[Any, ...]] = []
        self.claims: dict[str, Claim] = {}

    def newest(self, task: str, events: list[tuple[Any, ...]]) -> int:
        return max((e[2] for e in events if e[0] in ("started", "closed") and e[1] == task), default=0)

    def append(self, group: list[tuple[Any, ...]]) -> type[Exception] | None:
        events = list(self.events)
        for kind, task, incarnation, point in group:
            if kind not in ("promised", "run.started"):
                if incarnation < self.newest(task, events):
                    return FencedError
                if kind == "started" and incarnation == self.newest(task, events):
                    return DuplicateError
            events.append((kind, task, incarnation, point))
        once = Counter(self.once(one) for one in events if self.once(one))
        if max(once.values(), default=1) > 1:
            return DuplicateError
        self.events = events
        return None

    @staticmethod
    def once(event: tuple[Any, ...]) -> tuple[Any, ...]:
        kind, task, incarnation, point = event
        if kind in ("promised", "closed"):
            return kind, task
        return (kind, task, incarnation, point) if kind.startswith("checkpoint") else ()

    def put(self, rows: list[tuple[Any, ...]]) -> type[Exception] | None:
        if any(
            state == "open" and incarnation < self.newest(task, self.events) for task, incarnation, _, state in rows
        ):
            return FencedError
        if max(Counter([*self.calls, *rows]).values()) > 1:
            return DuplicateError
        self.calls += rows
        return None


class Machine(RuleBasedStateMachine):
    """One journal through two handles; which kind is set by the test."""

    server: PostgresServer | None = None

    @initialize()
    def begin(self) -> None:
        self.model, self.run_id = Model(), f"run-{uuid4().hex[:12]}"
        self.folder = tempfile.TemporaryDirectory()
        self.handles = [self.opened(create=True), self.opened(create=False)]
        self.held: list[Claim] = []

    def opened(self, *, create: bool) -> Journal:
        if self.server is not None:
            return PostgresJournal(
                parse_dsn(self.server.dsn()), self.run_id, SystemClock(), NoFailpoints(), create=create
            )
        return SqliteJournal(Path(self.folder.name) / "j.db", self.run_id, SystemClock(), NoFailpoints(), create=create)

    def key(self, task: str) -> AttemptKey:
        return AttemptKey(self.run_id, task)

    def draft(self, one: tuple[Any, ...]) -> Draft:
        kind, task, incarnation, point = one
        key = None if kind == "run.started" else self.key(task)
        checkpoint = point if kind.startswith("checkpoint") else ""
        return Draft(kind=kind, phase="run", writer="harness", key=key, incarnation=incarnation, checkpoint=checkpoint)

    @rule(which=st.integers(0, 1), group=GROUPS)
    def append(self, which: int, group: list[tuple[Any, ...]]) -> None:
        wanted = self.model.append(group)
        assert self.raised(lambda: self.handles[which].append(*map(self.draft, group))) == wanted

    @rule(which=st.integers(0, 1), group=GROUPS)
    def append_fails(self, which: int, group: list[tuple[Any, ...]]) -> None:
        """A disk that fails at the commit: neither the journal nor the model has anything of it."""
        journal: Any = self.handles[which]
        journal.failpoints = ArmedFailpoints(parse("journal.before_commit=eio"))
        assert self.raised(lambda: journal.append(*map(self.draft, group))) is not None
        journal.failpoints = NoFailpoints()

    @rule(which=st.integers(0, 1), rows=CALLS)
    def put(self, which: int, rows: list[tuple[Any, ...]]) -> None:
        wanted = self.model.put(rows)
        calls = [CallRow(key=self.key(t), incarnation=i, seq=n, outcome=state) for t, i, n, state in rows]
        assert self.raised(lambda: self.handles[which].put_calls(*calls)) == wanted

    @rule(which=st.integers(0, 1), task=st.sampled_from(TASKS), lasts=st.booleans())
    def claim(self, which: int, task: str, lasts: bool) -> None:
        got = self.handles[which].claim(self.key(task), 600 if lasts else 0)
        assert (got is None) == (task in self.model.claims)
        if got is not None:
            self.held.append(got)
            if lasts:
                self.model.claims[task] = got

    @rule(which=st.integers(0, 1), data=st.data(), lasts=st.booleans())
    def renew(self, which: int, data: st.DataObject, lasts: bool) -> None:
        if self.held:
            claim = data.draw(st.sampled_from(self.held))
            stands = self.model.claims.get(claim.key.task_id) == claim
            assert self.handles[which].renew(claim, 600 if lasts else 0) == stands
            if stands and not lasts:
                del self.model.claims[claim.key.task_id]

    @rule(which=st.integers(0, 1), data=st.data())
    def release(self, which: int, data: st.DataObject) -> None:
        if self.held:
            claim = data.draw(st.sampled_from(self.held))
            self.handles[which].release(claim)
            if self.model.claims.get(claim.key.task_id) == claim:
                del self.model.claims[claim.key.task_id]

    @invariant()
    def both_tell_the_same(self) -> None:
        for journal in getattr(self, "handles", ()):
            events = list(journal.events())
            assert [(e.kind, e.incarnation) for e in events] == [(kind, i) for kind, _, i, _ in self.model.events]
            assert [e.seq for e in events] == list(range(1, len(events) + 1))
            assert journal.verify() == []
            assert journal.standing() == standing_of(events)
            latest = {row[:3]: row[3] for row in sorted(self.model.calls, key=lambda row: STATES[row[3]])}
            calls = {(c.key.task_id, c.incarnation, c.seq): c.outcome for c in journal.calls()}
            assert calls == latest

    def teardown(self) -> None:
        for journal in getattr(self, "handles", ()):
            journal.close()
        self.folder.cleanup()

    @staticmethod
    def raised(act: Any) -> type[Exception] | None:
        try:
            act()
        except (DuplicateError, FencedError, OSError) as error:
            return type(error)
        return None


def test_sqlite_is_its_model() -> None:
    run_state_machine_as_test(Machine, settings=settings(max_examples=20, stateful_step_count=15, deadline=None))


@pytest.mark.slow
def test_postgres_is_its_model(postgres: PostgresServer) -> None:
    on_server = type("OnServer", (Machine,), {"server": postgres})
    run_state_machine_as_test(on_server, settings=settings(max_examples=10, stateful_step_count=15, deadline=None))
