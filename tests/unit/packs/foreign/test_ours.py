"""The table of an export, written and read back; what anybody else writes there is a task or words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.packs import find_pack, load_pack
from denominator.packs.foreign.draft import DraftTask
from denominator.packs.foreign.ours import LISTS, TABLE, TESTS, TEXTS, VERIFY, stated, task_of
from denominator.packs.foreign.returned import returned
from denominator.wire.sources import open_source
from denominator.wire.toml import toml_values

TASKS = load_pack(find_pack("holdout16")).pack.tasks
PLAIN = DraftTask(id="p", title="t", files={"prompt.md": b"do it"})
WORDS = st.text(min_size=1, max_size=20)


def read_back(task):
    table = toml_values(stated(task, "h", ["hidden/run.sh"]), "task.toml")["metadata"][TABLE]
    return task_of(table, task.title, task.verify.timeout_s)


@pytest.mark.parametrize("task", TASKS, ids=lambda one: one.id)
def test_every_field_of_a_task_comes_back(task):
    assert read_back(task) == task


@given(st.lists(WORDS, max_size=4), WORDS, WORDS, st.booleans())
def test_whatever_people_write_comes_back(listed, reason, family, many):
    task = replace(TASKS[0], reason=reason, family=family, multi_file=many)
    task = replace(task, allowed=tuple(listed) or ("**",), spec_paths=tuple(listed), packages=tuple(listed))
    assert read_back(task) == task


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.lists(st.text(max_size=4), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2), st.sampled_from(["negative", "must_fail", "pass", "G2", "unittest"]),
)  # fmt: skip
KEYS = st.sampled_from([*TEXTS, *LISTS, *VERIFY, *TESTS, "multi_file", "hidden_tree", "executable", "url", "commit"])


@given(st.dictionaries(KEYS, VALUES, max_size=20))
def test_any_table_is_a_task_or_a_loss(table):
    with TemporaryDirectory() as name:
        (Path(name) / "tests").mkdir()
        (Path(name) / "tests" / "test.sh").write_text("true\n")
        mine = {"tests/test.sh": "tests/test.sh"}
        found = returned(open_source(Path(name)), mine, table, PLAIN)
    try:
        task = task_of(table, "t", 60)
    except InputError:
        assert (found.slice, found.control, len(found.lost)) == ("solvable", "", 1)
        return
    assert (found.slice, found.control) == (task.slice, task.control)
    assert found.lost
