"""Bundles of a scoring contract: a rate passes exactly when its events give it; sums of any names come back or are refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from denominator.bundles.contract import contract_faults
from denominator.bundles.merkle import merkle_root
from denominator.bundles.sums import read_sums, write_sums
from denominator.wire.canonical import digest

PASSES = st.lists(st.booleans(), min_size=1, max_size=9)
LOCK = "2026-10-12T08:00:00Z"


def made(passes: list[bool]) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    ids = [f"t{number}" for number in range(len(passes))]
    events = [{"task_id": one, "task_pass": passed} for one, passed in zip(ids, passes, strict=True)]
    rate = {
        "run_id": "b",
        "n": len(ids),
        "task_pass_count": sum(passes),
        "task_pass_rate": Decimal(sum(passes)) / len(ids),
    }
    return {"run_id": "b", "locked_at": LOCK, "task_ids": ids}, events, rate


def kinds(*documents: Any) -> set[str]:
    return {one.kind for one in contract_faults(*documents)}


@given(PASSES)
def test_a_rate_that_follows_passes(passes: list[bool]) -> None:
    assert kinds(*made(passes)) == set()


@given(PASSES, st.integers(-2, 12), st.integers(-2, 12))
def test_any_other_count_is_found(passes: list[bool], k: int, n: int) -> None:
    contract, events, rate = made(passes)
    right = (k, n) == (sum(passes), len(passes))
    assert ("rate" in kinds(contract, events, rate | {"task_pass_count": k, "n": n})) != right


@given(PASSES, st.decimals(0, 1, places=3))
def test_any_other_rate_is_found(passes: list[bool], value: Decimal) -> None:
    contract, events, rate = made(passes)
    off = abs(Fraction(value) - Fraction(sum(passes), len(passes)))
    if off > Fraction(1, 2000):
        assert "rate" in kinds(contract, events, rate | {"task_pass_rate": value})


@given(PASSES, st.data())
def test_events_that_do_not_fit_the_contract_are_found(passes: list[bool], data: st.DataObject) -> None:
    contract, events, rate = made(passes)
    at = data.draw(st.integers(0, len(events) - 1))
    odd = data.draw(
        st.sampled_from(
            ["gone", "twice", "stranger", "unsaid", "excluded", "other run", "unlocked", "late", "edited", "abstains"]
        )
    )
    one = events[at]
    if odd == "gone":
        del events[at]
    elif odd == "twice":
        events.append(one)
    elif odd == "stranger":
        events.append({"task_id": "new", "task_pass": True})
    elif odd == "unlocked":
        contract["locked_at"] = ""
    elif odd == "edited":
        contract["sha256"] = digest(contract)
        assert kinds(contract, events, rate) == set()
        contract["claim"] = "another"
    elif odd == "late":
        contract["metrics"] = {"timeout_s": 60}
        events[at] = one | {"task_pass": True, "wall_seconds": Decimal("60.5")}
    else:
        changes: dict[str, Any] = {"abstains": {"abstain": True, "task_pass": True}}
        changes |= {
            "unsaid": {"task_pass": None},
            "excluded": {"excluded_after_lock": True},
            "other run": {"run_id": "x"},
        }
        events[at] = one | changes[odd]
    assert "contract" in kinds(contract, events, rate)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["task_ids", "task_id", "n", "x"]), inner)
    ),
)


@given(JSON, JSON, JSON)
def test_no_document_breaks_it(contract: Any, events: Any, rate: Any) -> None:
    assert kinds(contract, events, rate) <= {"contract", "rate"}


@given(st.binary(max_size=300))
def test_any_bytes_are_sums_or_faults(data: bytes) -> None:
    read = read_sums(data, "s")
    assert read.by_name or read.faults
    assert read_sums(write_sums(read.by_name), "s").by_name == read.by_name


@given(st.lists(st.binary(max_size=4), max_size=9), st.data())
def test_no_change_of_leaves_keeps_the_root(leaves: list[bytes], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(leaves)))
    assert merkle_root([*leaves[:at], b"new leaf", *leaves[at:]]) != merkle_root(leaves)
