"""Pages of formats: everything that an importer says is on its page, and a table survives any text."""

from __future__ import annotations

import re

import pytest

from denominator.publish.importers import Format, importer_pages
from denominator.records.foreign import Ending
from denominator.records.rows import Failure, PatchFacts
from denominator.records.values import NotMeasured
from denominator.wiring.importers import importer_names, own_formats

FAILURE = Failure(seq=0, cause="provider_rate_limit", writer="provider", phase="agent")
ENDINGS = (
    Ending(word="a|b", outcome="pass", judged=True, why="the source\nsays so", failure_class="timeout"),
    Ending(
        word="429", outcome="unscoreable", origin="INFRA", reason="provider_rate_limit", why="refused",
        facts={"first_unrecovered": FAILURE, "oom": False, "patch": PatchFacts(sha256="", bytes=0), "usage": NotMeasured("no count")},
    ),
    Ending(word="odd", outcome="fail", why="nobody knows", facts={}),
)  # fmt: skip


def page(**changes):
    given = {
        "name": "made",
        "title": "Made",
        "doc": "Doc.\n\nTraps:\n- one\n- two",
        "endings": ENDINGS,
        "cannot_tell": {"seed": "no seed"},
    }
    return importer_pages([Format(**{**given, **changes})])["made.md"]


def test_a_page_holds_docstring_endings_and_what_cannot_be_told():
    text = page()
    assert text.startswith("# made\n\nGenerated")
    assert "Traps:\n\n- one\n- two" in text
    assert "| `a\\|b` | pass | - | - | the source's word; class timeout | the source says so |" in text
    assert (
        "failure provider_rate_limit, seen by the provider in the phase agent; oom false; patch bytes 0; usage unknown (no count)"
        in text
    )
    assert "| `odd` | fail | - | - | nothing | nobody knows |" in text
    assert "- `seed`: no seed" in text
    assert "3 endings." in text


def test_every_line_of_a_table_has_six_cells():
    lines = [line for line in page().splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {7}


def test_a_format_without_rows_says_so():
    text = page(endings=(), cannot_tell={})
    assert "no row of any attempt" in text
    assert "- nothing" in text


def test_the_index_lists_every_page():
    made = importer_pages([Format("b", "B", "", (), {}), Format("a", "A", "", (), {})])
    assert set(made) == {"README.md", "a.md", "b.md"}
    assert made["README.md"].index("[a](a.md)") < made["README.md"].index("[b](b.md)")


@pytest.mark.parametrize("name", importer_names())
def test_every_importer_of_ours_has_a_page_with_all_its_endings(name):
    (found,) = [one for one in own_formats() if one.name == name]
    assert len(found.doc) > 200, "the docstring of the module is the page"
    text = importer_pages([found])[f"{name}.md"]
    table = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(table) == len(found.endings)
    assert all(f"- `{field}`: " in text for field in found.cannot_tell)
