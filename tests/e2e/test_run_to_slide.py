"""docs/examples/run-to-slide.md shows what its commands print: the quotes always, the runs with -m e2e.

`RUN_TO_SLIDE_WRITE=1 python -m pytest -m e2e tests/e2e/test_run_to_slide.py` makes the page and docs/slips again.
"""

from __future__ import annotations

import os
import re
import shutil

import pytest

from denominator.cli.main import run_cli
from e2e.run_to_slide import (
    BLOCK,
    PAGE,
    PLAYED,
    QUOTING,
    ROOT,
    SLIPS,
    by_bash,
    digest_of,
    folder_of,
    ids_in,
    in_process,
    masked,
    played,
)  # fmt: skip

NAME = "SECOND"
"""Stands in a page that is being made for the slip of the replay."""
DEFINITION = re.compile(r"\n\[slip:[^\n]*\n")


def test_every_quote_of_the_page_is_judged_as_it_says(here, capsys):
    folder_of(here)
    (here / "slips").mkdir()
    first, second = ids_in(SLIPS)
    for one in (first, second):
        shutil.copyfile(SLIPS / f"{one}.json", here / "slips" / f"{one}.json")
    page = PAGE.read_text("utf-8")
    slow, cut, quoting = page.partition(QUOTING)
    (verdict,) = [line[2:] for block in BLOCK.findall(slow) for line in block.splitlines() if "slip verdict" in line]
    assert "quotable" in in_process(verdict)
    assert masked(played(quoting, in_process)) == masked(quoting) and cut
    assert [word for word in ("Q001", "Q003", "Q007", "Q013") if word not in quoting] == []
    assert f"[slip:{second[:8]}]" in page and first[:8] in slow


def test_the_slow_part_is_the_one_that_was_played():
    assert PLAYED.read_text().strip() == digest_of(PAGE.read_text("utf-8")), "play it: see the top of this file"


@pytest.mark.e2e
@pytest.mark.needs_bwrap
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_the_whole_page_is_what_its_commands_print(here, monkeypatch):
    folder_of(here)
    page, names = PAGE.read_text("utf-8"), {}
    written = bool(os.environ.get("RUN_TO_SLIDE_WRITE"))
    if written:
        page = DEFINITION.sub("", page)
        page = page.replace(ids_in(SLIPS)[1][:8], NAME) if SLIPS.is_dir() else page

    def run(command):
        for old, new in names.items():
            command = command.replace(old, new)
        said = by_bash(command)
        if command.startswith("denominator slip new first-replay"):
            names[NAME if written else ids_in(SLIPS)[1][:8]] = ids_in(here / "slips")[1][:8]
        return said

    made = played(page, run)
    if written:
        made = made.replace(NAME, names[NAME])
        write(made, here / "slips")
        monkeypatch.chdir(ROOT)
        assert run_cli(["quote", "fix", str(PAGE)]) == 0
    assert masked("".join(BLOCK.findall(made))) == masked("".join(BLOCK.findall(PAGE.read_text("utf-8"))))


def write(page, slips):
    """The page, its slips, and what says that both are of one run."""
    shutil.rmtree(SLIPS, ignore_errors=True)
    shutil.copytree(slips, SLIPS)
    PAGE.write_text(page, "utf-8")
    PLAYED.write_text(digest_of(page) + "\n")
