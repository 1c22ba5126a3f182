"""Forty quotes, right and wrong, in a README, a Word document, a deck and a PDF: every one is judged right in each."""

from __future__ import annotations

import pytest

from denominator.quote import SlipTable
from quote_data import GOOD, OTHER, a_p, checked, docx, pdf, pptx, shape, standing, w_p

SLIPS = SlipTable(
    [GOOD, OTHER, standing("dead0000", k=3, n=14, revoked="a bug of the grader"), standing("be00be00", k=9, n=12)]
)
A, B, PAIR = "[slip:ab12cd34]", "[slip:ef56ef56]", "[cmp:ef56ef56..ab12cd34]"

FORTY = (
    # right: every form of one number
    (f"It passes 71.4% (10/14) {A}", ""),
    (f"It passes 71,4 % (10 of 14) {A}", ""),
    (f"It passes 71 percent (ten of fourteen) {A}", ""),
    (f"It passes 71.4percent (10 out of 14) {A}", ""),
    (f"pass@1 0.714 (10/14) {A}", ""),
    (f"pass@1: 71.43 (10 / 14) {A}", ""),
    (f"Score .714 (10 tasks out of 14) {A}", ""),
    (f"A pass rate of 71.428571% (passed 10 of its 14 tasks) {A}", ""),
    (f"It passes 71.4% (10/14, 95% CI 45-88) {A}", ""),
    (f"It passes 71.4% (10/14), 45.4 to 88.3 % of it {A}", ""),
    (f"It passes seventy-one percent (10/14) {A}", ""),
    (f"It passes seventy-one point four per cent (10/14) {A}", ""),
    ("It passes three quarters (9/12) [slip:be00be00]", ""),
    ("It passes 75% (9/12), three in four [slip:be00be00]", ""),
    (f"It solves 75% (9/12) [slip:ab12cd34#resolved_rate] and passes 57.1% (8/14) {B}", ""),
    (f"It gains +14.3 pp of pass rate {PAIR}", ""),
    (f"57.1% to 71.4% pass {PAIR}", ""),
    (f"It beats the old one in pass rate {PAIR}", ""),
    ("It took 40 minutes on 14 tasks", ""),
    ("The tasks are worth reading", ""),
    # wrong: a digit, a count, a slip, a form, nobody who vouches
    (f"It passes 71.5% (10/14) {A}", "Q003 71.5%"),
    (f"It passes 71,3 % (10/14) {A}", "Q003 71,3 %"),
    (f"It passes 71.4% (10/15) {A}", "Q003 10/15"),
    (f"It passes 71.4% (14/10) {A}", "Q003 14/10"),
    (f"It passes 71.4% (ten of twenty-one) {A}", "Q003 ten of twenty-one"),
    (f"It passes 71.4% (20/28) {A}", "Q003 20/28"),
    (f"It passes 57.1% (10/14) {A}", "Q003 57.1%"),
    (f"pass@1 0.741 (10/14) {A}", "Q003 0.741"),
    (f"pass@1 7.14 (10/14) {A}", "Q003 7.14"),
    (f"It passes 71.4% (10/14, 95% CI 45-89) {A}", "Q003 89"),
    (f"It passes 70-75 % (10/14) {A}", "Q003 70-75 %"),
    (f"It passes seventy-five percent (10/14) {A}", "Q003 seventy-five percent"),
    (f"It passes three quarters (10/14) {A}", "Q003 three quarters"),
    (f"It passes 71.4% {A}", "Q006 71.4%"),
    ("It passes 21.4% (3/14) [slip:dead0000]", "Q005 slip:dead0000"),
    ("It passes one in five", "Q001 one in five"),
    ("It solves 50% of them", "Q001 50%"),
    ("It beats the old one in pass rate", "Q008 beats"),
    (f"It gains +14.2 pp of pass rate {PAIR}", "Q008 +14.2 pp"),
    ("It passes 71.4% [slip:00000000]", "Q002 slip:00000000"),
)
PLACES = {
    "README.md": lambda number: f":{2 * number - 1}:",
    "paper.docx": lambda number: f" paragraph {number} ",
    "deck.pptx": lambda number: f'"Box {number}" ',
    "paper.pdf": lambda number: f" page {number} ",
}
MAKERS = {
    "README.md": lambda texts: "\n".join(f"{text}\n" for text in texts),
    "paper.docx": lambda texts: docx("".join(w_p(*text) for text in texts)),
    "deck.pptx": lambda texts: pptx([shape(f"Box {number}", a_p(*text)) for number, text in enumerate(texts, 1)]),
    "paper.pdf": lambda texts: pdf([[text[:30], text[30:]] for text in texts]),
}
"""One paragraph a quote; office files have every character in a run of its own, a PDF breaks the line in the middle."""


@pytest.mark.parametrize("name", MAKERS)
def test_every_quote_is_judged_right(name):
    if name.endswith(".pdf"):
        pytest.importorskip("pypdf", reason="the extra `pdf` is not installed")
    texts = [text if name != "paper.pdf" else _broken(text) for text, _ in FORTY]
    found = checked(MAKERS[name](texts), name, SLIPS).noted
    assert len(FORTY) == 40 and sum(bool(wrong) for _, wrong in FORTY) == 20
    for number, (text, wrong) in enumerate(FORTY, 1):
        mine = [
            f"{one.code} {' '.join(one.said.subject.split())}"
            for one in found
            if PLACES[name](number) in f"{one.line} "
        ]
        assert mine == ([wrong] if wrong else []), text
    assert len(found) == 20


def _broken(text):
    """A text whose 30th character is a space: lines of a PDF end between words."""
    at = text.rfind(" ", 0, 31)
    return text[:at].ljust(30) + text[at + 1 :]
