"""The head of a shown trajectory: what the agent says of itself, a line a word."""

from __future__ import annotations

from denominator.publish.terminal.trajectory import trajectory_lines


def test_the_agents_own_words_stand_one_a_line():
    told = {
        "repeat": 1,
        "attempt": 2,
        "atif": {"agent": {"name": "aider", "version": "0.86.2"}, "steps": []},
        "own_account": {"prompt": 12, "cost": {"not_measured": "it knows no price"}},
        "own_ending": {"word": "finished"},
    }
    assert list(trajectory_lines(told)) == [
        "repeat 1, attempt 2",
        "  aider 0.86.2, 0 steps",
        "  its own account",
        "    cost        not measured (it knows no price)",
        "    prompt      12",
        "  its own ending",
        "    word        finished",
    ]
