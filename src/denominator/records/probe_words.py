"""The closed words of the endpoint bench: groups, contracts, classes in their order, reasons, flags (METHODS M7)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

CLASSIFIER = "1.0"
"""Version of the classification: it changes when the same bytes would get another class, reason or flag."""
CLIENT = "wire.1"
"""Version of how requests are made and answers are received: it changes when the same endpoint would be asked otherwise."""


class Group(StrEnum):
    """What a case is about; results are counted by group."""

    STRICT_JSON = "strict_json"
    SCHEMA = "schema"
    TRUNCATION = "truncation"
    ACCOUNTING = "accounting"
    UNICODE = "unicode"
    TOOLS = "tools"
    STREAMING = "streaming"
    MALFORMED = "malformed"


class Kind(StrEnum):
    """What a kept promise looks like.

    `json`: exactly one JSON value that equals `expect.value` or satisfies `expect.schema`. `text`: exactly the code points
    of `expect.text`. `answer`: some text (that holds `expect.contains`). `cap`: text that may be cut by the cap, and says
    so. `call`: one call of the tool `expect.name` whose arguments satisfy its schema. `malformed`: the request is wrong on
    purpose and must be refused with a structured 4xx.
    """

    JSON = "json"
    TEXT = "text"
    ANSWER = "answer"
    CAP = "cap"
    CALL = "call"
    MALFORMED = "malformed"


class Mode(StrEnum):
    """How an answer is asked for."""

    PLAIN = "plain"
    STREAM = "stream"


class Contract(StrEnum):
    """The promises. Each attempt keeps, breaks or says nothing of each."""

    TRANSPORT = "transport"
    STATUS = "status"
    ENVELOPE = "envelope"
    STREAM = "stream"
    FINISH = "finish"
    TOOLS = "tools"
    ACCOUNTING = "accounting"
    CONTENT = "content"
    FORMAT = "format"
    SCHEMA = "schema"
    VALUE = "value"
    ERROR = "error"


class Kept(StrEnum):
    """The verdict of one contract in one attempt."""

    PASS = "pass"
    FAIL = "fail"
    NOT_EVALUABLE = "not_evaluable"


class Cls(StrEnum):
    """The class of an attempt: the first of these that holds. Malformed controls have `pass` and `error_contract`."""

    TRANSPORT_ERROR = "transport_error"
    OVERSIZE_BODY = "oversize_body"
    TIMEOUT = "timeout"
    STREAM_HANG = "stream_hang"
    HTTP_ERROR = "http_error"
    ENVELOPE_ERROR = "envelope_error"
    INBAND_ERROR = "inband_error"
    STREAM_INCOMPLETE = "stream_incomplete"
    TRUNCATION_AMBIGUITY = "truncation_ambiguity"
    TOOL_CALL_MALFORMED = "tool_call_malformed"
    TOOL_CALL_MISS = "tool_call_miss"
    ACCOUNTING_ANOMALY = "accounting_anomaly"
    EMPTY_CONTENT = "empty_content"
    FORMAT_DRIFT = "format_drift"
    SCHEMA_MISS = "schema_miss"
    CONTENT_MISS = "content_miss"
    ERROR_CONTRACT = "error_contract"
    PASS = "pass"


PRECEDENCE: tuple[Cls, ...] = tuple(Cls)
PARAM_IGNORED = "param_ignored"
"""No class: an observation, of one attempt (`Fault.observed`) or over the attempts of a case."""

CONTRACT_OF: Mapping[Cls, Contract] = {
    Cls.TRANSPORT_ERROR: Contract.TRANSPORT,
    Cls.OVERSIZE_BODY: Contract.TRANSPORT,
    Cls.TIMEOUT: Contract.TRANSPORT,
    Cls.STREAM_HANG: Contract.STREAM,
    Cls.HTTP_ERROR: Contract.STATUS,
    Cls.ENVELOPE_ERROR: Contract.ENVELOPE,
    Cls.INBAND_ERROR: Contract.ENVELOPE,
    Cls.STREAM_INCOMPLETE: Contract.STREAM,
    Cls.TRUNCATION_AMBIGUITY: Contract.FINISH,
    Cls.TOOL_CALL_MALFORMED: Contract.TOOLS,
    Cls.TOOL_CALL_MISS: Contract.TOOLS,
    Cls.ACCOUNTING_ANOMALY: Contract.ACCOUNTING,
    Cls.EMPTY_CONTENT: Contract.CONTENT,
    Cls.FORMAT_DRIFT: Contract.FORMAT,
    Cls.SCHEMA_MISS: Contract.SCHEMA,
    Cls.CONTENT_MISS: Contract.VALUE,
    Cls.ERROR_CONTRACT: Contract.ERROR,
}

REASONS: Mapping[str, tuple[str, ...]] = {
    Cls.TRANSPORT_ERROR: (
        "refused",
        "name_unknown",
        "certificate_refused",
        "reset",
        "empty_reply",
        "incomplete_body",
        "bad_encoding",
        "bad_framing",
        "send_failed",
    ),
    Cls.OVERSIZE_BODY: ("body_cap",),
    Cls.TIMEOUT: ("not_connected", "no_first_byte", "total_deadline", "keepalive_only"),
    Cls.STREAM_HANG: ("stalled", "no_final_event"),
    Cls.HTTP_ERROR: ("rate_limited", "4xx", "5xx", "redirect", "other_status"),
    Cls.ENVELOPE_ERROR: (
        "not_json",
        "no_choices",
        "empty_body",
        "content_not_string",
        "not_utf8",
        "bom",
        "nonstandard_constant",
        "duplicate_key",
        "too_deep",
        "not_an_object",
        "no_message",
        "sse_unrequested",
        "event_not_json",
    ),
    Cls.INBAND_ERROR: ("error_in_200", "error_in_choice", "error_in_stream"),
    Cls.STREAM_INCOMPLETE: ("no_done", "no_content", "cut_event", "stream_ignored"),
    Cls.TRUNCATION_AMBIGUITY: ("null", "empty", "unknown_value", "stop_at_cap", "tool_calls_at_cap", "stream_null"),
    Cls.TOOL_CALL_MALFORMED: (
        "args_not_json",
        "args_not_string",
        "index_missing",
        "index_collision",
        "duplicate_id",
        "id_missing",
        "name_unknown",
        "finish_mismatch",
    ),
    Cls.TOOL_CALL_MISS: ("tool_choice_ignored", "call_in_text"),
    Cls.ACCOUNTING_ANOMALY: (
        "usage_missing",
        "wrong_type",
        "negative",
        "prompt_zero",
        "completion_zero",
        "completion_gt_max",
        "reasoning_gt_completion",
        "cached_gt_prompt",
        "total_mismatch",
        "stream_mismatch",
        "prompt_tokens_unstable",
    ),
    Cls.EMPTY_CONTENT: ("reasoning_only", "cut_before_text", "filtered", "refused", "no_text"),
    Cls.FORMAT_DRIFT: (
        "code_fence",
        "prose_around",
        "special_token",
        "reasoning_inline",
        "nonstandard_constant",
        "several_values",
        "cut_by_cap",
        "not_json",
    ),
    Cls.SCHEMA_MISS: ("duplicate_key", "extra_key", "missing_key", "wrong_type", "value_not_allowed", "tool_args"),
    Cls.CONTENT_MISS: ("wrong_value", "unicode_loss", "unicode_normalised", "text_differs"),
    Cls.ERROR_CONTRACT: ("accepted", "server_error", "unstructured", "redirected", "no_response"),
    PARAM_IGNORED: ("temperature", "max_tokens", "response_format", "tool_choice", "stream"),
}
"""Every reason there is, by class. Nothing else is ever said."""

INVALID: frozenset[tuple[str, str]] = frozenset(
    (
        (Cls.HTTP_ERROR, "rate_limited"),
        (Cls.TRANSPORT_ERROR, "refused"),
        (Cls.TRANSPORT_ERROR, "name_unknown"),
        (Cls.TRANSPORT_ERROR, "certificate_refused"),
        (Cls.TIMEOUT, "not_connected"),
    )
)
"""Class and reason of attempts that say nothing of what an endpoint promises: nobody was asked, or a quota answered."""

FLAGS: tuple[str, ...] = (
    "model_mismatch",
    "fingerprint_changed",
    "usage_repeated",
    "nonstandard_error_shape",
    "gzip_unrequested",
    "slow",
    "sse_comments",
    "open_after_done",
    "bytes_after_end",
    "retry_after_unreadable",
    "key_echoed",
    "cut_by_cap",
)
"""Oddities that break no promise; they stand beside a class and change none."""


class End(StrEnum):
    """How the reading of an answer ended. `complete`: by HTTP's own rules; `cap`: the body grew past the cap."""

    COMPLETE = "complete"
    DONE = "done"
    FIN = "fin"
    RESET = "reset"
    DEADLINE = "deadline"
    GAP = "gap"
    CAP = "cap"
    ILLEGAL = "illegal"
    REFUSED = "refused"
    NAME_UNKNOWN = "name_unknown"
    CERTIFICATE = "certificate_refused"
    SEND_FAILED = "send_failed"
