"""Tool calls as the model's traffic shows them. Every request repeats the history; a call counts once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from denominator.readers.tools.call import Read, ToolCall, ToolCalls
from denominator.readers.tools.conversation import Conversation
from denominator.readers.tools.messages import take_messages
from denominator.readers.tools.replies import reply_of
from denominator.readers.tools.responses import take_items
from denominator.readers.tools.threads import Key, Thread, keys_of
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api
from denominator.wire.strict import read

STATES_MAX = 16
GAPS_MAX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Bodies of one call as sent and answered, decoded. The answer is needed only where the provider keeps the history."""

    api: Api
    request: bytes
    response: bytes = b""


def traffic_calls(exchanges: Iterable[Exchange]) -> Read:
    """The calls whose results (or whose lack of one) a later request shows, thread by thread, in order.

    Calls of the last answer are not among them: nobody was shown their results. A thread is what shares a history;
    sub-agents, and what follows after a history was replaced as a whole, are threads of their own.
    """
    reader = _Traffic()
    for number, exchange in enumerate(exchanges, start=1):
        reader.take(number, exchange)
    return reader.calls()


class _Traffic:
    """What has been seen so far."""

    def __init__(self) -> None:
        self._threads: list[Thread] = []
        self._newest: dict[Key, int] = {}
        self._states: dict[str, Conversation] = {}
        self._gaps: dict[str, None] = {}
        self._has_tools = False
        self._seen = 0

    def take(self, number: int, exchange: Exchange) -> None:
        """One exchange."""
        if exchange.api is Api.OTHER:
            return
        self._seen += 1
        request, refusal = read(exchange.request, "decimal")
        if refusal is not None or not isinstance(request, dict):
            self._gap(f"request {number} cannot be read")
            return
        self._has_tools = self._has_tools or bool(request.get("tools") or request.get("functions"))
        conversation = self._history(number, request, exchange.api)
        self._merge(number, conversation)
        if exchange.api is Api.RESPONSES:
            self._remember(conversation, exchange.response)

    def _history(self, number: int, request: dict[str, Any], api: Api) -> Conversation:
        if api is not Api.RESPONSES:
            conversation = Conversation()
            messages = request.get("messages")
            gaps = take_messages(conversation, messages) if isinstance(messages, list) else ()
        else:
            conversation = self._continued(number, request)
            items = request.get("input")
            gaps = take_items(conversation, items) if isinstance(items, list) else ()
        for gap in gaps:
            self._gap(f"request {number}: {gap}")
        return conversation

    def _continued(self, number: int, request: dict[str, Any]) -> Conversation:
        """The history that the provider keeps, as its earlier answers showed it."""
        before = request.get("previous_response_id")
        if request.get("conversation") is not None:
            self._gap(f"request {number} continues a history that only the provider knows")
        if not isinstance(before, str):
            return Conversation()
        if before not in self._states:
            self._gap(f"request {number} continues an answer that is not here")
            return Conversation()
        return Conversation(self._states[before].entries)

    def _remember(self, conversation: Conversation, response: bytes) -> None:
        id_, items = reply_of(response)
        if not id_:
            return
        after = Conversation(conversation.entries)
        take_items(after, items)
        self._states[id_] = after
        while len(self._states) > STATES_MAX:
            del self._states[next(iter(self._states))]

    def _merge(self, number: int, conversation: Conversation) -> None:
        keys = keys_of(conversation.entries)
        if not keys:
            return
        at = max((self._newest[key] for key in keys if key in self._newest), default=len(self._threads))
        if at == len(self._threads):
            self._threads.append(Thread())
        self._newest |= dict.fromkeys(keys, at)
        if not self._threads[at].take(keys, conversation.entries):
            self._gap(f"request {number}: call ids are used more than once, and the history is another than before")

    def _gap(self, text: str) -> None:
        if len(self._gaps) < GAPS_MAX:
            self._gaps.setdefault(text)

    def calls(self) -> Read:
        """All of it."""
        if not self._seen:
            return NotMeasured("no model traffic is stored")
        if not self._threads and not self._has_tools:
            return NotMeasured("no request declares tools: what the agent did is not in the traffic")
        found: list[ToolCall] = []
        for number, thread in enumerate(self._threads):
            found += thread.calls(len(found), number)
        return ToolCalls(calls=tuple(found), gaps=tuple(self._gaps))
