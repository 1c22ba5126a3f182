"""Hostile office files are refused in words; what is in them is read as people see it."""

from __future__ import annotations

import io
import zipfile

import pytest

from denominator.errors import InputError
from denominator.readers.documents import read_document
from denominator.records.documents import SpanKind
from quote_data import W, a_p, chart, chart_frame, docx, packed, pptx, shape, w_p

DOCUMENT = f"<w:document {W}><w:body>{{}}</w:body></w:document>"
ENTITY = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + DOCUMENT.format(
    "<w:p><w:r><w:t>&a;</w:t></w:r></w:p>"
)
LAUGHS = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + DOCUMENT.format(
    "<w:p>&b;</w:p>"
)


def refused(data, name="a.docx"):
    with pytest.raises(InputError) as caught:
        read_document(data, name)
    assert name.rpartition("/")[2] in str(caught.value)
    return str(caught.value)


def word(text, more=()):
    return packed({"word/document.xml": text}, list(more))


@pytest.mark.parametrize("text", [ENTITY, LAUGHS, '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">' + DOCUMENT.format("")])
def test_a_document_type_is_refused_whatever_it_declares(text):
    assert "document type" in refused(word(text))
    assert "document type" in refused(
        docx("", footnotes="").replace(b"x", b"x")
        and packed({"word/document.xml": DOCUMENT.format(""), "word/footnotes.xml": text})
    )


def test_a_bomb_is_refused_before_it_fills_the_memory():
    assert "packed" in refused(word(" " * (40 << 20))) or "bytes" in refused(word(" " * (40 << 20)))


def test_parts_that_are_large_together_are_refused(monkeypatch):
    monkeypatch.setattr("denominator.readers.documents.parts.WHOLE_BYTES", 5000)
    parts = {"word/document.xml": DOCUMENT.format("")}
    assert read_document(packed(parts), "a.docx")
    parts |= {f"word/header{number}.xml": DOCUMENT.format(" " * 1000) for number in range(1, 9)}
    assert "bytes" in refused(packed(parts))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\x", "word/../../x"])
def test_a_name_that_leads_out_is_refused(name):
    refused(word(DOCUMENT.format(w_p("71.4% pass")), [(name, b"x")]))


def test_two_parts_of_one_name_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, pytest.warns(UserWarning):
        archive.writestr("word/document.xml", DOCUMENT.format(w_p("shown")))
        archive.writestr("word/document.xml", DOCUMENT.format(w_p("hidden")))
    assert "two parts of one name" in refused(file.getvalue())


def test_deep_nesting_and_broken_xml_are_refused():
    assert "deeply" in refused(word(DOCUMENT.format("<w:p>" * 500 + "</w:p>" * 500)))
    assert "XML" in refused(word(DOCUMENT.format("<w:p>")))
    assert "XML" in refused(word("\0\1\2")) and "no Word" in refused(packed({"a": "b"}))
    assert "zip" in refused(b"PK\x03\x04 nothing") and "presentation" in refused(packed({"a": "b"}), "a.pptx")
    assert refused(word(DOCUMENT.format("").encode("utf-16").decode("latin-1")))


def test_a_relation_that_leads_out_of_the_file_is_not_followed():
    text = pptx([chart_frame("C", "rId-c")], charts={"c": chart("Pass", {"a": "0.5"})})
    parts = {
        name: zipfile.ZipFile(io.BytesIO(text)).read(name).decode()
        for name in zipfile.ZipFile(io.BytesIO(text)).namelist()
    }
    parts["ppt/slides/_rels/slide1.xml.rels"] = parts["ppt/slides/_rels/slide1.xml.rels"].replace(
        "../charts/c.xml", "../../../../etc/passwd"
    )
    document = read_document(packed(parts), "a.pptx")
    assert [one.what for one in document.unread] == ["page"]


def texts(document, *kinds):
    return [one.text for one in document.spans if not kinds or one.kind in kinds]


def test_word_is_read_as_people_see_it():
    body = (
        w_p("7", "1.4", "%") + "<w:p><w:r><w:delText>50%</w:delText></w:r><w:r><w:t>kept</w:t></w:r></w:p>"
        + '<w:p><w:hyperlink r:id="r1"><w:r><w:t>71.4%</w:t></w:r></w:hyperlink></w:p>'
        + '<w:p><w:r><w:t>62%</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
        + '<w:p><w:r><w:instrText>PAGE 99%</w:instrText></w:r></w:p>'
        + '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="x" descr="a plot of 3%"/></w:drawing></w:r></w:p>'
    )  # fmt: skip
    note = '<w:footnote w:id="2"><w:p><w:r><w:t>see slip:ab12cd34</w:t></w:r></w:p></w:footnote>'
    document = read_document(docx(body, {"r1": "slips/ab12cd34.md"}, footnotes=note, header1=w_p("head 4%")), "a.docx")
    assert texts(document, SpanKind.PROSE) == [
        "71.4%", "kept", "71.4% slip:ab12cd34", "62% slip:ab12cd34 ", "see slip:ab12cd34", "head 4%",
    ]  # fmt: skip
    assert texts(document, SpanKind.ALT) == ["a plot of 3%"] and document.skipped["deleted runs"] == 1
    strict = docx(body, {"r1": "x"}).replace(
        b"schemas.openxmlformats.org/wordprocessingml/2006/main", b"purl.oclc.org/ooxml/wordprocessingml/main"
    )
    assert strict


def test_slides_come_in_the_order_of_the_deck_with_their_notes():
    document = read_document(pptx([shape("A", a_p("one")), shape("B", a_p("two"))], {1: "spoken"}), "a.pptx")
    assert [(one.place, one.text, str(one.kind)) for one in document.spans] == [
        ('slide 1 "A"', "one", "prose"), ("slide 1 notes", "spoken", "speaker note"), ('slide 2 "B"', "two", "prose"),
    ]  # fmt: skip


def test_values_of_a_chart_are_named_by_series_category_and_title():
    frame = chart_frame("C", "rId-c")
    document = read_document(pptx([frame], charts={"c": chart("Arms", {"a": "7.142857E-1"}, code="0%")}), "a.pptx")
    (value,) = [one for one in document.spans if one.text.startswith("0.")]
    assert (
        value.text == "0.7142857"
        and value.percent
        and all(word in value.context for word in ("pass rate", "a", "Arms"))
    )


def test_a_pdf_without_the_extra_is_not_checked_and_says_so(monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    (one,) = read_document(b"%PDF-1.4\n", "a.pdf").unread
    assert one.what == "document" and "extra `pdf`" in one.about
