"""In every kind of document a right quote passes, and no mutation of its digits, counts, signs or tag does."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator.quote import SlipTable
from denominator.quote.values import printed, rounds_to
from quote_data import a_p, a_table, chart, chart_frame, checked, docx, pdf, pptx, shape, standing, w_p, w_table

TAG, OTHER = "[slip:ab12cd34]", "[slip:ef56ef56]"


def notebook(text):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [text]}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def grid(rows):
    """Rows as a simple table of reStructuredText."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule, ""])


def markup(rows):
    return (
        "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"
    )


def pipes(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]) + "\n"


SENTENCES = {
    "a.md": lambda text: f"{text}\n",
    "a.html": lambda text: f"<p>{text.replace('%', '<b>%</b>')}</p>",
    "a.rst": lambda text: f"{text}\n",
    "a.ipynb": notebook,
    "a.docx": lambda text: docx(w_p(*text)),
    "a.pptx": lambda text: pptx([shape("Box", a_p(*text))]),
    "a.pdf": lambda text: pdf([[text[: len(text) // 2], text[len(text) // 2 :]]] if len(text) > 400 else [[text]]),
}
TABLES = {
    "a.md": pipes,
    "a.html": markup,
    "a.rst": grid,
    "a.ipynb": lambda rows: notebook(pipes(rows)),
    "a.docx": lambda rows: docx(w_table(rows)),
    "a.pptx": lambda rows: pptx([a_table("T", rows)]),
}
RATES = ("{p}%", "{p} %", "{c} %", "{u}%", "{a}٪", "{p} percent", "score {s}", "pass@1 {s}", "pass rate {p}")
COUNTS = (
    "{k}/{n}",
    "{k} / {n}",
    "{k} of {n}",
    "{k} out of {n}",
    "{gk} of {gn}",
    "{uk}/{un}",
    "{k} tasks of {n}",
    "{k}⁄{n}",
)
LATIN = ("{p}%", "{p} %", "{c} %", "{p} percent", "score {s}"), ("{k}/{n}", "{k} of {n}", "{gk} of {gn}")
WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")
ARABIC = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")


def decimal(value, digits):
    units = round(value * 10**digits)
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}" if digits else str(units)


def written(rate, counts, p, s, k, n):
    """Rate and counts in one of their forms."""
    shown = {"p": p, "c": p.replace(".", ","), "u": p.translate(WIDE), "a": p.translate(ARABIC), "s": s, "k": k, "n": n}
    shown |= {"gk": f"{int(k):,}", "gn": f"{int(n):,}", "uk": k.translate(WIDE), "un": n.translate(WIDE)}
    return rate.format(**shown), counts.format(**shown)


@st.composite
def quotes(draw, latin=False):
    """A slip's k and n, another's k, the forms of a quote, its right texts, and one mutation of them."""
    n = draw(st.integers(2, 20_000))
    k, other, digits = draw(st.integers(0, n)), draw(st.integers(0, n)), draw(st.integers(1, 3))
    forms = LATIN if latin else (RATES, COUNTS)
    form = draw(st.sampled_from(forms[0])), draw(st.sampled_from(forms[1]))
    right = {
        "p": decimal(Fraction(100 * k, n), digits),
        "s": decimal(Fraction(k, n), digits + 2),
        "k": str(k),
        "n": str(n),
    }
    kind = draw(st.sampled_from(("digit", "digit", "n", "swapped", "another rate", "another tag")))
    wrong, tag = dict(right), TAG
    if kind == "digit":
        name = draw(st.sampled_from([one for one in right if f"{{{one}}}" in "".join(form)] or ["k"]))
        at = draw(st.sampled_from([at for at, char in enumerate(right[name]) if char.isdigit()]))
        digit = draw(st.sampled_from([one for one in "0123456789" if one != right[name][at]]))
        wrong[name] = right[name][:at] + digit + right[name][at + 1 :]
    elif kind == "n":
        wrong["n"] = str(draw(st.integers(1, 30_000)))
    elif kind == "swapped":
        wrong["k"], wrong["n"] = right["n"], right["k"]
    elif kind == "another rate":
        wrong |= {"p": decimal(Fraction(100 * other, n), digits), "s": decimal(Fraction(other, n), digits + 2)}
    else:
        tag = OTHER
        assume(other != k)
    assume(tag == OTHER or _differs(wrong, right, form, Fraction(k, n)))
    return n, k, other, written(*form, **right), written(*form, **wrong), tag


def _differs(wrong, right, form, share):
    """Does the mutated quote say another thing? A tie may be rounded both ways, and 07 is 7."""
    text = "".join(form)
    if "score" in text or "@" in text:
        rate = not rounds_to(share, printed(wrong["s"]))
    else:
        unsigned = form[0] == "pass rate {p}" and rounds_to(share, printed(wrong["p"]))  # it may be read as a share
        rate = not rounds_to(share * 100, printed(wrong["p"])) and not unsigned
    return rate or any(int(wrong[one]) != int(right[one]) for one in ("k", "n"))


def stops(data, name, n, k, other):
    slips = SlipTable([standing(k=k, n=n), standing("ef56ef56", k=other, n=n)])
    return [one.line for one in checked(data, name, slips).noted if one.said.severity == "block"]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence(name):
    make = SENTENCES[name]
    if name == "a.pdf":
        pytest.importorskip("pypdf", reason="the extra `pdf` is not installed")

    @settings(max_examples=25, deadline=None)
    @given(quotes(latin=name == "a.pdf"))
    def prop(made):
        n, k, other, (rate, counts), (wrong_rate, wrong_counts), tag = made
        text = "It passes {} ({}) {}."
        assert stops(make(text.format(rate, counts, TAG)), name, n, k, other) == []
        assert stops(make(text.format(wrong_rate, wrong_counts, tag)), name, n, k, other)

    prop()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_with_the_tag_in_the_head_of_the_column(name):
    make = TABLES[name]

    @settings(max_examples=20, deadline=None)
    @given(quotes())
    def prop(made):
        n, k, other, (rate, counts), (wrong_rate, wrong_counts), tag = made

        def rows(one, two, cited):
            return [["arm", f"pass rate {cited}", "n"], ["a", one, two]]

        assert stops(make(rows(rate, counts, TAG)), name, n, k, other) == []
        assert stops(make(rows(wrong_rate, wrong_counts, tag)), name, n, k, other)

    prop()


@pytest.mark.parametrize("name", ["a.docx", "a.pptx"])
def test_two_series_of_a_chart_with_a_tag_each(name):
    @settings(max_examples=20, deadline=None)
    @given(st.integers(2, 500), st.data())
    def prop(n, data):
        k, other = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
        assume(k != other)
        values = {TAG: f"{k / n:.16f}", OTHER: f"{other / n:.16f}"}
        assert stops(make(values), name, n, k, other) == []
        assert stops(make({TAG: values[OTHER], OTHER: values[TAG]}), name, n, k, other)
        at = data.draw(st.sampled_from([0, *range(2, 13)]))
        digit = data.draw(st.sampled_from([one for one in "0123456789" if one != values[TAG][at]]))
        assert stops(make(values | {TAG: values[TAG][:at] + digit + values[TAG][at + 1 :]}), name, n, k, other)

    def make(values):
        parts = [chart("Both arms", {"a": value}, series=f"pass rate {tag}") for tag, value in values.items()]
        head, tail = parts[0].split("</c:ser>")
        both = f"{head}</c:ser>{parts[1].split('<c:barChart>')[1].split('</c:ser>')[0]}</c:ser>{tail}"
        if name == "a.pptx":
            return pptx([chart_frame("C", "rId-c")], charts={"c": both})
        frame = '<w:p><w:r><w:drawing><c:chart r:id="rId-c"/></w:drawing></w:r></w:p>'
        return _with_chart(frame, both)

    prop()


def _with_chart(frame, both):
    import io
    import zipfile

    file = io.BytesIO(docx(frame, {"rId-c": "charts/c.xml"}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("word/charts/c.xml", both)
    return file.getvalue()
