"""The page of the endpoint bench says what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from denominator.probe.cases import KINDS_OF
from denominator.probe.checks import CHECKS
from denominator.probe.expects import KINDS
from denominator.probe.schema_terms import KEYWORDS
from denominator.records.probe_words import PARAM_IGNORED, PRECEDENCE, REASONS, Group

PAGE = (Path(__file__).parents[3] / "docs" / "formats" / "probe.md").read_text("utf-8")


def rows() -> dict[str, str]:
    """The rows of all tables by their first word."""
    found = re.findall(r"^\| `([^`]+)`[^|]*\| (.*) \|$", PAGE, re.M)
    return dict(found)


def test_classes_and_reasons_are_those_of_the_code() -> None:
    """Every class in the order of precedence with its reasons in theirs."""
    listed = re.findall(r"^\| `(\w+)` \| (PC\d+|) ?\|", PAGE, re.M)
    assert [name for name, _ in listed] == [*(cls for cls in PRECEDENCE if cls in REASONS), PARAM_IGNORED]
    assert dict(listed) == {check.cls: check.entry.code for check in CHECKS} | {PARAM_IGNORED: ""}
    for name, _ in listed:
        assert re.findall(r"`(\w+)`", rows()[name]) == list(REASONS[name])


def test_every_kind_group_and_keyword_is_told() -> None:
    """Words that a fixture may hold, and what each kind expects."""
    assert [kind for kind in KINDS if kind not in rows()] == []
    for kind, (keys, _rule) in KINDS.items():
        assert [key for key in keys if f"`{key}`" not in rows()[kind]] == []
    told = re.findall(r"^\| (`[a-z_`, ]+) \|", PAGE, re.M)
    assert [group for group in Group if not any(f"`{group}`" in one for one in told)] == []
    assert set(KINDS_OF) == set(Group)
    assert [word for word in KEYWORDS if f"`{word}`" not in PAGE] == []
