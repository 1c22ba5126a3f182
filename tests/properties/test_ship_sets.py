"""Whatever a run went through, its ship sets follow from its journal and say the same as its card."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings

from denominator.pipeline.bundle_house import NO_HOUSE
from denominator.pipeline.bundle_judging import Again, Evidence, judge_again
from denominator.pipeline.bundle_shipping import shipped_files
from denominator.records.bundles import NOTHING_BESIDE
from denominator.records.events import Event
from denominator.records.packs import Baseline, Provenance
from unit.ledger.journals import DRAWS, RUN, Lived, a_seal, attempts

SEAL = replace(a_seal(), provenance=Provenance(authors=("us",), created="2026-11-29"))
BASELINE = Baseline(
    pack_digest="d", box_digest="b", concurrency=1, repeats=3, taken_at="2026-11-29T00:00:00Z", runs=(), grader_sha="g"
)


def evidence_of(lived: list[Lived]) -> Evidence:
    events: tuple[Event, ...] = tuple(event for one in lived for event in one.events)
    return Evidence(
        run_id=RUN,
        version="0",
        seal=SEAL,
        seal_sha="a" * 64,
        baseline=BASELINE,
        baseline_sha="b" * 64,
        events=events,
        calls=(),
        labels=(),
        beside=NOTHING_BESIDE,
    )


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


@settings(max_examples=10, deadline=None)
@given(attempts())
def test_rate_logs_and_classes_count_what_the_card_counts(lived: list[Lived]) -> None:
    evidence = evidence_of(lived)
    again: Again = judge_again(evidence, NO_HOUSE)
    files = shipped_files(evidence, again)
    assert files == shipped_files(evidence, judge_again(evidence, NO_HOUSE))
    exits = again.card.equation_all
    rate = json.loads(files["rate.json"])
    assert (rate["n"], len(rate["rows"])) == (len(DRAWS), len(DRAWS))
    assert rate["k"] in (exits["pass"], {"not_measured": "withheld: the gate blocks"})
    assert sum(row["exit"] == "pass" for row in rate["rows"]) == exits["pass"]
    told = json.loads(files["m13/classes.json"])
    logs = {one["file"]: lines(files[f"m13/{one['file']}"]) for one in told["logs"]}
    assert sum(told["classes"].values()) == len(DRAWS) == sum(map(len, logs.values())) + exits["never_started"]
    for one in told["logs"]:
        assert len(logs[one["file"]]) + one["missing"] == one["draws"] == sum(one["classes"].values())
    outcomes = [row["outcome"] for rows in logs.values() for row in rows]
    assert outcomes.count("pass") == told["classes"]["pass"] == exits["pass"]
    assert len(lines(files["row_labels.jsonl"])) == len(again.judged.labels)
    assert files["provenance.toml"] == files["m13/provenance.toml"]
