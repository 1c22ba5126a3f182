"""The bar at the foot of a terminal: what it says, that it fits, and that nothing of it stays."""

from __future__ import annotations

import pytest

from denominator.cli.progress import ERASE, BarReporter, bar_text
from denominator.records.keys import AttemptKey

KEY = AttemptKey("r", "page-count", 1, 1)


@pytest.mark.parametrize(
    ("done", "total", "bar"),
    [
        (0, 4, "[........................] 0/4 0:01:05"),
        (1, 4, "[######..................] 1/4 0:01:05"),
        (4, 4, "[########################] 4/4 0:01:05"),
        (5, 4, "[########################] 5/4 0:01:05"),
        (3, 0, "3/? 0:01:05"),
    ],
)
def test_what_it_says(done, total, bar):
    assert bar_text(done, total, 65, "") == bar
    assert bar_text(done, total, 65, "mine page-count: graded") == f"{bar} mine page-count: graded"
    assert bar_text(done, total, 36000, "").endswith(" 10:00:00")


def test_it_is_drawn_over_itself_and_taken_away(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    bar = BarReporter(0)
    bar.expect(2)
    bar.attempt(KEY, "graded", {"arm": "\x1b[31mmine"})
    bar.attempt(KEY, "stopped", {"arm": "mine"})
    bar.line("a line")
    bar.attempt(KEY, "graded", {"arm": "mine" * 40})
    bar.stop()
    said = capsys.readouterr()
    assert said.out == ""
    drawn = said.err.split(ERASE)
    assert drawn[0] == drawn[-1] == "", "nothing before the first drawing, nothing after the last erasing"
    assert "a line\n" in drawn, "a line stands alone"
    assert all(len(one) < 60 for one in drawn), "a line that wraps cannot be erased"
    assert [one.split("] ")[1][:3] for one in drawn if one.startswith("[")] == ["0/2", "1/2", "1/2", "2/2"]
    assert "\x1b" not in "".join(drawn), "what a label holds is shown, not obeyed"


def test_a_terminal_that_has_gone_stops_nothing(monkeypatch):
    class Gone:
        encoding = "utf-8"

        def write(self, _text):
            raise OSError(5, "gone")

        def flush(self):
            raise OSError(5, "gone")

        def isatty(self):
            return True

    monkeypatch.setattr("sys.stderr", Gone())
    bar = BarReporter(2)
    bar.attempt(KEY, "graded", {"arm": "mine"})
    bar.stop()
