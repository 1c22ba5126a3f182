"""JUnit XML: one test case a declared draw, for the test tab of a CI service.

A miss of the model is a failure with its label as type, what infrastructure or the harness ended is an error, a flaky test is
skipped. Draws that never started are errors: they were promised. Controls stand in a suite of their own, where a violated one
is a failure. While a control is violated, pass and fail of the other draws are one skipped state. Properties of each suite name
the digests that say of what exactly it speaks, and the gate's sentence.
"""

from __future__ import annotations

from denominator.records.exports import Export
from denominator.wire.junit import Suite, junit_xml

CONTROL = "control_"


class Junit:
    """A suite of draws, and one of controls where there are any."""

    name = "junit"
    title = "JUnit XML: one test case a declared draw, controls in a suite of their own"
    ending = "xml"
    cannot_say = (
        "a test case has no interval and no denominator: a share that a reader makes of passed cases is no result of the gate",
        "a case has one state: an abstention is a failure of type abstain, attempts before the last one are not shown",
        "how a value is known (recorded, declared, derived) has no place",
    )

    def write(self, run: Export) -> bytes:
        """The document, in UTF-8."""
        about = run.card.run_id or run.card.pack
        draws = [one for one in run.cases if not one.kind.startswith(CONTROL)]
        controls = [one for one in run.cases if one.kind.startswith(CONTROL)]
        suites = [Suite(f"draws of {about}", "denominator", draws)]
        if controls:
            suites.append(Suite(f"controls of {about}", "denominator.controls", controls))
        return junit_xml(suites, _properties(run)).encode()


def _properties(run: Export) -> tuple[tuple[str, str], ...]:
    card = run.card
    return (
        ("run_id", card.run_id),
        ("arm", card.arm),
        ("seal_digest", card.seal_digest),
        ("pack_digest", card.pack_digest),
        ("rules_digest", card.rules_digest),
        ("status", card.verdict.status),
        ("said", card.verdict.sentence),
        ("version", card.version),
    )


EXPORTER = Junit()
