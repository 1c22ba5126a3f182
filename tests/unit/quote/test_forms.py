"""Every written form of a rate is seen, judged exactly, and placed; what is no rate is let alone."""

from __future__ import annotations

import pytest

from denominator.quote import SlipTable
from quote_data import checked, codes, standing

TAG = "[slip:ab12cd34]"

RIGHT = [
    "passes 71.4% (10/14)", "passes 71,4 % (10/14)", "passes ７１.４％ (10/14)", "passes 71.4 percent (10/14)",
    "passes 71.4\u00a0% (10 of 14)", "passes 71.4\u202f% (10 out of 14)", "passes 71% (ten of fourteen)",
    "pass@1 0.714 (10/14)", "score .714 (10/14)", "accuracy of 0,714 (10/14)", "pass rate: 71.43 (10/14)",
    "passes 71.4 \\% (10 / 14)", "passes **71.4**% (**10**/14)", "passes 71.4&#37; (10&#47;14)", "passes 71.4 pct (10-of-14)",
    "passes 71.4% (10/14, 95% CI 45–88)", "passes 71.4% (10/14; 95 % confidence interval 45.4% to 88.3%)",
    "passes 71.4% (10/14, CI [0.454, 0.883])", "passes 71.4\u200b% (10/14)", "passes 71.428571% (10⁄14)",
    "passes ٧١٫٤٪ (10/14)", "passes 71.4% (10/14), tokens 81000/100000,", "passes seventy-one percent (10/14)",
    "passes Seventy one point four per cent (10/14)", "passes 5 in 7 (10/14)", "passes five in every seven (10 tasks of 14)",
    "passes 71.4 out of 100 (passed 10 of its 14)", "passes 45–88 % (10/14)", "passes between 45% and 88% (10/14)",
    "passes 45.4%–88.3% (10/14)", "passes ¹⁰⁄₁₄, 71.4 percent", "passes 10 of 14 – 71.4%",
]  # fmt: skip
WRONG = [
    ("passes 62% (10/14)", "62%"), ("passes 71.5% (10/14)", "71.5%"), ("passes 71,3 % (10/14)", "71,3 %"),
    ("passes ７１.５％ (10/14)", "71.5%"), ("passes 71.4% (10/15)", "10/15"), ("passes 71.4% (5/7)", "5/7"),
    ("passes 71.4% (nine of fourteen)", "nine of fourteen"), ("pass@1 0.715 (10/14)", "0.715"), ("score .724 (10/14)", ".724"),
    ("pass rate: 72 (10/14)", "72"), ("passes **72.4**% (10/14)", "72.4%"), ("passes 71.4% (10/14, 95% CI 46–88)", "46"),
    ("pass@1 9.714 (10/14)", "9.714"), ("solved 9.714 of them (10/14)", "9.714"), ("passes 70–71.4% (10/14)", "70–71.4%"),
    ("passes 171.4% (10/14)", "171.4%"), ("passes 71.4% (10,000/14)", "10,000/14"), ("passes 71.4% (10/14), 95% of them", "95%"),
    ("passes 71.4% (10/14.5)", "10/14.5"), ("passes 71.4% (10/1400000000000000)", "10/1400000000000000"),
    ("score 0.7140000000000000000001 (10/14)", "0.7140000000000000000001"), ("score 123450.714 (10/14)", "123450.714"),
    ("passes " + "9" * 5000 + "% (10/14)", "9" * 5000 + "%"), ("passes 71.4%,10/15,", "10/15"), ("passes three quarters (10/14)", "three quarters"),
    ("passes 70-75 % (10/14)", "70-75 %"), ("passes 46–88 % (10/14)", "46–88 %"), ("passes half of them (10/14)", "half"),
    ("passes 71.4% (ten of twenty-one)", "ten of twenty-one"), ("passes one in five (10/14)", "one in five"), ("passes ¾ (10/14)", "¾"),
    ("reached 0.741 (10/14)", "0.741"), ("passes none of the 14 (10/14)", "none of the 14"), ("passes a third of them (10/14)", "a third"), ("passes two-thirds (10/14)", "two-thirds"), ("passes 70.4 out of 100 (10/14)", "70.4 out of 100"),
    ("passes seventy point four percent (10/14)", "seventy point four percent"), ("passes nine in ten (10/14)", "nine in ten"),
]  # fmt: skip


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_number_is_right_in_every_written_form(text):
    got = checked(f"It {text} {TAG}.")
    assert [one.line for one in got.noted] == []
    assert got.seen["under a tag"] >= 2 or "score" in text or "rate" in text


@pytest.mark.parametrize(("text", "subject"), WRONG)
def test_a_wrong_number_is_wrong_in_every_written_form(text, subject):
    assert ("Q003", subject) in codes(f"It {text} {TAG}.")


@pytest.mark.parametrize("text", RIGHT)
def test_without_a_tag_the_same_numbers_are_missed(text):
    found = codes(f"It {text}.")
    assert found and {code for code, _ in found} == {"Q001"}


@pytest.mark.parametrize(
    "text",
    [
        "CPU at 40% for 3 hours.", "Released on 2026/10/14.", "Open 24/7.", "See https://example.org/90%25/pass/10/14 for it.",
        "Temperature 0.7 and top_p 0.95 score.", "Version 1.25 is out.", "Half of 10 tasks.", "`docs/1/2` is a folder.",
        "It passes after three quarters of an hour.", "The third arm passes.", "It is solved in 10 minutes, 3 in 10 seconds.",
        "A half-even rounding passes.", "Twice in 2026 it passed.",
    ],
)  # fmt: skip
def test_what_is_no_rate_is_let_alone(text):
    assert codes(text) == []


def test_strict_takes_every_percentage_for_a_result():
    assert codes("CPU at 40% for 3 hours.") == [] and codes("CPU at 40%.", strict=True) == [("Q001", "40%")]


def test_a_half_is_rounded_up_or_to_even_and_no_further():
    from quote_data import SlipTable, standing

    slips = SlipTable([standing(k=1, n=16)])  # 6.25 %
    for text, right in (
        ("6.2%", True),
        ("6.3%", True),
        ("6.25%", True),
        ("6.1%", False),
        ("6.4%", False),
        ("6%", True),
    ):
        assert (codes(f"It passes {text} (1/16) {TAG}.", slips=slips) == []) is right, text
    slips = SlipTable([standing(k=3, n=16)])  # 18.75 %: both ways give 18.8
    for text, right in (("18.8%", True), ("18.7%", False), ("19%", True), ("18%", False)):
        assert (codes(f"It passes {text} (3/16) {TAG}.", slips=slips) == []) is right, text


def test_places_are_those_of_the_file():
    text = "# T\n\nIt is\nso that **62**% pass (10/14)\n[slip:ab12cd34].\n"
    (one,) = checked(text).noted
    assert one.line == "README.md:4:11 Q003 62% - slip ab12cd34 says 10/14 = 71.4% (headline)"
    assert one.finding.where == "README.md:4"


def test_a_tag_reaches_its_sentence_and_no_further():
    assert codes(f"It passes 71.4% (10/14) {TAG}. The other one passes 60%.") == [("Q001", "60%")]
    assert codes(f"It passes 71.4% (10/14). {TAG} The other one passes 60%.") == [("Q001", "60%")]
    assert codes("It passes 71.4% (10/14), e.g. here, vs. 70% there slip:ab12cd34.") == [("Q003", "70%")]


def test_of_several_tags_each_number_has_its_own():
    a, b = "71.4% (10/14) [slip:ab12cd34]", "57.1% (8/14) [slip:ef56ef56]"
    assert codes(f"It passes {a} and {b}.") == []
    swapped = f"It passes 57.1% (8/14) [slip:ab12cd34] and 71.4% (10/14) {b[-15:]}."
    assert [code for code, _ in codes(swapped)] == ["Q003"] * 4
    assert codes("Pass: [slip:ab12cd34] 71.4% (10/14), [slip:ef56ef56] 57.1% (8/14).") == []


def test_a_tag_in_the_head_of_a_column_covers_the_column_and_its_counts():
    table = "| arm | pass rate {} | n | other pass rate {} |\n|---|---|---|---|\n| a | {} | {} | {} |\n"
    a, b = TAG, "[slip:ef56ef56]"
    assert codes(table.format(a, b, "71.4%", "10/14", "57.1% (8/14)")) == []
    assert codes(table.format(a, b, "57.1%", "10/14", "71.4% (10/14)")) == [
        ("Q003", "57.1%"),
        ("Q003", "71.4%"),
        ("Q003", "10/14"),
    ]
    assert codes(table.format(a, b, "71.4%", "10/15", "57.1% (8/14)")) == [("Q003", "10/15")]
    assert codes(table.format(a, "", "71.4%", "10/14", "57.1%")) == [("Q010", "57.1%")]
    row = table.format(a, "", f"71.4% {b}", "", "") + f"| {b} | 71.4% | 10/14 | |\n"
    assert codes(row)[:2] == [("Q003", "71.4%"), ("Q006", "71.4%")] and ("Q010", "71.4%") in codes(row), (
        "row and head disagree"
    )
    bare = "| a | 71.4% (10/14) [slip:ab12cd34] |\n|---|---|\n| b pass rate | 71.4% (10/14) |\n"
    assert codes(bare) == [("Q010", "71.4%"), ("Q010", "10/14")], "a row on top that has a rate names no column"


def test_a_head_over_two_columns_and_cells_that_reach_down():
    table = (
        "<table><tr><th>arm<th colspan=2>pass rate [slip:ab12cd34]<th>other [slip:ef56ef56]"
        "<tr><td rowspan=2>a<td>71.4% (10/14)<td>71% (10/14)<td>57.1% (8/14)<tr><td>71.4% (10/14)<td>{}<td>57.1% (8/14)</table>"
    )
    assert codes(table.format("71% (10/14)"), "a.html") == []
    assert codes(table.format("57.1% (10/14)"), "a.html") == [("Q003", "57.1%")]


def test_a_metric_is_named_behind_the_tag():
    assert codes("It solves 75% (9/12) [slip:ab12cd34#resolved_rate].") == []
    assert codes("It solves 71.4% (10/14) [slip:ab12cd34#resolved_rate].") == [("Q003", "71.4%"), ("Q003", "10/14")]
    assert codes("It solves 75% (9/12) [slip:ab12cd34#other].") == [("Q002", "slip:ab12cd34#other")]


@pytest.mark.parametrize(
    "piece", ["1", "1,", "1/", "1 of ", "CI ", "CI 1", "% ", ". ", "slip:", "+1", "1-", "0.", "score ", "|", "( ", "¹"]
)
def test_long_repetitions_take_no_more_than_their_length(piece):
    checked(piece * 20_000)
    checked(f"| rate |\n|---|\n| {piece * 20_000} |\n")


QUARTERS = SlipTable([standing("be00be00", k=9, n=12), standing("ab12cd34")])


@pytest.mark.parametrize(
    "text",
    [
        "It passes more than 75% (9/12)", "It passes >75% (9/12)", "It passes over three quarters (9/12)", "Nearly 75% (9/12) pass",
        "It passes more than 9/12", "Its score is above 0.75 (9/12)", "75% (9/12) of the tasks fail", "It fails 75% (9/12)",
        "It does not solve 9/12 of the tasks", "Its failure rate is 75% (9/12)", "75% (9/12) of tasks don't pass", "9 of 12 tasks failed",
        "75% (9/12) were not solved",
    ],
)  # fmt: skip
def test_a_word_that_turns_a_number_makes_it_wrong(text):
    assert "Q003" in {code for code, _ in codes(f"{text} [slip:be00be00].", slips=QUARTERS)}


@pytest.mark.parametrize(
    "text",
    [
        "It passes at least 75% (9/12)", "75% (9/12) pass and the rest fail", "It passes 75% (9/12); three fail", "9/12 pass (3 fail)",
        "The rate over 12 tasks is 75% (9/12)", "It passes about 75% (9/12)", "It passes 75% (9/12), fails the rest",
    ],
)  # fmt: skip
def test_a_word_that_leaves_a_number_as_it_is_is_let_alone(text):
    assert codes(f"{text} [slip:be00be00].", slips=QUARTERS) == []


def test_more_than_a_number_that_was_rounded_down_is_right():
    assert codes(f"It passes more than 71.4% (10/14) {TAG}.") == []
    assert codes(f"It passes more than 71.43% (10/14) {TAG}.") == [("Q003", "71.43%")]


COUNTED = (
    "{k} passed, 3 failed of {n}",
    "{k} tasks passed",
    "Of {n} tasks, {k} passed",
    "of all {n}, {k} were solved",
    "passed: {k}",
)


@pytest.mark.parametrize("form", COUNTED)
def test_a_count_away_from_its_n_is_held_against_the_slip_and_without_one_let_alone(form):
    right = form.format(k=9, n=12)
    assert codes(f"{right} [slip:be00be00].", slips=QUARTERS) == codes(f"{right}.", slips=QUARTERS) == []
    for k, n in ((8, 12), (90, 12), *([(9, 13), (9, 1)] if "{n}" in form else [])):
        assert [code for code, _ in codes(f"{form.format(k=k, n=n)} [slip:be00be00].", slips=QUARTERS)] == ["Q003"]


def test_a_count_alone_gives_a_percentage_no_denominator():
    assert codes("It passes 75%: 9 tasks passed [slip:be00be00].", slips=QUARTERS) == [("Q006", "75%")]


def test_a_fraction_of_nothing_is_no_count_alone():
    for text in ("9/0", "9 of 0", "9 of none", "⁹⁄₀"):
        found = codes(f"It passes {text} [slip:be00be00].", slips=QUARTERS)
        assert [code for code, _ in found] == ["Q003"], text


def test_a_column_of_counts_is_asked_for_its_n_and_not_called_another_number():
    table = "| agent | solved |\n|---|---|\n| a [slip:be00be00] | {} |\n"
    assert codes(table.format("9/12"), slips=QUARTERS) == []
    assert codes(table.format(9), slips=QUARTERS) == [("Q006", "9")]
    assert ("Q003", "8") in codes(table.format(8), slips=QUARTERS)


@pytest.mark.parametrize(
    "unseen",
    [
        "<span hidden>{}</span>", "<span style='DISPLAY : none'>{}</span>", "<b style='font-size:0'><i>{}</i></b>",
        "<div hidden><div>x</div>{}</div>", "<span hidden><b>slip</b>:be00be00</span>", "<span hidden>slip&#58;be00be00</span>",
        "<span hidden><a href='slips/be00be00.md'>x</a></span>",
    ],
)  # fmt: skip
def test_a_tag_that_no_reader_of_a_page_sees_cites_nothing(unseen):
    page = f"<p>It passes 75% (9/12) {unseen.format('[slip:be00be00]')}</p>"
    assert ("Q001", "75%") in codes(page, "a.html", slips=QUARTERS)
    assert ("Q001", "57%") in codes(f"<p>{unseen.format('passes 57%')} passes 57%</p>", "a.html", slips=QUARTERS)
    after = f"<div>{unseen.format('x')}</div><p style='opacity:0.8'>It passes 75% (9/12) [slip:be00be00]</p>"
    assert codes(after, "a.html", slips=QUARTERS) == [], "what is hidden ends where it ends"


def test_a_fraction_of_a_formula_is_one():
    for text, found in ((r"$\frac{9}{12}$", []), (r"$\dfrac{8}{12}$", ["Q003"]), (r"$\frac{9}{0}$", ["Q003"])):
        assert [code for code, _ in codes(f"It passes {text} [slip:be00be00].", slips=QUARTERS)] == found
