"""Files that verdicts are read from are told by their names."""

import pytest

from denominator.readers.meddling import is_verdict


@pytest.mark.parametrize(
    "path",
    ["reward.txt", "logs/verifier/reward.json", "verifier/any thing", "out/junit.xml", "results.json", "grade_1.json"],
)
def test_a_verdict(path: str) -> None:
    assert is_verdict(path)


@pytest.mark.parametrize(
    "path", ["src/reward.py", "report.md", "verifier.py", "rewards/readme.txt", "upgrade.json", "", "results.csv"]
)
def test_no_verdict(path: str) -> None:
    assert not is_verdict(path)
