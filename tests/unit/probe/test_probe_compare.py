"""Probes side by side: refused with every difference at once, or counted in the order in which they were named."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from denominator.errors import InputError
from denominator.probe.compare import compare
from denominator.probe.sentence import MAY_NOT
from denominator.publish.terminal.page import Page
from denominator.publish.terminal.probe_compare import comparison_page
from denominator.records.probe_results import Heard, ProbeScore
from denominator.records.probes import Path
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from probe_data import CASES, FIRST, SECOND, all_heard, fault, scored

LITELLM = Path(kind="gateway", name="litellm", version="1.2")


def probe(seal: str, given: list[Heard] | None = None, **more) -> ProbeScore:
    return replace(scored(all_heard() if given is None else given, **more), seal_sha256=seal * 64)


def differences(*scores: ProbeScore) -> dict[str, tuple[str, ...]]:
    found = compare([(str(place), one) for place, one in enumerate(scores)])
    assert (found.status == "not_comparable") is bool(found.differences)
    if found.differences:
        assert not found.lines and not found.flags and not found.latency
        assert not any(side.sentences or side.across or side.windows for side in found.sides)
    return {one.field: one.values for one in found.differences}


def text(*scores: ProbeScore) -> str:
    page = Page(100, False)
    comparison_page(page, compare([(str(place), one) for place, one in enumerate(scores)]))
    return page.text()


def test_url_and_model_are_what_is_compared():
    assert differences(probe("a"), probe("b", url="https://other.example.net/v1", model="another")) == {}


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("fixture_sha256", lambda: replace(probe("b"), fixture_sha256="f" * 64)),
        ("client", lambda: replace(probe("b"), client="0.4.2")),
        ("classifier", lambda: replace(probe("b"), classifier="1.1")),
        ("run.seed", lambda: probe("b", seed=2)),
        ("run.deadline_ms", lambda: probe("b", deadline_ms=1)),
        ("run.gap_ms", lambda: probe("b", gap_ms=1)),
        ("run.slow_ms", lambda: probe("b", slow_ms=1)),
        ("run.body_bytes_max", lambda: probe("b", body_bytes_max=1)),
        ("run.warmups", lambda: probe("b", warmups=0)),
        ("run.pause_ms", lambda: probe("b", pause_ms=5)),
        ("run.rate", lambda: probe("b", rate="2")),
        ("attempts asked", lambda: probe("b", all_heard()[1:])),
        ("run.attempts", lambda: probe("b", all_heard(attempts=4), attempts=4)),
    ],
)
def test_every_condition_refuses_by_its_name(field, other):
    found = differences(probe("a"), other())
    assert field in found and len(set(found[field])) == 2
    assert set(found) <= {field, "run.in_flight"}


def test_the_same_endpoint_direct_and_through_a_proxy_is_refused():
    assert differences(probe("a"), probe("b", path=LITELLM)) == {
        "path.kind": ("direct", "gateway"),
        "path.name": ("none", "litellm"),
        "path.version": ("none", "1.2"),
    }
    assert differences(probe("a", path=LITELLM), probe("b", path=replace(LITELLM, version="1.3"))) == {
        "path.version": ("1.2", "1.3")
    }


def test_all_differences_at_once_over_three_probes():
    found = differences(probe("a"), probe("b", seed=2), probe("c", path=LITELLM, deadline_ms=1))
    assert found["run.seed"] == ("1", "2", "1") and found["run.deadline_ms"] == ("60000", "60000", "1")
    assert "path.kind" in found


def test_a_rate_is_equal_by_value():
    assert differences(probe("a", rate="2"), probe("b", rate="2.0")) == {}
    assert differences(probe("a", in_flight=1), probe("b", in_flight=2)) == {}
    assert differences(probe("a", rate="2", in_flight=1), probe("b", rate="2", in_flight=2)) == {
        "run.in_flight": ("1", "2")
    }


def test_number_and_independence_of_windows():
    two, close = all_heard(windows=(1, 2)), replace(SECOND, started_at="2026-11-29T08:30:00Z")
    both = probe("a", two, windows=[FIRST, SECOND])
    assert differences(both, probe("b")) == {"windows": ("2", "1"), "independent windows": ("1, 2", "1")}
    assert differences(both, probe("b", two, windows=[FIRST, close])) == {"independent windows": ("1, 2", "1")}


def test_what_one_never_asked_is_named():
    assert differences(probe("a"), probe("b", all_heard()[1:]))["attempts asked"] == (
        "all that any of them asked",
        "without window 1: json-a plain attempt 1",
    )


def test_the_same_probe_twice_and_one_alone_are_mistakes():
    with pytest.raises(InputError, match="same probe"):
        compare([("a", probe("a")), ("b", probe("a"))])
    with pytest.raises(InputError, match="two probes or more"):
        compare([("a", probe("a"))])


def test_counts_by_group_and_class_in_the_order_given():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault("format_drift:code_fence"),), flags=("slow",))
    given[1] = replace(given[1], faults=(fault("format_drift:prose_around"),))
    scores = [probe("a", given), probe("b")]
    for order in (scores, scores[::-1]):
        found = compare([(one.seal_sha256[0], one) for one in order])
        cells = {(one.group, one.cls): [(cell.k, cell.n) for side in one.cells for cell in side] for one in found.lines}
        ks = {"a": [(1, 3), (2, 3)], "b": [(3, 3), (0, 3)]}
        names = [one.name for one in found.sides]
        assert names == [one.seal_sha256[0] for one in order]
        assert cells["strict_json", "pass"] == [ks[name][0] for name in names]
        assert cells["strict_json", "format_drift"] == [ks[name][1] for name in names]
        (flags,) = found.flags
        assert [(cell.k, cell.n) for side in flags.cells for cell in side] == [
            (1 if name == "a" else 0, 3) for name in names
        ]
        canonical(found)


def test_the_columns_of_a_line_balance_and_no_line_is_over_two_groups():
    found = compare([("a", probe("a")), ("b", probe("b"))])
    for group in {one.group for one in found.lines}:
        lines = [one for one in found.lines if one.group == group]
        for side in (0, 1):
            assert sum(one.cells[side][0].k for one in lines) == lines[0].cells[side][0].n
    assert {one.group for one in found.lines} == {case.group for case in CASES}


def test_withheld_passes_stay_withheld_beside_others():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault("http_error:rate_limited"),), status=429, complete=False)
    found = compare([("a", probe("a", given)), ("b", probe("b"))])
    cells = {(one.group, one.cls, one.reason): one.cells[0][0].k for one in found.lines}
    assert isinstance(cells["strict_json", "pass", ""], NotMeasured)
    assert cells["strict_json", "http_error", "rate_limited"] == 1
    assert "withheld" in text(probe("a", given), probe("b")) and "2/3" not in text(probe("a", given), probe("b"))


def test_times_have_their_kind_and_what_did_not_complete():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault("timeout:total_deadline"),), complete=False)
    page = text(probe("a", given), probe("b"))
    assert "100.0 / 100.0 / 100.0 (5, 1), service time" in page
    assert "A, B: one request after the other: a closed loop cannot show queueing" in " ".join(page.split())
    assert "A: 1 of 6 did not complete and have no time: 1 timeout total_deadline" in " ".join(page.split())


def test_another_name_of_the_output_cap_is_shown_and_refuses_nothing():
    page = text(probe("a"), replace(probe("b"), cap_field="max_completion_tokens"))
    assert "SAME CONDITIONS" in page and "the output cap is asked for as max_completion_tokens" in page
    assert "the output cap" not in text(probe("a"), probe("b"))


def test_the_page_says_what_may_not_be_written_and_ranks_nothing():
    page = text(probe("a"), probe("b"), probe("c"))
    assert all(line in " ".join(page.split()) for line in MAY_NOT)
    assert not [word for word in ("better", "best", "wins", "beats", "improves", "%") if word in page.lower().split()]
    places = [page.index(f"\n{letter}  ") for letter in "ABC"]
    assert all(a < b for a, b in pairwise([page.index("SAME CONDITIONS"), *places]))


def test_the_page_of_a_refusal_holds_no_count():
    page = text(probe("a"), probe("b", path=LITELLM))
    assert "NOT COMPARABLE" in page and "path.kind: a gateway answers in the endpoint's place" in page
    assert "/3" not in page and "passed" not in page
