"""The count of applications that the tests of workers and the simulation share: by attempt, place and declared reset."""

from __future__ import annotations

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from effects import applications

KEY = AttemptKey("r", "t", 1, 1)


@pytest.mark.parametrize(
    ("starts", "most"),
    [
        (({}, {}), 2),
        (({}, {"place": "w1", "reset": "run folder"}), 1),
        (({"place": "w1"}, {"place": "w2"}), 1),
        (({}, {"place": "w1", "reset": "run folder"}, {"reset": "w1"}), 1),
        (({}, {"place": "w1", "reset": "run folder"}, {}), 1),
        (({}, {"place": "w1", "reset": "run folder"}, {"place": "w1"}), 2),
    ],
)
def test_an_application_in_a_workspace_of_its_own_is_no_second_one(tmp_path, starts, most):
    j = SqliteJournal(tmp_path / "j.db", "r", SystemClock(), NoFailpoints(), create=True)
    for number, payload in enumerate(starts, 1):
        for kind, said in (("started", payload), ("applied", {"by": "apply"}), ("applied", {"by": "adopt"})):
            j.append(Draft(kind=kind, phase="apply", writer="harness", key=KEY, incarnation=number, payload=dict(said)))
    assert max(applications(j.events()).values()) == most
