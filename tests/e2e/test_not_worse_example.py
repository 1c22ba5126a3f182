"""docs/examples/not-worse-than-main.md: its envelope is sealed, its commands are run, its exit codes are those it states.

It is also the pair of runs of our own: arms that solve everything and nothing, over the built-in pack, treatment sealed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import VERBS, cli
from e2e.cli_lab import environment

PAGE = Path(__file__).parents[2] / "docs" / "examples" / "not-worse-than-main.md"
WORKFLOW = PAGE.with_suffix(".yml")
COMMAND = re.compile(r"^denominator (.*?) +# exit (\d)$", re.M)
TEXT = PAGE.read_text("utf-8")


def commands() -> list[tuple[list[str], int]]:
    """Every command of the page with the exit code it states, in order."""
    return [(found[1].split(), int(found[2])) for found in COMMAND.finditer(TEXT)]


def ran(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "denominator", *args]
    env = environment(folder, {"NO_COLOR": "1", "COLUMNS": "120"})
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, timeout=900)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, subprocess.CompletedProcess[str]]]:
    """Each command of the page by its words: the code it states, and how it ended."""
    folder = tmp_path_factory.mktemp("not-worse")
    envelope = re.search(r"```toml envelope\.toml\n(.*?)```", TEXT, re.S)
    assert envelope is not None
    (folder / "envelope.toml").write_text(envelope[1])
    return {" ".join(args): (code, ran(folder, *args)) for args, code in commands()}


needs_sandbox = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("not-worse"),
]


class TestPage:
    pytestmark = needs_sandbox

    def test_every_command_ends_as_the_page_says(self, played: dict[str, Any]) -> None:
        assert len(played) == 6
        for words, (code, done) in played.items():
            assert "Traceback" not in done.stderr
            assert done.returncode == code, (words, done.stdout[-2000:], done.stderr[-2000:])

    def test_the_answer_is_the_one_on_the_page(self, played: dict[str, Any]) -> None:
        _, done = played["compare nightly-main nightly-change --require not_worse"]
        shown = re.search(r"```text\n(COMPARABLE.*?)\n?```", TEXT, re.S)
        assert shown is not None
        assert " ".join(done.stdout.split()).startswith(" ".join(shown[1].split()))

    def test_a_change_that_loses_tasks_is_named(self, played: dict[str, Any]) -> None:
        _, done = played["compare nightly-main nightly-broken --require not_worse"]
        assert "required not_worse, reached established_for_tasks_like_these" in done.stderr
        said = " ".join(done.stdout.split())
        assert "main - broken = +1.000" in said and "Treatment agent_id, agent_version, sealed before the run" in said
        assert "p = 0.007812, for 2 declared pairs 0.015625" in said

    def test_three_arms_make_a_grid_with_holm(self, played: dict[str, Any]) -> None:
        _, done = played["compare nightly-main nightly-change nightly-broken --json"]
        grid = json.loads(done.stdout)["grid"]
        lines = {(one["a"], one["b"]): one for one in grid["pairs"]}
        assert [one["role"] for one in grid["pairs"]] == ["primary", "family", "undeclared"]
        assert lines["main", "broken"]["adjusted"] == "0.015625" and lines["main", "broken"]["separates"] is True
        assert lines["main", "change"]["separates"] is False
        assert "not_measured" in lines["change", "broken"]["adjusted"]
        assert lines["main", "change"]["rung"] == "not_worse_by_more_than_margin"


def test_the_workflow_types_what_the_program_knows() -> None:
    """Each command of the workflow: a known verb, known options."""
    lines = re.findall(r"denominator ((?:run|compare|doctor)\b[^\n|>]*)", WORKFLOW.read_text("utf-8"))
    assert any("--require not_worse" in line for line in lines)
    for line in lines:
        verb, *rest = line.split()
        assert verb in VERBS
        command = cli.get_command(None, verb)  # type: ignore[arg-type]
        assert command is not None
        known = {option for one in command.params for option in one.opts}
        assert {word for word in rest if word.startswith("--")} <= known


def test_the_margins_of_the_page_are_the_right_ones() -> None:
    from fractions import Fraction

    from denominator.stats import equivalence_min_n, tango
    from denominator.stats.fourfold import Pairs

    for margin, tasks in (("0.10", 25), ("0.05", 52)):
        assert equivalence_min_n(Fraction(margin), Fraction(90, 100)) == tasks and f"at least {tasks}" in TEXT
    assert 0.32 < tango(Pairs(8, 0, 0, 0), Fraction(95, 100)).hi < 0.33
