"""Checks of one journal alone: what is kept, what is refused, what the chain tells."""

from __future__ import annotations

import errno
from functools import partial

from denominator.errors import DuplicateError, FencedError, InputError
from denominator.records.events import Draft, Json
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured
from denominator.run.standing import standing_of
from denominator.testing.journal_bench import Check, FailsOnce, JournalBench, differs, draft, key_of, refused

HUGE = 3 << 20


def events_come_back(bench: JournalBench) -> list[str]:
    """What was appended is read by another handle in order, whole, by attempt, and from a sequence number on."""
    journal = bench.begin()
    key, other = key_of(journal), key_of(journal, "other")
    written = journal.append(draft("promised", key, slice="solvable", n=3, list=["é", None, True, {"": 1}]))
    written += journal.append(draft("run.started", None), draft("output", key), draft("promised", other))
    reader = bench.again(journal)
    return [
        *differs("all events", list(reader.events()), written),
        *differs("sequence", [e.seq for e in written], [1, 2, 3, 4]),
        *differs("one attempt", [e.kind for e in reader.events(key)], ["promised", "output"]),
        *differs("after", [e.seq for e in reader.events(after=2)], [3, 4]),
        *differs("one attempt after", [e.seq for e in reader.events(key, after=1)], [3]),
        *differs("after the end", list(reader.events(after=4)), []),
        *differs("an attempt that nobody promised", list(reader.events(key_of(journal, "none"))), []),
        *differs("runs", {e.run_id for e in written}, {journal.run_id}),
        *reader.verify(),
        *reader.verify(after=2),
    ]


def runs_are_apart(bench: JournalBench) -> list[str]:
    """What one run writes is in no other, and each has a chain of its own."""
    one, two = bench.begin(), bench.begin()
    for journal in (one, two, one):
        journal.append(draft("output", key_of(journal), run=journal.run_id))
    one.put_calls(CallRow(key=key_of(one), seq=1))
    return [
        *differs("events of one", [e.payload["run"] for e in one.events()], [one.run_id] * 2),
        *differs("events of the other", [(e.seq, e.payload["run"]) for e in two.events()], [(1, two.run_id)]),
        *differs("calls of the other", list(two.calls()), []),
        *one.verify(),
        *two.verify(),
    ]


def nothing_is_changed_or_removed(bench: JournalBench) -> list[str]:
    """Whoever writes into the tables directly is refused."""
    journal = bench.begin()
    journal.append(draft("promised", key_of(journal)))
    journal.put_calls(CallRow(key=key_of(journal), seq=1))
    before = list(journal.events())
    breaches = []
    for number, attack in enumerate(bench.attacks):
        breaches += refused(Exception, partial(attack, journal.run_id), f"attack {number}")
    return [
        *breaches,
        *differs("events", list(journal.events()), before),
        *differs("calls", len(list(journal.calls())), 1),
    ]


def the_chain_tells(bench: JournalBench) -> list[str]:
    """A change that went round every guard breaks the chain where it was made, and is told from there and before."""
    if bench.tampers is None:
        return []
    journal = bench.begin()
    for n in range(4):
        journal.append(draft("output", key_of(journal), n=n))
    bench.tampers(journal.run_id, 2)
    reader = bench.again(journal)
    found = reader.verify()
    return [
        *differs(
            "breaks",
            [one for one in found if "event 2 was changed" in one],
            ["event 2 was changed after it was written"],
        ),
        *differs("breaks behind it", reader.verify(after=2), []),
    ]


def once_and_only_once(bench: JournalBench) -> list[str]:
    """One promise, one ending, one start of an incarnation, one intent and done of a checkpoint; a refused group is nothing."""
    journal = bench.begin()
    key = key_of(journal)
    point = draft("checkpoint.done", key, checkpoint="tests_run")
    journal.append(draft("promised", key), draft("started", key), point)
    again = [draft("promised", key), draft("started", key), point]
    breaches = []
    for one in again:
        breaches += refused(DuplicateError, partial(journal.append, draft("output", key), one), one.kind)
    twice = draft("checkpoint.intent", key, checkpoint="x")
    breaches += refused(DuplicateError, lambda: journal.append(twice, twice), "twice in one group")
    journal.append(
        draft("checkpoint.done", key, incarnation=2, checkpoint="tests_run"), draft("closed", key, incarnation=2)
    )
    breaches += refused(DuplicateError, lambda: journal.append(draft("closed", key, incarnation=2)), "closed")
    kinds = ["promised", "started", "checkpoint.done", "checkpoint.done", "closed"]
    return [*breaches, *differs("events", [e.kind for e in journal.events()], kinds), *journal.verify()]


def the_older_incarnation_is_fenced(bench: JournalBench) -> list[str]:
    """Only the newest incarnation is written down, whichever handle it writes through."""
    old = bench.begin()
    new, key = bench.again(old), key_of(old)
    old.append(draft("promised", key), draft("started", key), draft("output", key))
    new.append(draft("started", key, incarnation=2))
    late = (draft("output", key), draft("closed", key), draft("started", key))
    breaches = []
    for one in late:
        breaches += refused(FencedError, partial(old.append, draft("run.stopped", None), one), f"late {one.kind}")
    newer = draft("started", key, incarnation=3)
    breaches += refused(FencedError, lambda: new.append(newer, draft("output", key, incarnation=2)), "inside a group")
    new.append(draft("closed", key, incarnation=4))
    breaches += refused(FencedError, lambda: old.append(draft("output", key, incarnation=3)), "after an ending")
    return [*breaches, *differs("count", len(list(new.events())), 5), *new.verify()]


def money_spent_is_kept(bench: JournalBench) -> list[str]:
    """An intent of an older incarnation is refused, its late result is not."""
    journal = bench.begin()
    key = key_of(journal)
    journal.append(draft("promised", key), draft("started", key))
    journal.put_calls(CallRow(key=key, seq=1))
    journal.append(draft("started", key, incarnation=2))
    fresh = CallRow(key=key, seq=1, incarnation=2)
    breaches = refused(FencedError, lambda: journal.put_calls(fresh, CallRow(key=key, seq=2)), "late intent")
    journal.put_calls(CallRow(key=key, seq=1, outcome="ok"), CallRow(key=key, seq=3, outcome="retry"))
    found = [(row.incarnation, row.seq, row.outcome) for row in journal.calls(key)]
    return [*breaches, *differs("calls", found, [(1, 1, "ok"), (1, 3, "retry")])]


def calls_end_with_their_last_word(bench: JournalBench) -> list[str]:
    """Intent, interim, result: the latest stands, unknown stays unknown, a group is written whole or not at all."""
    journal = bench.begin()
    key = key_of(journal)
    breaches = []
    for outcome in ("open", "retry", "gave_up"):
        journal.put_calls(CallRow(key=key, seq=1, outcome=outcome))
        breaches += differs("last word", [row.outcome for row in journal.calls()], [outcome])
    breaches += refused(
        DuplicateError, lambda: journal.put_calls(CallRow(key=key, seq=2), CallRow(key=key, seq=1)), "twice"
    )
    journal.put_calls(CallRow(key=key, seq=2, outcome="ok", usage=Usage(prompt=5)))
    one, two = bench.again(journal).calls(key)
    known = (one.seq, two.seq, two.usage.prompt, isinstance(two.usage.completion, NotMeasured))
    return [*breaches, *differs("calls", known, (1, 2, 5, True))]


def any_payload_is_kept(bench: JournalBench) -> list[str]:
    """NUL, control characters, all planes, long texts, deep values and large numbers come back as they were."""
    journal = bench.begin()
    deep: Json = "bottom"
    for _ in range(40):
        deep = [deep]
    given: dict[str, Json] = {
        "nul": "a\0b\x1b\x7f", "planes": "é\u2028\ufeff𝔘\U0010ffff", "huge": "x\n" * (HUGE // 2), "deep": deep,
        "int": -(2**62), "key \0": None, "sql": "'; DROP TABLE events; --%s", "empty": {"": []},
    }  # fmt: skip
    journal.append(Draft(kind="output", phase="run", writer="harness", payload=given))
    (found,) = bench.again(journal).events()
    return [*differs("payload", dict(found.payload), given), *journal.verify()]


def what_cannot_be_written_is_refused(bench: JournalBench) -> list[str]:
    """Half of a surrogate pair anywhere, and a NUL outside the payload, refuse their whole group."""
    journal = bench.begin()
    key = key_of(journal)
    bad = (draft("output", key, x="\ud800"), draft("a\0b", key), draft("output", key_of(journal, "t\0")))
    breaches = []
    for one in bad:
        breaches += refused(InputError, partial(journal.append, draft("output", key), one), repr(one.kind))
    journal.append(draft("output", key))
    return [*breaches, *differs("events", [e.seq for e in journal.events()], [1]), *journal.verify()]


def a_failing_disk_leaves_nothing_half(bench: JournalBench) -> list[str]:
    """An error before the commit leaves no part of a group, and the journal goes on."""
    journal = bench.begin()
    failing = bench.again(journal, FailsOnce("journal.before_commit", errno.ENOSPC))
    key = key_of(journal)
    breaches = refused(OSError, lambda: failing.append(draft("promised", key), draft("started", key)), "append")
    breaches += differs("after the error", list(bench.again(journal).events()), [])
    failing.append(draft("promised", key), draft("started", key))
    calls = bench.again(journal, FailsOnce("journal.before_commit", errno.EIO))
    row = CallRow(key=key, seq=1)
    breaches += refused(OSError, lambda: calls.put_calls(row, CallRow(key=key, seq=2)), "put_calls")
    calls.put_calls(row)
    counts = (len(list(journal.events())), len(list(journal.calls())))
    return [*breaches, *differs("events and calls", counts, (2, 1)), *journal.verify()]


def standing_is_what_the_events_say(bench: JournalBench) -> list[str]:
    """The quick answer and the fold of all events agree."""
    journal = bench.begin()
    breaches = differs("empty", journal.standing(), standing_of(()))
    journal.append(draft("run.started", None))
    for n in range(4):
        key = key_of(journal, f"t{n}")
        journal.append(draft("promised", key, purpose="warmup" if n == 3 else "solve"))
        if n:
            journal.append(draft("started", key), draft("output", key))
        if n > 1:
            journal.append(draft("closed", key))
    journal.append(draft("run.stopped", None))
    return [*breaches, *differs("standing", bench.again(journal).standing(), standing_of(journal.events()))]


BASIC: tuple[Check, ...] = (
    events_come_back, runs_are_apart, nothing_is_changed_or_removed, the_chain_tells, once_and_only_once,
    the_older_incarnation_is_fenced, money_spent_is_kept, calls_end_with_their_last_word, any_payload_is_kept,
    what_cannot_be_written_is_refused, a_failing_disk_leaves_nothing_half, standing_is_what_the_events_say,
)  # fmt: skip
