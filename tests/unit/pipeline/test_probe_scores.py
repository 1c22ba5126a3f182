"""A stored score is held against the bytes: the same is reproduced, what an older classifier made is replaced, an edited one is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.errors import Exit, InputError
from denominator.pipeline.probe_scoring import KEPT, REPLACED, SAME, WRITTEN, put
from denominator.wire.canonical import canonical
from probe_data import FIRST, SECOND, all_heard, fault, scored


@pytest.fixture
def path(tmp_path):
    return tmp_path / "score.json"


def fenced():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault("format_drift:code_fence", "3 backticks"),))
    return given


def test_the_same_bytes_give_the_same_file(path):
    assert put(scored(fenced()), path).file == WRITTEN
    first = path.read_bytes()
    again = put(scored(reversed(fenced())), path)
    assert (again.file, again.moved, again.exit, path.read_bytes()) == (SAME, (), Exit.DONE, first)
    assert first == canonical(again.score)


def test_a_score_of_an_older_classifier_is_replaced_and_what_moved_is_named(path):
    old = replace(scored(all_heard()), classifier="0.9")
    path.write_bytes(canonical(old))
    found = put(scored(fenced()), path)
    assert (found.file, found.exit) == (REPLACED, Exit.DONE)
    assert found.moved == ("window 1: json-a plain attempt 1: pass is now format_drift code_fence",)
    assert found.why == "classifier 0.9 made it, this is 1.0: 1 attempt moved"
    assert path.read_bytes() == canonical(found.score)


def test_an_edited_score_stays_where_it_is_and_is_named(path):
    path.write_bytes(canonical(scored(all_heard())))
    edited = path.read_bytes()
    found = put(scored(fenced()), path)
    assert (found.file, found.exit) == (KEPT, Exit.BLOCKED)
    assert found.moved and "does not follow from the stored bytes" in found.why
    assert path.read_bytes() == edited


def test_an_edited_count_alone_is_named(path):
    score = scored(fenced())
    lines = tuple(replace(one, k=one.n) for one in score.histogram)
    path.write_bytes(canonical(replace(score, histogram=lines)))
    assert put(score, path).file == KEPT


def test_other_texts_are_replaced(path):
    path.write_bytes(canonical(replace(scored(fenced()), sentences=("all of it passed",))))
    found = put(scored(fenced()), path)
    assert (found.file, found.exit) == (REPLACED, Exit.DONE) and b"all of it" not in path.read_bytes()


def test_a_window_that_came_since_replaces_the_score(path):
    put(scored(all_heard()), path)
    found = put(scored(all_heard(windows=(1, 2)), windows=[FIRST, SECOND]), path)
    assert (found.file, found.why) == (REPLACED, "15 attempts came since")


def test_attempts_that_are_not_stored_any_more_are_named(path):
    put(scored(all_heard()), path)
    found = put(scored(all_heard()[1:]), path)
    assert found.file == KEPT and found.moved == ("window 1: json-a plain attempt 1: pass has no stored attempt",)
    assert found.exit == Exit.OPEN


def test_a_score_of_another_seal_stays(path):
    path.write_bytes(canonical(replace(scored(all_heard()), seal_sha256="f" * 64)))
    assert put(scored(all_heard()), path).file == KEPT


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema_version":2}', b'{"schema_version":1}', b"\xff"])
def test_a_score_that_cannot_be_read_says_what_to_do(path, data):
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        put(scored(all_heard()), path)
    assert error.value.fix and path.read_bytes() == data


def test_promises_that_are_open_and_passes_that_are_withheld_have_their_exit(path):
    limited = all_heard()
    limited[0] = replace(limited[0], faults=(fault("http_error:rate_limited"),), status=429, complete=False)
    assert put(scored(limited), path).exit == Exit.BLOCKED
    path.unlink()
    assert put(scored(limited[:-1]), path).exit == Exit.OPEN
    path.unlink()
    assert put(scored([], windows=[]), path).exit == Exit.OPEN
