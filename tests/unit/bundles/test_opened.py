"""Rows opened one by one: what holds under the roots of a bundle, and every way in which it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.bundles.merkle import merkle_root
from denominator.bundles.opened import opening_faults, opening_of
from denominator.errors import InputError
from denominator.pipeline.bundle_opening import places_of
from denominator.pipeline.bundle_sampling import Question, answered, blob_reader, question_of, sample_of
from denominator.records.bundles import BundleHead
from denominator.records.keys import AttemptKey
from denominator.records.packs import LockedTask, Task, Verify
from denominator.records.regrades import OpenedRow, Opening
from denominator.records.rows import AttemptRow
from denominator.records.seals import SealedTask
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import to_json

TASKS = [
    SealedTask(
        task=Task(
            id=name, title="", slice="solvable", expected="pass", reason="", license="", allowed=("*",),
            verify=Verify(runner="unittest", timeout_s=1, level="G2"),
        ),
        locked=LockedTask(id=name, digest="0" * 64, prompt_sha256="", base_tree="", hidden_tree=""),
    )
    for name in "abcd"
]  # fmt: skip
ROWS = [AttemptRow(key=AttemptKey("r", name, repeat, 1), slice="solvable") for name in "abcd" for repeat in (1, 2)]
PLAIN_ROWS, PLAIN_TASKS = [to_json(one) for one in ROWS], [to_json(one) for one in TASKS]


def head_of(rows: list[AttemptRow]) -> BundleHead:
    return BundleHead(
        run_id="r", version="1", rules_digest="", house=(), seal_sha256="", events=1, events_head="", calls=0, calls_sha256="",
        tasks=len(TASKS), tasks_root=merkle_root([canonical(one) for one in TASKS]),
        rows=len(rows), rows_root=merkle_root([canonical(one) for one in rows]), artifacts=(),
    )  # fmt: skip


HEAD = head_of(ROWS)


def opening(*places: int) -> Opening:
    return opening_of(HEAD, PLAIN_ROWS, PLAIN_TASKS, places)


def faults(changed: Opening) -> list[str]:
    return [one.what for one in opening_faults(HEAD, changed)]


def test_what_was_opened_rightly_has_no_fault() -> None:
    assert faults(opening(*range(len(ROWS)))) == [] and faults(opening(3)) == []


def first(change: Callable[[OpenedRow], OpenedRow]) -> Opening:
    made = opening(2, 5)
    return replace(made, opened=(change(made.opened[0]), *made.opened[1:]))


FORGED: dict[str, tuple[Opening, str]] = {
    "a grade": (first(lambda one: replace(one, row={**one.row, "grade": "green"})), "row 2 is not under rows_root"),
    "another place": (first(lambda one: replace(one, index=3)), "row 3 is not under rows_root"),
    "a place outside": (first(lambda one: replace(one, index=8)), "row 8 is outside: the ledger has 8 rows, 0 to 7"),
    "a place before": (first(lambda one: replace(one, index=-1)), "row -1 is outside"),
    "a node of the proof": (first(lambda one: replace(one, proof=("0" * 64, *one.proof[1:]))), "row 2 is not under rows_root"),
    "a proof cut short": (first(lambda one: replace(one, proof=one.proof[:-1])), "row 2 is not under rows_root"),
    "no proof": (first(lambda one: replace(one, proof=())), "row 2 is not under rows_root"),
    "a node that is no digest": (first(lambda one: replace(one, proof=("x", *one.proof[1:]))), "row 2 is not under rows_root"),
    "an easier task": (first(lambda one: replace(one, task={**one.task, "task": {}})), "row 2 brings a task that is not under"),
    "the task of another row": (
        first(lambda one: replace(one, **{k: getattr(opening(0).opened[0], k) for k in ("task", "task_index", "task_proof")})),
        "row 2 brings the task of another row",
    ),
    "a row twice": (replace(opening(2), opened=opening(2).opened * 2), "row 2 is opened twice"),
    "another root": (replace(opening(2), rows_root="0" * 64), "another bundle"),
    "another run": (replace(opening(2), run_id="s"), "another bundle"),
    "more rows than there are": (replace(opening(2), rows=9), "another bundle"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_what_was_forged_is_named(name: str) -> None:
    changed, what = FORGED[name]
    found = faults(changed)
    assert found and what in found[0], found


def test_one_good_row_cannot_stand_at_many_places() -> None:
    """An issuer who hands out a root alone could repeat one honest row: two of them are one attempt."""
    rows = [ROWS[0]] * 4
    head = head_of(rows)
    made = opening_of(head, [to_json(one) for one in rows], PLAIN_TASKS, (0, 3))
    assert [one.what for one in opening_faults(head, made)] == [
        "rows 0 and 3 are one attempt, which no ledger lists twice"
    ]


def test_rows_of_another_run_under_a_root_of_this_one_are_named() -> None:
    rows = [replace(ROWS[0], key=AttemptKey("other", "a", 1, 1))]
    made = opening_of(head_of(rows), [to_json(one) for one in rows], PLAIN_TASKS, (0,))
    assert [one.what for one in opening_faults(head_of(rows), made)] == ["row 0 is of another run"]


def answer(tmp_path: Path, made: Opening, nonce: str = "0123456789abcdef", k: int = 3):
    (tmp_path / "opened.json").write_bytes(canonical(made) + b"\n")
    return answered(sample_of(HEAD, None, Question(k=k, nonce=nonce)), HEAD, tmp_path)


def test_an_opening_answers_the_nonce_it_was_made_for_and_no_other(tmp_path: Path) -> None:
    places = [one.index for one in sample_of(HEAD, None, Question(k=3, nonce="0123456789abcdef")).rows]
    sample, rows = answer(tmp_path, opening(*places))
    assert (sample.faults, sample.not_opened, [one.index for one in rows]) == ((), (), places)
    assert [one.row for one in sample.rows] == [f"{one.row.key.task_id} r{one.row.key.repeat} a1" for one in rows]
    other, rows = answer(tmp_path, opening(*places), "another nonce of mine")
    wanted = {one.index for one in other.rows}
    assert wanted != {*places} and {*other.not_opened} == wanted - {*places}
    assert {one.index for one in rows} == wanted & {*places} and "not asked for" in other.notes[0]


def test_of_an_opening_with_a_fault_no_row_is_believed(tmp_path: Path) -> None:
    places = [one.index for one in sample_of(HEAD, None, Question(k=3, nonce="0123456789abcdef")).rows]
    made = opening(*places)
    sample, rows = answer(tmp_path, replace(made, opened=(*made.opened[:-1], replace(made.opened[-1], proof=()))))
    assert len(sample.faults) == 1 and rows == () and [*sample.not_opened] == places


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"opened":1.5}', b"\xff", b'{"run_id":"r","run_id":"r"}'])
def test_an_opening_that_cannot_be_read_is_a_fault(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "opened.json").write_bytes(data)
    sample, rows = answered(sample_of(HEAD, ROWS, Question(k=1, nonce="n" * 16)), HEAD, tmp_path)
    assert [one.kind for one in sample.faults] == ["unreadable"] and not rows


def test_a_row_under_the_root_that_is_no_row_is_a_fault(tmp_path: Path) -> None:
    odd = {"key": {"run_id": "r", "task_id": "a"}, "more": True}
    head = replace(HEAD, rows=1, rows_root=merkle_root([canonical(odd)]))
    (tmp_path / "opened.json").write_bytes(canonical(opening_of(head, [odd], PLAIN_TASKS, (0,))))
    sample, rows = answered(sample_of(head, None, Question(k=1, nonce="n" * 16)), head, tmp_path)
    assert [one.kind for one in sample.faults] == ["unreadable"] and not rows


def test_no_opening_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no opened\.json"):
        answered(sample_of(HEAD, ROWS, Question(k=1, nonce="n" * 16)), HEAD, tmp_path)


def test_bytes_are_read_by_digest_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "blobs").mkdir()
    good, other = sha256_bytes(b"x"), sha256_bytes(b"y")
    (tmp_path / "blobs" / good).write_bytes(b"x")
    (tmp_path / "blobs" / other).write_bytes(b"z")
    (tmp_path / "blobs" / ("0" * 64)).symlink_to(tmp_path / "blobs" / good)
    read = blob_reader(tmp_path, {"1" * 64: "thin: only its digest travels"})
    assert read(good) == b"x"
    for sha, what in ((other, "are others"), ("0" * 64, "not here"), ("1" * 64, "thin"), ("2" * 64, "not here")):
        with pytest.raises(InputError, match=what):
            read(sha)


def test_what_is_typed(tmp_path: Path) -> None:
    assert question_of(None, "", None) is None and places_of("7, 3,7") == (3, 7)
    assert question_of(2, "n", tmp_path) == Question(k=2, nonce="n", opened=tmp_path)
    for k, nonce, opened, where in (
        (None, "n", None, "--nonce"),
        (None, "", tmp_path, "--opened"),
        (2, "", None, "--sample"),
    ):
        with pytest.raises(InputError) as refused:
            question_of(k, nonce, opened)
        assert refused.value.where == where
    for text in ("", "a", "1,,2", "-1", "1.5", "٣", "1" * 10):
        with pytest.raises(InputError, match="no list of rows"):
            places_of(text)


def test_a_nonce_that_can_be_guessed_is_said() -> None:
    assert "guessed" in sample_of(HEAD, ROWS, Question(k=1, nonce="1")).notes[0]
    assert sample_of(HEAD, ROWS, Question(k=1, nonce="0123456789abcdef")).notes == ()


def test_the_document_comes_back() -> None:
    assert json.loads(canonical(opening(1)))["opened"][0]["row"] == PLAIN_ROWS[1]
