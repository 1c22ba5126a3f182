"""Published scores and fingerprints: anything is read or refused in words; verdicts follow the conditions, then the counts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from denominator.compare.published import FIELDS, Claimed, fingerprint, moved, of_published, set_beside
from denominator.compare.published.checks import problems_of, without_placeholders
from denominator.compare.published.fields import BENCHMARK, host_of, plain
from denominator.errors import DenominatorError
from denominator.importers import import_rows
from denominator.records.published import Published, Told
from denominator.records.values import NotMeasured
from denominator.stats import possible_counts
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.toml import read_toml

texts = st.text(max_size=12)
scalars = st.integers(-5, 500).map(str) | st.sampled_from(
    ['"x"', '"REPLACE"', "true", "0.5", "72.5", "[]", '["a", "b"]', "2026-01-31", '""']
)
KEYS = [
    "name",
    "verify_cmd",
    "passed",
    "tasks",
    "percent",
    "task_ids",
    "digest",
    "attempts",
    "id",
    "endpoint_host",
    "failed",
    "colour",
]
TABLES = ["score", "pack", "conditions", "harness", "model", "outcomes"]
lines = st.tuples(st.sampled_from(KEYS), scalars).map(lambda pair: f"{pair[0]} = {pair[1]}")
tables = st.lists(
    st.tuples(st.sampled_from(TABLES), st.lists(lines, max_size=3)), max_size=4, unique_by=lambda pair: pair[0]
)
documents = st.tuples(st.lists(lines, max_size=2), tables).map(
    lambda parts: "\n".join([*parts[0], *(line for name, inner in parts[1] for line in (f"[{name}]", *inner))])
)


@given(documents | texts)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        one = without_placeholders(read_toml(Published, text, "p.toml"))
    except DenominatorError:
        return
    if problems_of(one):
        return
    side = of_published(one)
    least, most, n = side.told.least, side.told.most, side.told.n
    if isinstance(least, int) and isinstance(most, int) and isinstance(n, int):
        assert 0 <= least <= most <= n
    assert set(side.fingerprint) == set(FIELDS)


@given(st.integers(1, 300), st.data(), st.integers(0, 2))
def test_a_percent_stands_for_every_count_that_prints_so(n: int, data: st.DataObject, digits: int) -> None:
    k = data.draw(st.integers(0, n))
    percent = f"{100 * k / n:.{digits}f}"
    side = of_published(Published(score=replace(Published().score, percent=percent, tasks=n)))
    counts = possible_counts(percent, n)
    assert (side.told.least, side.told.most) == (min(counts), max(counts)) and not side.impossible and k in counts


values = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**6)
    | texts
    | st.lists(st.integers(0, 3), max_size=2)
    | st.dictionaries(texts, st.integers(0, 2), max_size=2)
)
names = (
    st.sampled_from([*FIELDS, "model", "endpoint", "budget_tokens", "max_attempts", "retry_policy", "python_version"])
    | texts
)


@given(st.dictionaries(names, values, max_size=10))
def test_a_fingerprint_line_is_read_whatever_it_holds(told: dict[str, Any]) -> None:
    rows = [{"_fingerprint": told}, *({"task_id": f"t{n}", "passed": n == 1} for n in range(3))]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    try:
        found = import_rows([("rows.jsonl", data)])
    except DenominatorError:
        return
    assert len(found.ledger.rows) == 3
    pairs = [(name, json.dumps(value)) for name, value in told.items()]
    one = fingerprint(pairs)
    assert set(one) == set(FIELDS) and all(isinstance(value, str | NotMeasured) for value in one.values())
    same = [field for field in moved(one, one) if field.state == "moved"]
    assert not same


@given(texts, texts, texts)
def test_no_user_and_no_key_of_an_address_stays(user: str, key: str, path: str) -> None:
    found = host_of(f"https://u{user}@h.example/{path}?k={key}")
    assert "@" not in found and "/" not in found and "?" not in found


@given(st.sampled_from(sorted(FIELDS)), texts)
def test_reading_a_value_again_changes_nothing(field: str, text: str) -> None:
    once = plain(field, json.dumps(text))
    if isinstance(once, str) and not once.startswith('"') and not once.startswith("sha256:"):
        assert plain(field, json.dumps(once)) == once


fingers = st.fixed_dictionaries({name: st.sampled_from(["a", "b"]) | st.just(NotMeasured("?")) for name in FIELDS})


@st.composite
def sides(draw: st.DrawFn) -> Claimed:
    n = draw(st.integers(1, 40))
    least = draw(st.integers(0, n))
    most = draw(st.integers(least, n))
    return Claimed(
        told=Told(name="s", n=n, least=least, most=most),
        fingerprint=draw(fingers),
        tasks=draw(st.none() | st.just(frozenset("ab"))),
        red=draw(st.sampled_from([(), ("a",)])),
        blocked=draw(st.sampled_from([(), ("GL001 x",)])),
        counts_only=draw(st.booleans()),
    )


@given(sides(), sides())
def test_verdicts(published: Claimed, ours: Claimed) -> None:
    published = replace(published, red=(), counts_only=False)
    found = set_beside(published, ours)
    again = loads(canonical(found), "diff")
    assert to_json(from_json(type(found), again)) == again
    noisy = found.verdict in ("inside_noise", "outside_noise")
    assert (found.exit == 0) == (noisy and not found.directional)
    states = {one.name: one.state for one in found.fingerprint}
    if any(states.get(name) == "moved" for name in BENCHMARK):
        assert found.verdict == "not_the_same_benchmark"
    if not noisy or ours.counts_only:
        assert all(isinstance(one, NotMeasured) for one in (found.difference, found.lo, found.hi, found.p))
    if ours.blocked:
        assert isinstance(found.ours.least, NotMeasured) and not noisy
    wider = set_beside(published, replace(ours, told=replace(ours.told, least=0, most=ours.told.n)))
    if found.verdict == "inside_noise":
        assert wider.verdict == "inside_noise"
