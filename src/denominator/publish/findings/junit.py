"""Findings and rows as JUnit XML: one test case a rule, or one a draw.

A rule that holds or only notes something is a passed case; a block is a failure, unknown is an error. A row that failed
by the model's doing is a failure with its label as type, one that infrastructure or the harness ended is an error, a
flaky test or a control that could not be judged is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from denominator.publish.findings.shape import About, Case, head, ordered, whole
from denominator.records.findings import Finding

STATE = {"block": "failure", "note": "passed", "held": "passed"}
"""What a case is after the worst that its rule said; anything else, unknown before all, is an error."""


def write_junit(findings: Iterable[Finding], about: About) -> str:
    """One test case a rule, the worst that it said first."""
    by_code: dict[str, list[Finding]] = {}
    for finding in ordered(findings):
        by_code.setdefault(finding.code, []).append(finding)
    return junit_of([_of_rule(by_code[code], about) for code in sorted(by_code)], about)


def _of_rule(said: Sequence[Finding], about: About) -> Case:
    state = STATE.get(said[0].severity, "error" if about.stops(said[0]) else "skipped")
    text = "\n".join(f"{one.severity}: {whole(one)}{f' [{one.where}]' if one.where else ''}" for one in said)
    return Case(group=said[0].allow_name, name=head(said[0]), state=state, kind=said[0].severity, text=text)


def junit_of(cases: Sequence[Case], about: About) -> str:
    """A document with one suite, well-formed whatever characters the texts have."""
    root = ET.Element("testsuites", name="denominator")
    states = [case.state for case in cases]
    numbers = {"tests": len(cases), "failures": states.count("failure"), "errors": states.count("error")}
    counts = {name: str(number) for name, number in (numbers | {"skipped": states.count("skipped")}).items()}
    suite = ET.SubElement(root, "testsuite", {"name": xml_text(f"{about.verb} {about.subject}".strip()), **counts})
    properties = ET.SubElement(suite, "properties")
    for name, value in (*about.named(), ("status", about.status), ("said", about.said), ("version", about.version)):
        if value:
            ET.SubElement(properties, "property", {"name": name, "value": xml_text(value)})
    for case in cases:
        _add(suite, case, about)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add(suite: ET.Element, case: Case, about: About) -> None:
    group = ".".join(part for part in ("denominator", about.verb, case.group) if part)
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


RANGES = ((0x9, 0xA), (0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF))


def _allowed(code: int) -> bool:
    return any(first <= code <= last for first, last in RANGES)
