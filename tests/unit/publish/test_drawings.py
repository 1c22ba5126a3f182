"""Drawings: well-formed, escaped, the same bytes each time, nothing outside the frame; and the same data as plain text."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from denominator.publish.drawings import forest_svg, heat_map_svg, slope_svg
from denominator.publish.terminal.plots import Ranged, Sloped, forest, heat_map, paired_slope
from denominator.records.values import NotMeasured

NAMES = st.text(min_size=1, max_size=12)
MARKS = st.text(alphabet="PFAU-", min_size=1, max_size=6)
SHARE = st.integers(0, 1000).map(lambda number: f"{number // 1000}.{number % 1000:03d}000")
NUMBERS = ("x", "y", "x1", "x2", "cx")


def parsed(text: str) -> ElementTree.Element:
    """The document; it has a title, a description, no script, and every number inside its frame."""
    root = ElementTree.fromstring(text)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert tags[1:3] == ["title", "desc"]
    assert not {"script", "foreignObject", "image", "use"} & set(tags)
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    for element in root.iter():
        assert not any(name.lower().startswith("on") or "href" in name for name in element.attrib)
        for name in NUMBERS:
            if name in element.attrib:
                assert 0 <= int(element.attrib[name]) <= (height if name == "y" else width)
    return root


@given(names=st.lists(NAMES, max_size=8, unique=True), data=st.data())
def test_heat_map(names: list[str], data: st.DataObject) -> None:
    rows = [(name, (data.draw(MARKS), data.draw(MARKS))) for name in names]
    text = heat_map_svg(rows, ["first", "second"], "A title with <&\"'>")
    root = parsed(text)
    assert text == heat_map_svg(rows, ["first", "second"], "A title with <&\"'>")
    passes = sum(marks.count("P") for _, blocks in rows for marks in blocks)
    drawn = sum(element.attrib.get("class") == "pass" for element in root.iter())
    assert drawn == passes + (passes > 0), "one square a pass, and one in the legend"


@given(ends=st.lists(st.tuples(NAMES, SHARE, SHARE, SHARE), min_size=1, max_size=8))
def test_forest(ends: list[tuple[str, str, str, str]]) -> None:
    rows = [Ranged(name, value, min(lo, hi), max(lo, hi), "1/2") for name, value, lo, hi in ends]
    root = parsed(forest_svg(rows, "Rates"))
    assert sum(element.attrib.get("class") == "dot" for element in root.iter()) == len(rows)
    parsed(forest_svg(rows, "Differences", least=-1))


@given(moves=st.lists(st.tuples(NAMES, st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_slope(moves: list[tuple[str, int, int]]) -> None:
    rows = [Sloped(*move) for move in moves]
    root = parsed(slope_svg(rows, 5, ("a <", "b &"), "Moves"))
    pairs = {(row.a, row.b) for row in rows}
    drawn = [one.attrib["class"] for one in root.iter() if one.attrib.get("class") in ("up", "down", "flat")]
    assert len(drawn) == len(pairs) + 3, "a line for each pair of counts, three in the legend"


@given(names=st.lists(NAMES, max_size=8, unique=True), data=st.data(), width=st.integers(40, 100))
def test_plain_text_is_printable_and_colour_only_paints(names: list[str], data: st.DataObject, width: int) -> None:
    rows = [(name, (data.draw(MARKS),)) for name in names]
    plain = heat_map(rows, ["a"], width=width)
    painted = heat_map(rows, ["a"], width=width, color=True)
    assert all(line.isprintable() for line in plain)
    bare = [
        line.replace("\x1b[32m", "").replace("\x1b[31m", "").replace("\x1b[33m", "").replace("\x1b[0m", "")
        for line in painted
    ]
    assert bare == plain


def test_marks_have_shapes_of_their_own() -> None:
    for fancy in (False, True):
        lines = heat_map([("t1", ("PFAU-",))], ["a"], fancy=fancy)
        cells = lines[0].split()[-1]
        assert len(set(cells)) == len(cells) == 5
        assert all(word in lines[-1] for word in ("pass", "fail", "abstain", "unscoreable", "never started"))


def test_of_many_tasks_those_that_never_change_are_counted() -> None:
    rows = [(f"t{number:03}", ("PPP" if number % 2 else "FFF",)) for number in range(100)] + [("odd", ("PFP",))]
    lines = heat_map(rows, ["a"])
    assert [line.split()[0] for line in lines if "#" in line and "pass," not in line] == ["odd"]
    assert any("50 fail every time, 50 pass every time" in line for line in lines)


def test_forest_in_text_puts_ends_where_they_are() -> None:
    lines = forest(
        [Ranged("all", "0.500000", "0.000000", "1.000000"), Ranged("none", NotMeasured("x"), "0.500000", "0.500000")]
    )
    bar = lines[0][8:]
    assert bar.startswith("|-") and bar.rstrip().endswith("-|")
    assert "o" in bar
    assert lines[1].strip() == "none" + " " * (len(lines[1].strip()) - 5) + "|"
    assert lines[-1].split() == ["0", "0.25", "0.5", "0.75", "1"]


def test_slope_in_text_names_tasks_and_the_size_of_the_move() -> None:
    rows = [Sloped("t1", 0, 5), Sloped("t2", 3, 2), Sloped("t3", 4, 4), Sloped("t4", 3, 2)]
    lines = paired_slope(rows, 5, ("A", "B"))
    assert lines[1].split() == ["0", "->", "5", "/", "+5", "t1"]
    assert lines[2].split() == ["3", "->", "2", "\\", "-1", "t2,", "t4"]
    assert lines[-1].strip() == "the same in both: 1 of 4 tasks"
    assert all(line.isascii() for line in lines)
