"""Slips of every standing, and small office files and PDFs made of XML and zip: material of the tests of quote check."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from denominator.quote import SlipTable, check_document
from denominator.readers.documents import read_document
from denominator.records.documents import QuoteSettings
from denominator.records.slips import (
    Number,
    RawOutput,
    Slip,
    SlipBox,
    SlipBudget,
    SlipGate,
    SlipHarness,
    SlipLine,
    SlipModel,
    SlipPack,
    SlipStanding,
    TierLine,
)

TODAY = "2026-11-30"
FOOT = "model m-1, harness 0a1b2c3d4e5f, tokens 81000/100000"


def slip_id(head: str) -> str:
    return (head + "0" * 64)[:64]


def standing(head="ab12cd34", k=10, n=14, tier="quotable", footnote="", made="2026-11-20", **more) -> SlipStanding:
    """A slip with everything in order; `more` replaces parts of the standing, `slip` fields of the slip."""
    box = SlipBox(**dict.fromkeys(("host", "kernel", "machine", "python", "cpu_count", "memory_bytes"), "1"),
                  cgroup_version="2", cgroup_cpu_limit="2", cgroup_memory_limit="1", git_commit="c", shared=False,
                  reclaimable=False)  # fmt: skip
    numbers = (
        Number(metric="headline", k=k, n=n, lo="0.454000", hi="0.883000", method="wilson"),
        Number(metric="resolved_rate", k=9, n=12),
    )
    slip = Slip(
        schema_version=1, origin="run", run_id=f"run-{head}", arm="a", made_at=f"{made}T10:00:00Z", days=(made,),
        seal_sha256="1" * 64, ledger_sha256="2" * 64, raw=RawOutput(path="raw", sha256="3" * 64),
        harness=SlipHarness(digest="0a1b2c3d4e5f"), model=SlipModel(id="m-1"),
        pack=SlipPack(id="p", digest="4" * 64, task_ids_sha256="5" * 64, tasks=n, repeats=1),
        budget=SlipBudget(tokens_used=81000, tokens_limit=100000), box=box, numbers=numbers, headline="headline",
        gate=SlipGate(status="publishable", rung="interval"), lineage="6" * 64,
    )  # fmt: skip
    slip = replace(slip, **more.pop("slip", {}))
    lines = (
        SlipLine(
            what="verdict", slip=slip_id(head), role="score_keeper", who="k", at=made, tier=tier, caveat="one box"
        ),
    )
    found = SlipStanding(
        id=slip_id(head),
        slip=slip,
        tier=TierLine(tier=tier, why=(), lifts=(), audience="", footnote=footnote),
        lines=lines,
        signed_off=True,
    )
    return replace(found, **more)


GOOD = standing()
OTHER = standing("ef56ef56", k=8, n=14)
SLIPS = SlipTable([GOOD, OTHER])


def packed(parts: dict[str, str], more: list[tuple[str, bytes]] | None = None) -> bytes:
    """A zip file of parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        for name, data in more or ():
            archive.writestr(name, data)
    return file.getvalue()


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
C = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"


def rels(targets: dict[str, str]) -> str:
    lines = "".join(
        f'<Relationship Id="{name}" Type="t" Target={quoteattr(target)}'
        + (' TargetMode="External"/>' if target.startswith(("http", "slips/")) else "/>")
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{RELS}">{lines}</Relationships>'


def w_p(*runs: str, style: str = "") -> str:
    """A paragraph of Word; every run is one w:r."""
    head = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{head}{''.join(f'<w:r><w:t>{escape(run)}</w:t></w:r>' for run in runs)}</w:p>"


def w_table(rows: list[list[str]]) -> str:
    body = "".join(f"<w:tr>{''.join(f'<w:tc>{w_p(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl>{body}</w:tbl>"


def docx(body: str, links: dict[str, str] | None = None, **more: str) -> bytes:
    parts = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {W} {R} {A} {C}><w:body>{body}</w:body></w:document>",
    }
    parts["word/_rels/document.xml.rels"] = rels(links or {})
    parts |= {f"word/{name}.xml": f"<w:x {W}>{text}</w:x>" for name, text in more.items()}
    return packed(parts)


def a_p(*runs: str) -> str:
    return f"<a:p>{''.join(f'<a:r><a:t>{escape(run)}</a:t></a:r>' for run in runs)}</a:p>"


def shape(name: str, *paragraphs: str, title: bool = False) -> str:
    mark = '<p:nvPr><p:ph type="title"/></p:nvPr>' if title else "<p:nvPr/>"
    return f'<p:sp><p:nvSpPr><p:cNvPr id="1" name={quoteattr(name)}/>{mark}</p:nvSpPr><p:txBody>{"".join(paragraphs)}</p:txBody></p:sp>'


def a_table(name: str, rows: list[list[str]]) -> str:
    body = "".join(
        f"<a:tr>{''.join(f'<a:tc><a:txBody>{a_p(c)}</a:txBody></a:tc>' for c in row)}</a:tr>" for row in rows
    )
    return f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="{name}"/></p:nvGraphicFramePr><a:tbl>{body}</a:tbl></p:graphicFrame>'


def chart_frame(name: str, rid: str) -> str:
    return f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="{name}"/></p:nvGraphicFramePr><c:chart {C} r:id="{rid}"/></p:graphicFrame>'


def chart(title: str, points: dict[str, str], code: str = "General", series: str = "pass rate") -> str:
    cats = "".join(f'<c:pt idx="{i}"><c:v>{escape(name)}</c:v></c:pt>' for i, name in enumerate(points))
    vals = "".join(f'<c:pt idx="{i}"><c:v>{value}</c:v></c:pt>' for i, value in enumerate(points.values()))
    return (
        f"<c:chartSpace {C} {A}><c:chart><c:title>{a_p(title)}</c:title><c:plotArea><c:barChart><c:ser>"
        f"<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{series}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        f"<c:cat><c:strRef><c:strCache>{cats}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{vals}</c:numCache></c:numRef></c:val>"
        "</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )


def pptx(slides: list[str], notes: dict[int, str] | None = None, charts: dict[str, str] | None = None) -> bytes:
    """Slides by their shapes; notes by slide from 1; every slide may use every chart as rId-NAME."""
    parts = {"[Content_Types].xml": "<Types/>"}
    ids = "".join(f'<p:sldId id="{255 + i}" r:id="rId{i}"/>' for i in range(1, len(slides) + 1))
    parts["ppt/presentation.xml"] = f"<p:presentation {P} {R}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    parts["ppt/_rels/presentation.xml.rels"] = rels(
        {f"rId{i}": f"slides/slide{i}.xml" for i in range(1, len(slides) + 1)}
    ).replace(' TargetMode="External"', "")
    for number, shapes in enumerate(slides, 1):
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {P} {A} {R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
        targets = {f"rId-{name}": f"../charts/{name}.xml" for name in charts or {}}
        if number in (notes or {}):
            targets["rIdN"] = f"../notesSlides/notesSlide{number}.xml"
            parts[f"ppt/notesSlides/notesSlide{number}.xml"] = (
                f"<p:notes {P} {A}>{shape('Notes', a_p(notes[number]))}</p:notes>"
            )
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = rels(targets)
    parts |= {f"ppt/charts/{name}.xml": text for name, text in (charts or {}).items()}
    return packed(parts)


def pdf(pages: list[list[str]]) -> bytes:
    """A PDF by hand: one content stream a page, Helvetica, one line below the other."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for index, lines in enumerate(pages):
        shown = "".join(f"({_pdf_text(line)}) Tj 0 -16 Td\n" for line in lines)
        stream = f"BT /F1 12 Tf 40 780 Td\n{shown}ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 800] /Contents {5 + 2 * index} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    made, starts = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        starts.append(len(made))
        made += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{at:010d} 00000 n \n" for at in starts)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    made += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{made.index('xref')}\n%%EOF"
    return made.encode("latin-1")


def _pdf_text(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def checked(data, name="README.md", slips=SLIPS, settings=None, **more):
    """A document held against slips."""
    raw = data if isinstance(data, bytes) else data.encode()
    return check_document(name, read_document(raw, name), slips, settings or QuoteSettings(), TODAY, **more)


def codes(data, name="README.md", slips=SLIPS, settings=None, **more):
    """`[("Q003", "62%"), ...]` of a document, in order."""
    return [(one.code, one.said.subject) for one in checked(data, name, slips, settings, **more).noted]
