"""JUnit XML: suites of cases, well-formed whatever characters the texts have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from denominator.records.cases import Case

RANGES = ((0x9, 0xA), (0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF))


class Suite(NamedTuple):
    """A suite: its name, what its cases' class names begin with, its cases."""

    name: str
    prefix: str
    cases: Sequence[Case]


def junit_xml(suites: Iterable[Suite], properties: Iterable[tuple[str, str]]) -> str:
    """The document. Every suite carries the properties, those without a value left out."""
    root = ET.Element("testsuites", name="denominator")
    named = [(name, value) for name, value in properties if value]
    for suite in suites:
        states = [case.state for case in suite.cases]
        numbers = {"tests": len(states), "failures": states.count("failure"), "errors": states.count("error")}
        counts = {name: str(number) for name, number in (numbers | {"skipped": states.count("skipped")}).items()}
        element = ET.SubElement(root, "testsuite", {"name": xml_text(suite.name), **counts})
        about = ET.SubElement(element, "properties")
        for name, value in named:
            ET.SubElement(about, "property", {"name": name, "value": xml_text(value)})
        for case in suite.cases:
            _add(element, case, suite.prefix)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add(suite: ET.Element, case: Case, prefix: str) -> None:
    group = ".".join(part for part in (prefix, case.group) if part)
    attributes = {"classname": xml_text(group), "name": xml_text(case.name)}
    if case.seconds:
        attributes["time"] = case.seconds
    element = ET.SubElement(suite, "testcase", attributes)
    text = f"{case.text}\n[{case.place}]" if case.place else case.text
    if case.state == "passed":
        if text:
            ET.SubElement(element, "system-out").text = xml_text(text)
        return
    first = xml_text(case.text.partition("\n")[0])
    child = ET.SubElement(element, case.state, {"message": first})
    if case.state != "skipped":
        child.set("type", xml_text(case.kind or case.state))
    child.text = xml_text(text)


def xml_text(text: str) -> str:
    """Only characters that XML 1.0 allows; the others are shown by number."""
    return "".join(char if _allowed(ord(char)) else f"\\u{ord(char):04x}" for char in text)


def _allowed(code: int) -> bool:
    return any(first <= code <= last for first, last in RANGES)
