"""Which tool calls an attempt made: what the gateway kept of its model calls, and the log that the agent left."""

from __future__ import annotations

from denominator.errors import DenominatorError
from denominator.pipeline.beyond import reaches_of
from denominator.pipeline.material import Material
from denominator.readers.tools import NO_LOG, facts_of, read_tool_log
from denominator.readers.tools.call import Read
from denominator.readers.tools.wire_calls import NO_GATEWAY, chosen, conversations, difference, wire_calls
from denominator.records.events import Json
from denominator.records.facts import Facts, ToolFacts
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from denominator.wire.codec import to_json

VERSION = 4


def read_tools(material: Material) -> Facts:
    """The facts of reader `tools` (docs/formats/facts.md), or why there are none.

    The wire counts where it shows any call; the agent's own log is what is left for agents that put their calls into
    plain text, or have no gateway. Beside the facts stands how far both agree, and how many conversations there were.
    """
    calls = material.notes.calls()
    wire, own = _wire(material, calls), _own(material)
    read, source = chosen(wire, own)
    data = _data(facts_of(read, source)) | {"conversations": conversations(calls), "differs": difference(wire, own)}
    data |= {name: _many(found) for name, found in (("wire_calls", wire), ("log_calls", own))}
    data["looked_beyond"] = list(reaches_of(material, wire, own))
    sha = material.streams.get("tools")
    return Facts(key=material.notes.key, reader="tools", version=VERSION, data=data, sources=(sha,) if sha else ())


def _many(read: Read) -> Json:
    return {"not_measured": read.not_measured} if isinstance(read, NotMeasured) else len(read.calls)


def _own(material: Material) -> Read:
    sha = material.streams.get("tools")
    return read_tool_log(material.run.blobs.get(sha)) if sha else NO_LOG


def _wire(material: Material, calls: list[CallRow]) -> Read:
    if material.run.seal.envelope.sandbox.network != "gateway":
        return NO_GATEWAY

    def body(sha256: str) -> bytes:
        try:
            return material.run.blobs.get(sha256)
        except (DenominatorError, OSError):
            raise KeyError(sha256) from None

    return wire_calls(calls, body)


def _data(facts: ToolFacts | NotMeasured) -> dict[str, Json]:
    if isinstance(facts, NotMeasured):
        return {"not_measured": facts.not_measured}
    written = to_json(facts)
    return written if isinstance(written, dict) else {}
