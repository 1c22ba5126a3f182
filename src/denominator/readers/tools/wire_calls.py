"""Tool calls of an attempt from the bodies that the gateway kept of its calls."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace

from denominator.readers.tools.call import Read, ToolCalls
from denominator.readers.tools.traffic import Exchange, traffic_calls
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from denominator.wire.encodings import ENCODED, unpacker
from denominator.wire.providers import Api, api_of

BODY_BYTES_MAX = 64 * 1024 * 1024
ALL_BYTES_MAX = 512 * 1024 * 1024
LOST_MAX = 5
NO_CALLS = NotMeasured("no call to a model was made")
NO_GATEWAY = NotMeasured("the agent had no gateway")
Bodies = Callable[[str], bytes]
"""Digest -> bytes as they passed. Raises `KeyError` where they are not there or are damaged."""


def wire_calls(calls: Iterable[CallRow], bodies: Bodies) -> Read:
    """What requests show: calls of earlier answers with their results. `calls` are those of one incarnation.

    Calls of an answer that no later request repeats are not among them: nobody saw their results. A request whose
    bytes are not there leaves a gap, unless a later one of its conversation is there: that one tells the same and more.
    """
    asked = told_calls(calls)
    if not asked:
        return NO_CALLS
    found, lost = _taken(asked, bodies)
    if not found:
        return NotMeasured("the bodies of model calls were not kept")
    read = traffic_calls(found)
    if isinstance(read, NotMeasured) or not lost:
        return read
    told = f"the bodies of call {', '.join(map(str, lost[:LOST_MAX]))} were not kept"
    return ToolCalls(calls=read.calls, gaps=(*read.gaps, told))


def told_calls(calls: Iterable[CallRow]) -> list[CallRow]:
    """The calls that tell what the agent did, in order."""
    return [call for call in sorted(calls, key=lambda one: one.seq) if _is_told(call)]


def conversations(calls: Iterable[CallRow]) -> int:
    """How many beginnings of conversations the calls have: more than one where an agent has sub-agents, or began anew."""
    return len({call.thread for call in calls if _is_told(call) and isinstance(call.thread, str)})


def _is_told(call: CallRow) -> bool:
    """Does a call tell what the agent did? One that the gateway refused before its body was kept tells nobody anything."""
    refused = call.sent is False and call.bodies_kept is not True
    return call.purpose == "solve" and api_of_call(call) is not Api.OTHER and not refused


def _taken(calls: Iterable[CallRow], bodies: Bodies) -> tuple[list[Exchange], list[int]]:
    found: list[Exchange] = []
    gone: dict[int, str] = {}
    size = 0
    for call in calls:
        exchange = _exchange(call, bodies) if call.bodies_kept is True and size <= ALL_BYTES_MAX else None
        thread = call.thread if isinstance(call.thread, str) else ""
        if exchange is None:
            gone[call.seq] = thread
            continue
        size += len(exchange.request) + len(exchange.response)
        found.append(exchange)
        gone = {seq: other for seq, other in gone.items() if not other or other != thread}
    return found, list(gone)


def _exchange(call: CallRow, bodies: Bodies) -> Exchange | None:
    api = api_of_call(call)
    try:
        request = bodies(call.request_sha256) if isinstance(call.request_sha256, str) else b""
        # Only the Responses interface keeps a history at the provider, which its answers show.
        wanted = api is Api.RESPONSES and isinstance(call.response_sha256, str)
        response = plain(bodies(str(call.response_sha256)), call) if wanted else b""
    except KeyError:
        return None
    return Exchange(api=api, request=request, response=response)


def plain(body: bytes, call: CallRow) -> bytes:
    """A response without its content encoding; b"" for one that cannot be unpacked within bounds."""
    encoding = call.content_encoding if isinstance(call.content_encoding, str) else ""
    if encoding.strip().lower() not in ENCODED:
        return body
    try:
        return unpacker().decompress(body, BODY_BYTES_MAX)
    except zlib.error:
        return b""


def api_of_call(call: CallRow) -> Api:
    """The interface that a call speaks, by its path."""
    path = call.path.partition("?")[0]
    return api_of(call.method, path.removeprefix("/v1")) or Api.OTHER


def difference(wire: Read, own: Read) -> str:
    """How an agent's own log differs from the wire, in words; "" where they agree or one of them says nothing."""
    if isinstance(wire, NotMeasured) or isinstance(own, NotMeasured) or len(wire.calls) == len(own.calls):
        return ""
    return f"the agent's own log has {len(own.calls)} tool calls, the wire shows {len(wire.calls)}"


def chosen(wire: Read, own: Read) -> tuple[Read, str]:
    """The wire's calls where it shows any, else the agent's own log; with the name of the source."""
    if isinstance(own, NotMeasured):
        return _joined(wire, own), "wire"
    if isinstance(wire, NotMeasured) or not wire.calls:
        return own, "tool_log"
    return wire, "wire"


def _joined(wire: Read, own: NotMeasured) -> Read:
    """Why there is neither, in one reason."""
    if not isinstance(wire, NotMeasured):
        return wire
    if wire in (NO_CALLS, NO_GATEWAY):
        return own
    return replace(wire, not_measured=f"{own.not_measured}; {wire.not_measured}")
