"""What kind of trouble a bad JUnit case is, by the words that known writers use."""

from __future__ import annotations

import re

from denominator.readers.runners.formats.nodefiles import NODE_KINDS, is_node_file

_CRASHED = re.compile(r"(?:failed on setup with \")?worker '[^']{1,50}' crashed while running ")
_FIXTURE = re.compile(r"(?:.*::)?(?:setUp|tearDown)(?:Class|Module) \(")


def kind_of(tag: str, message: str, type_: str, id_: str, runner: str) -> str:
    """What kind of trouble a bad case is. Only pytest says so itself; elsewhere an error is a test that raised."""
    if _CRASHED.match(message):
        return "worker"
    if tag != "error":
        file = type_ == "testCodeFailure" and is_node_file(id_.removeprefix("test::"))
        return "collection" if file else NODE_KINDS.get(type_, "assertion")
    if message.startswith("collection failure"):
        return "collection"
    if message == "internal error" and id_ == "pytest::internal":
        return "internal"
    if message.startswith(("failed on setup", "failed on teardown")) or runner == "pytest" or _FIXTURE.match(id_):
        return "setup"
    return "raised" if type_ else "unsaid"
