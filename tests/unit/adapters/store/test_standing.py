"""Where a run stands is what a whole reading of its journal says, however its events lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import UnknownStateError
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.run.standing import standing_of

KINDS = ("promised", "started", "output", "closed")
STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(KINDS)) | st.just((-1, "run.note")), max_size=25)


def journal(place: Path | str) -> SqliteJournal:
    return SqliteJournal(place, "r", SystemClock(), NoFailpoints(), create=True)  # type: ignore[arg-type]


def draft(number: int, kind: str, **payload: str) -> Draft:
    key = None if number < 0 else AttemptKey("r", f"t{number}", 1, 1)
    return Draft(kind=kind, phase="run", writer="harness", key=key, payload=payload)


@settings(max_examples=60)
@given(STEPS)
def test_it_is_what_reading_everything_says(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    made = journal(tmp_path_factory.mktemp("j") / "journal.db")
    seen: set[tuple[int, str]] = set()
    for step in steps:
        # As a run writes: promised first, ended once, nothing after the end.
        promised, closed = (step[0], "promised") in seen, (step[0], "closed") in seen
        if step[0] < 0 or (step not in seen and promised is (step[1] != "promised") and not closed):
            made.append(draft(*step, purpose="solve" if step[0] % 2 else "warmup"))
            seen.add(step)
    assert made.standing() == standing_of(made.events())
    made.close()


def test_it_tells_what_ended_by_purpose_and_what_is_open_in_full(tmp_path: Path) -> None:
    made = journal(tmp_path / "journal.db")
    made.append(draft(-1, "run.started"), draft(1, "promised", purpose="solve"), draft(2, "promised", purpose="warmup"))
    made.append(draft(2, "started"), draft(1, "started"), draft(2, "closed"))
    found = made.standing()
    assert [key.task_id for key in found.promised] == ["t1", "t2"] and found.ended == {"warmup": 1}
    assert [event.seq for event in found.open] == [2, 5] and [event.seq for event in found.of_run] == [1]
    assert found.newest == 6


def test_a_part_of_the_chain_is_held_against_the_event_before_it(tmp_path: Path) -> None:
    made = journal(tmp_path / "journal.db")
    made.append(*(draft(number, "promised") for number in range(6)))
    assert [made.verify(after) for after in (0, 3, 6)] == [[], [], []]
    made._db.execute("DROP TRIGGER events_no_update")
    made._db.execute("UPDATE events SET kind = 'said' WHERE seq = 3")
    assert made.verify() == ["event 3 was changed after it was written"]
    assert made.verify(2) == ["event 3 was changed after it was written"]
    assert made.verify(3) == []
    made._db.execute("UPDATE events SET sha = 'x' WHERE seq = 3")
    assert made.verify(3) == ["event 4 does not follow the event before it"]


@pytest.mark.parametrize("payload", ["[[[", "\ud800"])
def test_what_can_no_longer_be_read_is_an_unknown_state(tmp_path: Path, payload: str) -> None:
    made = journal(tmp_path / "journal.db")
    made.append(draft(1, "promised"))
    made._db.execute("DROP TRIGGER events_no_update")
    made._db.execute("UPDATE events SET payload = CAST(? AS TEXT)", (payload.encode("utf-8", "surrogatepass"),))
    with pytest.raises(UnknownStateError, match="the journal is damaged"):
        made.standing()
