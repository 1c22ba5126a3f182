"""A README, a Word document, a deck and a PDF, 10 right and wrong quotes each: every one is judged right."""

from __future__ import annotations

import pytest

from denominator.quote import SlipTable
from quote_data import (
    GOOD,
    OTHER,
    a_p,
    a_table,
    chart,
    chart_frame,
    checked,
    docx,
    pdf,
    pptx,
    shape,
    standing,
    w_p,
    w_table,
)  # fmt: skip

SLIPS = SlipTable([GOOD, OTHER, standing("dead0000", k=3, n=14, revoked="a bug of the grader")])
T = "[slip:ab12cd34]"

README = f"""# A tool

1. It passes 71.4% (10/14) {T}.
2. It passes 71.5% (10/14) {T}.
3. It passes 71,4 % (10/14) {T}.
4. It passes 71.4% (10/13) {T}.
5. It solves 50% of them.
6. [71.4%](slips/ab12cd34.md) pass (10/14).
7. It passes 21.4% (3/14) [slip:dead0000].
8. It gains +14.3 pp [cmp:ef56ef56..ab12cd34].
9. It beats the other in pass rate.
10. Score 0.714 (10 of 14), 95% CI 45–88 {T}.
"""
IN_README = ["4:Q003 71.5%", "6:Q003 10/13", "7:Q001 50%", "9:Q005 slip:dead0000", "11:Q008 beats"]

SENTENCES = [
    w_p("It passes 7", "1", ".4", "% (10/", f"14) {T}."),  # 1: right, in five runs
    w_p("It passes 8", "1", ".4", "% (10/", f"14) {T}."),  # 2: 81.4
    w_p("It passes 71.4% (10/14) [slip:ab", "12cd34]."),  # 3: right, the tag is split
    w_p(f"It passes ７１.４％ (11/14) {T}."),  # 4: 11/14
    w_p("It solves 50% of them."),  # 5: no slip
    w_p("Table 1: pass rate, 10/14 [slip:ab12cd34]"),
    w_table([["arm", "pass rate"], ["a", "71.4%"], ["b", "71.6%"]]),  # 6 right, 7: 71.6
    w_p(f"Score 0.714 (ten of fourteen) {T}."),  # 8: right
    w_p("It gains 12 pp."),  # 9: no pair
    w_p("It passes 57% (8/14) [slip:ef56ef56]."),  # 10: right
]
IN_DOCX = [
    "paragraph 2 Q003 81.4%", "paragraph 4 Q003 11/14", "paragraph 5 Q001 50%", "table 1 row 3 cell 2 Q003 71.6%",
    "paragraph 8 Q008 12 pp",
]  # fmt: skip

BARS = {"a": "0.7142857142857143", "b": "0.72"}
DECK = [
    shape("Title 1", a_p("Pass rates"), title=True)
    + shape("Box 2", a_p("7", "1.4", f"% (10/14) {T}"), a_p("It passes 62", "%"))  # 1 right, 2 no slip
    + "<p:grpSp>" + shape("Inner 3", a_p(f"It passes 72% (10/14) {T}")) + "</p:grpSp>",  # 3: 72
    shape("Box 4", a_p("Chart 1: pass rate, 10/14 [slip:ab12cd34]")) + chart_frame("Bars", "rId-bars"),  # 4 right, 5: .72
    a_table("Table 6", [["arm", "pass rate", "source"], ["a", "71.4% (10/14)", "slip:ab12cd34"], ["b", "57.2% (8/14)", "slip:ef56ef56"]]),
    # 6 right, 7: 57.2
    chart_frame("Bare", "rId-bare") + shape("Box 8", a_p("Ours beats it, +14.3 pp [cmp:ef56ef56..ab12cd34]")),  # 8 no slip, 9 right
    shape("Title 9", a_p("Thank you")),  # 10 in its notes
]  # fmt: skip
IN_DECK = [
    'slide 1 "Box 2" Q001 62%', 'slide 1 "Inner 3" Q003 72%', 'slide 2 "Bars" chart Q003 0.72',
    'slide 3 "Table 6" row 3 cell 2 Q003 57.2%', 'slide 4 "Bare" chart Q010 0.5', "slide 5 notes Q010 90%",
]  # fmt: skip

PAGES = [
    [f"It passes 71.4% (10/14) {T} on the", f"first day. It passes 62% (10/14) {T} on another.", "It solves 50% of them."],
    [f"- passes 71.4% (14/10) {T}", f"- passes 71% (10/14) {T}", "- passes 57.1% (8/14) [slip:ef56ef56]",
     "- passes 57.1% (8/14) [slip:ab12cd34]", f"- score 0.71 (10/14) {T}", "- beats it in pass rate", f"- passes 71.4% {T}"],
]  # fmt: skip
IN_PDF = [
    "page 1 Q003 62%", "page 1 Q001 50%", "page 2 Q003 14/10", "page 2 Q003 57.1%", "page 2 Q003 8/14", "page 2 Q008 beats",
    "page 2 Q006 71.4%",
]  # fmt: skip


def told(data, name):
    lines = [one.line.removeprefix(name).lstrip(": ").partition(" - ")[0] for one in checked(data, name, SLIPS).noted]
    return [f"{line.partition(':')[0]}:{line.partition(' ')[2]}" if name == "README.md" else line for line in lines]


def made_deck():
    notes = {5: "And we pass 90% on other days."}
    charts = {"bars": chart("Both arms", BARS), "bare": chart("Pass rate", {"a": "0.5"})}
    return pptx(DECK, notes, charts)


@pytest.mark.parametrize(
    ("name", "make", "expected"),
    [
        ("README.md", lambda: README, IN_README),
        ("paper.docx", lambda: docx("".join(SENTENCES)), IN_DOCX),
        ("deck.pptx", made_deck, IN_DECK),
        ("paper.pdf", lambda: pdf(PAGES), IN_PDF),
    ],
)
def test_every_quote_of_a_document_is_judged_right(name, make, expected):
    if name.endswith(".pdf"):
        pytest.importorskip("pypdf", reason="the extra `pdf` is not installed")
    assert sorted(told(make(), name)) == sorted(expected)
