"""Mutations of digits and denominators never pass; any bytes give spans or an InputError."""

from __future__ import annotations

import zipfile
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.quote import SlipTable
from denominator.quote.values import printed, rounds_to
from denominator.readers.documents import FORMS, read_document
from quote_data import a_p, chart, chart_frame, checked, docx, packed, pdf, pptx, shape, standing, w_p

TEMPLATES = (
    "It passes {rate}% ({k}/{n}) [slip:ab12cd34].", "Pass rate {rate} % ({k} of {n}) slip:ab12cd34",
    "| pass rate | n | slip |\n|---|---|---|\n| {rate}% | {k}/{n} | slip:ab12cd34 |",
    "Score {share} ({k} out of {n}) [slip:ab12cd34].", "**{rate}**% pass ({k} / {n})[^a]\n\n[^a]: slip:ab12cd34",
    "<p>pass <b>{rate}</b>% (<i>{k}</i>/{n}) slip:ab12cd34</p>",
)  # fmt: skip
MAKERS = (
    ("README.md", lambda text: text),
    ("a.docx", lambda text: docx(w_p(*text))),
    ("a.pptx", lambda text: pptx([shape("Box", a_p(*text))])),
    ("a.html", lambda text: f"<p>{text}</p>"),
    ("a.rst", lambda text: text),
)


def slips_of(k, n):
    return SlipTable([standing(k=k, n=n)])


def decimal(value, digits):
    units = round(value * 10**digits)
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}" if digits else str(units)


def blocked(text, k, n, name="README.md", make=lambda text: text):
    return [one for one in checked(make(text), name, slips_of(k, n)).noted if one.said.severity == "block"]


@st.composite
def rates(draw):
    n = draw(st.integers(1, 5000))
    return draw(st.integers(0, n)), n, draw(st.integers(0, 3))


@settings(max_examples=200)
@given(rates(), st.sampled_from(TEMPLATES), st.data())
def test_a_right_quote_passes_and_no_mutation_of_a_digit_does(rate, template, data):
    k, n, digits = rate
    values = {
        "rate": decimal(Fraction(100 * k, n), digits),
        "share": decimal(Fraction(k, n), digits + 2),
        "k": str(k),
        "n": str(n),
    }
    name = "a.html" if template.startswith("<") else "README.md"
    assert blocked(template.format(**values), k, n, name) == []
    used = [one for one in values if f"{{{one}}}" in template]
    which = data.draw(st.sampled_from(used))
    digits_at = [at for at, char in enumerate(values[which]) if char.isdigit()]
    at = data.draw(st.sampled_from(digits_at))
    other = data.draw(st.sampled_from([one for one in "0123456789" if one != values[which][at]]))
    mutated = values[which][:at] + other + values[which][at + 1 :]
    if which in ("k", "n") and int(mutated) == int(values[which]):
        return
    if which in ("rate", "share") and rounds_to(Fraction(k, n) * (100 if which == "rate" else 1), printed(mutated)):
        return  # a tie: half-even and half-up are both right
    found = blocked(template.format(**values | {which: mutated}), k, n, name)
    assert any(one.code == "Q003" for one in found), template.format(**values | {which: mutated})


@settings(max_examples=60)
@given(st.integers(1, 400), st.data(), st.sampled_from(MAKERS))
def test_a_changed_denominator_never_passes_in_any_format(n, data, maker):
    k = data.draw(st.integers(0, n))
    m = data.draw(st.integers(1, 500).filter(lambda one: one != n))
    name, make = maker
    text = "It passes {} ({}/{}) [slip:ab12cd34]."
    assert blocked(text.format(f"{decimal(Fraction(100 * k, n), 1)}%", k, n), k, n, name, make) == []
    found = blocked(text.format(f"{decimal(Fraction(100 * k, n), 1)}%", k, m), k, n, name, make)
    assert [one.code for one in found] == ["Q003"]


@settings(max_examples=80)
@given(st.integers(1, 400), st.data(), st.booleans())
def test_a_changed_digit_of_a_chart_never_passes(n, data, percent):
    k = data.draw(st.integers(1, n))
    value = f"{k / n * (100 if percent else 1):.16f}"

    def deck(text):
        parts = {"c": chart(f"Pass rate, {k}/{n} [slip:ab12cd34]", {"a": text})}
        return pptx([chart_frame("C", "rId-c")], charts=parts)

    assert blocked("", k, n, "a.pptx", lambda _: deck(value)) == []
    at = data.draw(st.sampled_from([at for at, char in enumerate(value[: value.index(".") + 12]) if char != "."]))
    other = data.draw(st.sampled_from([one for one in "0123456789" if one != value[at]]))
    found = blocked("", k, n, "a.pptx", lambda _: deck(value[:at] + other + value[at + 1 :]))
    assert [one.code for one in found] == ["Q003"]


@settings(max_examples=150)
@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 6))
def test_rounding_admits_the_two_roundings_of_a_tie_and_nothing_else(k, n, digits):
    exact = Fraction(k, n)
    unit = Fraction(1, 10**digits)
    near = {_at(exact, digits, at) for at in range(-1, 3)}
    right = [text for text in near if rounds_to(exact, printed(text))]
    assert 1 <= len(right) <= 2
    tie = (exact / unit).denominator == 2
    assert (len(right) == 2) == (tie and int(exact / unit) % 2 == 0)  # 873.5 is 874 in both ways


def _at(exact, digits, step):
    units = max(0, int(exact * 10**digits) + step)
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}" if digits else str(units)


ENDINGS = sorted(set(FORMS))


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)), st.sampled_from(ENDINGS))
def test_any_bytes_give_spans_or_an_input_error(data, ending):
    if ending == ".pdf":
        data = b"%PDF-1.4\n" + data
    _read(data, f"a{ending}")


PIECES = (
    "[", "](", ")", "![", "|", "\n", "```", "<!--", "-->", "<b", ">", "71.4%", "10/14", "slip:ab12cd34", "&#37;", "\\", "*", "_", "- ",
    "#", "| - |", "\n---\n", "[^a]", "[^a]: ", "]: ", '"', "<table><tr><td>", "</td>", "<caption>", ".. image:: ", "::\n", "+--+", "== ==",
    "pass ", " pp", "+", "cmp:ab12cd34..ef56ef56", "quote-ignore Q001: why", "\x1e", "\ud7ff", "CI 4–8", "\r", "audience: deck",
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.sampled_from([".md", ".html", ".rst"]))
def test_any_markup_is_judged_and_every_place_is_in_the_file(text, ending):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for one in checked(text, f"a{ending}").noted:
        assert 0 <= one.said.line <= max(len(lines), text.count("\r") + len(lines)), one.line
        assert one.said.column >= 0 and one.line and one.finding.where


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 255)), min_size=1, max_size=8),
    st.sampled_from(["docx", "pptx"]),
)
def test_a_damaged_office_file_gives_spans_or_an_input_error(flips, form):
    good = docx(w_p("passes 71.4% slip:ab12cd34")) if form == "docx" else pptx([shape("B", a_p("passes 71.4%"))])
    data = bytearray(good)
    for at, value in flips:
        data[at % len(data)] = value
    _read(bytes(data), f"a.{form}")


def _read(data, name):
    try:
        document = read_document(data, name)
    except InputError as error:
        assert error.what and name in str(error)
        return
    assert all(isinstance(span.text, str) for span in document.spans)


def test_the_makers_of_these_tests_are_read_by_zipfile_too():
    assert zipfile.is_zipfile(__import__("io").BytesIO(packed({"a": "b"})))
    with pytest.raises(InputError):
        read_document(b"", "a.exe")


@settings(max_examples=120)
@given(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_damaged_pdf_gives_spans_or_an_input_error(flips):
    pytest.importorskip("pypdf", reason="the extra `pdf` is not installed")
    data = bytearray(pdf([["It passes 71.4% (10/14) [slip:ab12cd34]."], ["Two."]]))
    for at, value in flips:
        data[at % len(data)] = value
    _read(bytes(data), "a.pdf")
