"""Findings as SARIF 2.1.0: rules with their pages as help, one result for each thing that was found.

What holds is no result (code scanning would list it as an alert); its codes are in the properties of the run. A scanner
shows 5,000 results; what is over is counted in a notification.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from denominator.catalog import Entry
from denominator.publish.findings.document import as_json
from denominator.publish.findings.shape import About, found, head, place_of, shown, whole
from denominator.records.findings import Finding

MOST = 5000
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def write_sarif(findings: Iterable[Finding], about: About) -> str:
    """One run of one tool; canonical JSON."""
    given = tuple(findings)
    results = found(given)
    codes = sorted({one.code for one in given})
    places = {code: number for number, code in enumerate(codes)}
    run = {
        "tool": {"driver": _driver(given, codes, about)},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, places, about) for one in results[:MOST]],
        "invocations": [_invocation(len(results), about)],
        "properties": {"held": _held(given), **_about(about)},
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return as_json(document)


def _about(about: About) -> dict[str, str]:
    pairs = (*about.named(), ("verb", about.verb), ("subject", about.subject), ("status", about.status))
    return {name: shown(value) for name, value in pairs if value}


def _held(given: Sequence[Finding]) -> list[str]:
    return sorted({one.code for one in given} - {one.code for one in given if one.severity != "held"})


def _driver(given: Sequence[Finding], codes: Sequence[str], about: About) -> dict[str, Any]:
    entries = {entry.code: entry for entry in about.entries}
    names = {one.code: one.allow_name for one in given}
    rules = [_rule(code, names[code], entries.get(code)) for code in codes]
    version = {"version": about.version} if about.version else {}
    return {"name": "denominator", "rules": rules, **version}


def _rule(code: str, name: str, entry: Entry | None) -> dict[str, Any]:
    made: dict[str, Any] = {"id": code, "name": name}
    if entry is not None:
        page = f"{entry.doc.strip()}\n\ndenominator explain {code}"
        made |= {"shortDescription": {"text": entry.title}, "help": {"text": page, "markdown": page}}
    else:
        made |= {"shortDescription": {"text": name}, "help": {"text": f"denominator explain {code}"}}
    return made


def _result(finding: Finding, places: Mapping[str, int], about: About) -> dict[str, Any]:
    level = "error" if about.stops(finding) else "note" if finding.severity == "note" else "warning"
    made: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": places[finding.code],
        "level": level,
        "message": {"text": shown(whole(finding))},
        "locations": [_location(finding)],
        "partialFingerprints": {"denominator/v1": _fingerprint(finding)},
        "properties": {"severity": finding.severity},
    }
    if finding.waiver is not None:
        one = finding.waiver
        made["properties"] |= {"waived": shown(f"{one.why}; {one.who}, until {one.until}")}
    return made


def _location(finding: Finding) -> dict[str, Any]:
    """A file and a line where there are; the subject as a logical place always."""
    logical = [{"fullyQualifiedName": shown(finding.subject or finding.code)}]
    place = place_of(finding.where)
    if place is None:
        logical += [{"fullyQualifiedName": shown(finding.where)}] if finding.where else []
        return {"logicalLocations": logical}
    uri = quote(place[0].replace("\\", "/"), safe="/", errors="backslashreplace")
    uri = f"file://{uri}" if uri.startswith("/") else uri
    region = {"startLine": place[1]}
    return {"logicalLocations": logical, "physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _fingerprint(finding: Finding) -> str:
    text = "\0".join((head(finding), finding.subject, finding.where, finding.what))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _invocation(number: int, about: About) -> dict[str, Any]:
    """The verb ran to its end, whatever it found; what is left out is said here."""
    made: dict[str, Any] = {"executionSuccessful": True, "exitCode": about.exit}
    notes = [about.said] if about.said else []
    if number > MOST:
        notes.append(f"{number - MOST} results more than {MOST} are not in this file")
    if notes:
        made["toolExecutionNotifications"] = [{"level": "note", "message": {"text": shown(text)}} for text in notes]
    return made
