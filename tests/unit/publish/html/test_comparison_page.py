"""The page of a comparison: whole, inert, and without a number where nothing may be set side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from comparing_data import PLAN, arm, blocked, fine, split
from denominator.compare.pair import compare_sides
from denominator.publish.html.comparison import comparison_html
from denominator.records.comparisons import FieldVerdict, Transition
from denominator.records.reports import PairMarks
from denominator.records.values import NotMeasured
from report_pages import read

HOSTILE = "</td><script>alert(1)</script>\"'&\x1b[31m\u202e"


def compared(found=None, marks=None, **over):
    a, b = marks or split(10, 8, 1, 3)
    made = compare_sides(arm("A", a, plan=PLAN), arm("B", b, plan=PLAN), found or fine())
    return replace(made, **over)


def test_the_sentence_comes_first_and_every_part_is_there():
    made = compared()
    drawn = PairMarks(rows=tuple((one.task_id, "P", "F") for one in made.table))
    reader = read(comparison_html(made, drawn))
    parts = ["said", "arms", "numbers", "tasks", "map", "transitions", "may-not", "limits"]
    assert [one for one in reader.ids if one in parts] == parts
    assert reader.text.index(made.verdict.sentence) < reader.text.index("Arms, each over")
    for told in ("More passes in A (8)", "Discordant tasks", "McNemar", "0.318"):
        assert told in reader.text, told


def test_not_comparable_shows_fields_and_no_number_of_one_beside_the_other():
    gone = NotMeasured("not stated")
    fields = (
        FieldVerdict(name="seed", verdict="conditions", blocks=True, a="7", b="8"),
        FieldVerdict(name="model_id", verdict="same", blocks=False, a="m", b="m"),
        FieldVerdict(name="cpus", verdict="unknown", blocks=True, a=gone, b=gone),
    )
    made = compared(found=fine(status="not_comparable", reasons=("seed differs",), fields=fields))
    reader = read(comparison_html(made))
    assert "NOT COMPARABLE" in reader.text and "seed differs" in reader.text and "1 other field" in reader.text
    assert not {"numbers", "tasks", "map", "transitions"} & set(reader.ids)
    assert "0.318" not in reader.text


def test_a_blocked_side_shows_what_blocks_and_nothing_else():
    a, b = split(10, 8, 1, 3)
    made = compare_sides(blocked(arm("A", a, plan=PLAN), "violated-control"), arm("B", b, plan=PLAN), fine())
    reader = read(comparison_html(made))
    assert "BLOCKED" in reader.text and "violated-control" in reader.text
    assert "numbers" not in reader.ids and "0.318" not in reader.text


@pytest.mark.parametrize("where", ["names", "tasks", "fields", "notes", "transitions", "marks"])
def test_text_from_outside_is_inert(where):
    made = compared()
    over = {
        "names": {"a": replace(made.a, name=HOSTILE)},
        "tasks": {"table": tuple(replace(one, task_id=HOSTILE) for one in made.table), "more_a": (HOSTILE,)},
        "fields": {
            "comparability": fine(fields=(FieldVerdict(name=HOSTILE, verdict="note", blocks=False, a=HOSTILE, b="x"),))
        },
        "notes": {"notes": (HOSTILE,)},
        "transitions": {"transitions": (Transition(a=HOSTILE, b="fail", count=1, draws=(HOSTILE,)),)},
        "marks": {},
    }[where]
    marks = PairMarks(rows=((HOSTILE, "P", "F"),)) if where == "marks" else PairMarks()
    page = comparison_html(replace(made, **over), marks)
    assert "\x1b" not in page and "\u202e" not in page
    assert "alert(1)" in read(page).text


def test_many_tasks_are_drawn_only_where_they_differ():
    rows = tuple((f"t{n:05}", "P", "PF"[n % 40 == 0]) for n in range(5_000))
    page = comparison_html(compared(), PairMarks(rows=rows))
    reader = read(page)
    assert "5000 tasks: only 125 tasks with unlike marks drawn" in reader.text
    assert len(page.encode()) < 1_500_000
