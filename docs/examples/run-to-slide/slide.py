"""Writes deck.pptx: one slide, one paragraph for each text; `--footnote FILE` adds the footnote that `slip show --json` printed.

python slide.py "It passes 75.0% of the tasks."
"""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

OFFICE = "http://schemas.openxmlformats.org"
DRAWING, SLIDES = f"{OFFICE}/drawingml/2006/main", f"{OFFICE}/presentationml/2006/main"
LINKS, PACKAGE = f"{OFFICE}/officeDocument/2006/relationships", f"{OFFICE}/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.presentationml"


def main(words: list[str]) -> None:
    """The parts that a deck of one slide needs to be read."""
    texts = [word for word in words if word != "--footnote"]
    if "--footnote" in words:
        texts[-1] = json.loads(Path(texts[-1]).read_text("utf-8"))["tier"]["footnote"]
    paragraphs = "".join(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>" for text in texts)
    about = '<p:nvSpPr><p:cNvPr id="2" name="Text 1"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
    shape = f"<p:sp>{about}<p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    names = f'xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{LINKS}"'
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/ppt/presentation.xml" ContentType="{KIND}.presentation.main+xml"/>'
        f'<Override PartName="/ppt/slides/slide1.xml" ContentType="{KIND}.slide+xml"/></Types>',
        "_rels/.rels": _links("officeDocument", "ppt/presentation.xml"),
        "ppt/presentation.xml": f'<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
        '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _links("slide", "slides/slide1.xml"),
        "ppt/slides/slide1.xml": f"<p:sld {names}><p:cSld><p:spTree>{group}{shape}</p:spTree></p:cSld></p:sld>",
    }
    with zipfile.ZipFile("deck.pptx", "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def _links(kind: str, target: str) -> str:
    link = f'<Relationship Id="rId1" Type="{LINKS}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{link}</Relationships>'


if __name__ == "__main__":
    main(sys.argv[1:])
