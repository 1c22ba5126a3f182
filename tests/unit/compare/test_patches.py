"""One patch with two verdicts is the grader's difference; other patches are the arms'."""

from __future__ import annotations

from types import SimpleNamespace

from denominator.compare.patches import EMPTY, patch_notes, patch_reasons
from denominator.records.rows import PatchFacts


def side(name, *draws, status="publishable", hidden=False):
    """A side of (task, patch digest, exit)."""
    placed = [
        (task, 1, SimpleNamespace(exit=exit_, row=SimpleNamespace(extra={}, patch=PatchFacts(sha256=sha, bytes=3))))
        for task, sha, exit_ in draws
    ]
    sheet = SimpleNamespace(placed=lambda: iter(placed))
    return SimpleNamespace(name=name, sheet=sheet, verdict=SimpleNamespace(status=status), split_hidden=hidden)


ONE = side("a", ("t", "p1", "pass"), ("u", "p2", "pass"))


def test_the_same_patches_with_another_verdict_are_no_two_arms():
    assert "verdicts differ on u" in patch_reasons(ONE, side("b", ("t", "p1", "pass"), ("u", "p2", "fail")))[0]
    assert patch_reasons(ONE, side("b", ("t", "p1", "pass"), ("u", "p2", "pass"))) == []
    assert patch_reasons(ONE, side("b", ("t", "p1", "pass"), ("u", "p2", "unscoreable"))) == []


def test_where_other_patches_differ_it_is_a_note():
    other = side("b", ("t", "p9", "fail"), ("u", "p2", "fail"))
    assert patch_reasons(ONE, other) == []
    assert patch_notes(ONE, other) == [
        "one patch or solution on both sides, and two verdicts: u; there the grader differs"
    ]


def test_empty_patches_and_what_may_not_be_told_say_nothing():
    empty = side("a", ("t", EMPTY, "fail")), side("b", ("t", EMPTY, "pass"))
    assert patch_reasons(*empty) == patch_notes(*empty) == []
    for shut in ({"status": "blocked"}, {"hidden": True}):
        closed = side("b", ("t", "p1", "fail"), ("u", "p2", "fail"), **shut)
        assert patch_reasons(ONE, closed) == patch_notes(ONE, closed) == []
