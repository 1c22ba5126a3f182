"""The advice of the dominant bucket."""

from __future__ import annotations

import pytest

from denominator.publish.advice import ADVICE, advice_for
from denominator.records.words import Mix


@pytest.mark.parametrize("bucket", [bucket for bucket in Mix if bucket not in (Mix.PASS_CONTRACT, Mix.SCORER_RED)])
def test_every_bucket_that_the_harness_can_repair_has_advice_and_names_the_wrong_move(bucket: Mix) -> None:
    (text,) = advice_for([(bucket, 1), (bucket, 1), (Mix.SCORER_RED, 1), (Mix.PASS_CONTRACT, 3)])
    assert text.startswith(f"{bucket} is the dominant bucket (2 of 3")
    assert all(part in text for part in ADVICE[bucket])


@pytest.mark.parametrize(
    "buckets",
    [
        [],
        [""],
        [Mix.PASS_CONTRACT] * 4,
        [Mix.TIMEOUT, Mix.TOOL_LOOP],
        [Mix.SCORER_RED, Mix.SCORER_RED, Mix.TIMEOUT],
    ],
)
def test_nothing_dominates_or_nothing_in_the_harness_would_help(buckets: list[str]) -> None:
    assert advice_for((bucket, 1) for bucket in buckets) == ()
