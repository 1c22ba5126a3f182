"""Which tool calls an attempt made: the reader `tools` over the log that the agent left."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.pipeline.material import Material
from denominator.readers.tools import NO_LOG, facts_of, read_tool_log
from denominator.records.events import Json
from denominator.records.facts import Facts, ToolFacts
from denominator.records.values import NotMeasured
from denominator.wire.codec import to_json

VERSION = 1


def read_tools(material: Material) -> Facts:
    """The facts of reader `tools` (docs/formats/facts.md), or why there are none.

    The relay keeps digests of the model's traffic and no bodies, so an agent without a log of its own says nothing here.
    """
    sha = material.streams.get("tools")
    read = read_tool_log(material.run.blobs.get(sha)) if sha else NO_LOG
    facts = facts_of(read, "tool_log")
    sources = (sha,) if sha else ()
    return Facts(key=material.notes.key, reader="tools", version=VERSION, data=_data(facts), sources=sources)


def _data(facts: ToolFacts | NotMeasured) -> Mapping[str, Json]:
    if isinstance(facts, NotMeasured):
        return {"not_measured": facts.not_measured}
    written = to_json(facts)
    return written if isinstance(written, dict) else {}
