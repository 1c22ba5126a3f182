"""No label depends on the order of rows, or on anything that an agent or its tests print."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.importers import import_rows
from denominator.judge import judge
from denominator.records.rows import Ledger
from judging_phrases import EVENTS_IN_DISGUISE, PHRASES

SITUATIONS = Path(__file__).parents[1] / "cases" / "situations"
LOGGED = sorted(path.parent for path in SITUATIONS.rglob("combined.log"))
TABLES = sorted(path for path in SITUATIONS.rglob("*.jsonl") if path.stem in ("runs", "traces", "verify", "trials"))
FORGED = "forged_output"
"""The one tag that is about what tests print: passes that the report denies. It is held apart, in its own case (059)."""
NOISE = st.lists(
    st.tuples(
        st.sampled_from(["agent/out", "agent/err", "verify/out"]),
        st.one_of(st.sampled_from([*PHRASES, *EVENTS_IN_DISGUISE]), st.text(max_size=40)),
        st.integers(0, 10**6),
    ),
    max_size=12,
)


def labels_of(files: list[tuple[str, bytes]]) -> set[tuple[str, ...]]:
    """Task, axis and value of every label of an import."""
    found = import_rows(files)
    judged = judge(found.ledger, found.terms)
    said = {(one.key.task_id, str(one.key.repeat), str(one.key.attempt), one.axis, one.value) for one in judged.labels}
    return {one for one in said if one[-1] != FORGED}


@cache
def files_of(folder: Path) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(folder.iterdir()) if path.is_file()]


@cache
def quiet(folder: Path) -> frozenset[tuple[str, ...]]:
    return frozenset(labels_of(files_of(folder)))


def with_noise(data: bytes, noise: list[tuple[str, str, int]]) -> bytes:
    """The log with lines of an agent (or of its tests) put between its own."""
    lines = data.splitlines(keepends=True)
    for stream, text, at in noise:
        printed = " ".join(text.encode("utf-8", "replace").decode("utf-8").splitlines()) or " "
        lines.insert(at % (len(lines) + 1), f"10:00:00.500 {stream}| {printed}\n".encode())
    return b"".join(lines)


@pytest.mark.parametrize("folder", LOGGED, ids=lambda path: str(path.relative_to(SITUATIONS)))
@settings(max_examples=12, deadline=None)
@given(noise=NOISE)
def test_what_an_agent_prints_changes_no_label(folder: Path, noise: list[tuple[str, str, int]]) -> None:
    files = [(name, with_noise(data, noise) if name == "combined.log" else data) for name, data in files_of(folder)]
    assert labels_of(files) == quiet(folder)


@pytest.mark.parametrize("stream", ["agent/out", "agent/err", "verify/out"])
@pytest.mark.parametrize("folder", LOGGED, ids=lambda path: str(path.relative_to(SITUATIONS)))
def test_every_phrase_at_once_changes_no_label(folder: Path, stream: str) -> None:
    noise = [(stream, text, at * 7) for at, text in enumerate((*PHRASES, *EVENTS_IN_DISGUISE))]
    files = [(name, with_noise(data, noise) if name == "combined.log" else data) for name, data in files_of(folder)]
    assert labels_of(files) == quiet(folder)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_the_order_of_lines_changes_no_label(path: Path) -> None:
    folder = path.parent
    if folder.name.startswith("021"):  # two manifests: the test below names one
        files = [(name, data) for name, data in files_of(folder) if name != "manifest_fail.json"]
    else:
        files = files_of(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    numbered = all("attempt" in json.loads(line) or "repeat" in json.loads(line) for line in lines)
    tasks = [json.loads(line).get("task_id") for line in lines]
    if not numbered and len(set(tasks)) < len(tasks):
        pytest.skip("rows of one task are numbered by their order in the file")
    before = labels_of(files)
    for seed in range(5):
        shuffled = list(lines)
        random.Random(seed).shuffle(shuffled)
        again = [(name, b"".join(shuffled) if name == path.name else data) for name, data in files]
        assert labels_of(again) == before


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TABLES), st.randoms(use_true_random=False))
def test_the_order_of_rows_in_a_ledger_changes_nothing(path: Path, shuffle: random.Random) -> None:
    files = [(name, data) for name, data in files_of(path.parent) if name != "manifest_fail.json"]
    found = import_rows(files)
    rows, labels = list(found.ledger.rows), list(found.ledger.labels)
    shuffle.shuffle(rows)
    shuffle.shuffle(labels)
    other = Ledger(
        **{name: getattr(found.ledger, name) for name in Ledger.__slots__}
        | {"rows": tuple(rows), "labels": tuple(labels)}
    )
    first, second = judge(found.ledger, found.terms), judge(other, found.terms)
    assert sorted(map(str, first.labels)) == sorted(map(str, second.labels))
    assert first.verdict == second.verdict
    assert first.estimates == second.estimates
