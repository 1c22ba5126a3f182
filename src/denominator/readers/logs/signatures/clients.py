"""HTTP clients and clients of model providers, by the names of their error classes, never by a number alone."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

http, llm = family("http"), family("llm")
OVERFLOW = rb"context_length_exceeded|ContextWindowExceededError|maximum context length|prompt is too long|\d{3,} tokens > \d{3,}"

SIGNATURES = (
    http(
        "http_down",
        "PS",
        "network_down",
        rb"\b(?:requests\.exceptions\.|urllib3\.exceptions\.|httpx\.|httpcore\.|aiohttp\.(?:client_exceptions\.)?"
        rb"|urllib\.error\.)"
        rb"(?:ConnectionError|ConnectTimeout|ReadTimeout|ReadError|WriteError|ChunkedEncodingError|URLError"
        rb"|ConnectError|RemoteProtocolError"
        rb"|ServerDisconnectedError|ClientConnectorError|ClientOSError|ClientPayloadError|MaxRetryError"
        rb"|NewConnectionError|ProtocolError|IncompleteRead)\b",
        (b"requests.exceptions", b"urllib", b"httpx.", b"httpcore.", b"aiohttp."),
        b"requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='api.invalid', port=443)",
        b"httpx.RemoteProtocolError: Server disconnected without sending a response.",
        b"aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected",
        network=True,
        unless=rb"127\.0\.0\.\d|\blocalhost\b",
        misses=(b"raise ConnectionError('x')", b"httpx.Client(timeout=5)"),
    ),
    http(
        "http_own_pool",
        "P",
        "harness_error",
        rb"\b(?:httpx|httpcore)\.PoolTimeout\b",
        (b"pooltimeout",),
        b"httpx.PoolTimeout: no connection became free",
        misses=(b"PoolTimeout",),
    ),
    llm(
        "llm_overflow",
        "P",
        "context_window",
        OVERFLOW,
        (b"context", b"too long", b"tokens > "),
        b"BadRequestError: Error code: 400 - maximum context length is 8192 tokens",
        b"InternalServerError: 500 - {'message': '210000 tokens > 200000 maximum'}",
        misses=(b"the context is long", b"tokens > 5"),
    ),
    llm(
        "llm_spent",
        "P",
        "quota_exhausted",
        rb"\binsufficient_quota\b|\bspend_limit_reached\b|\bbilling_hard_limit_reached\b|\bquota_exceeded\b"
        rb"|credit balance is too low"
        rb"|exceeded your current quota|\b402 payment required\b|error code: 402\b",
        (b"quota", b"spend_limit", b"billing_hard", b"credit balance", b"payment required", b"error code: "),
        b"RateLimitError: Error code: 429 - {'error': {'code': 'insufficient_quota'}}",
        b"HTTP 402 Payment Required",
        misses=(b"quota exceeded and resource exhausted", b"payment required", b"error code: 4", b"line 402: quota"),
    ),
    llm(
        "llm_throttled",
        "P",
        "provider_rate_limit",
        rb"\bRateLimitError\b.{0,300}?\b429\b|\brate_limit_error\b|\brate_limit_exceeded\b|error code: 429\b"
        rb"|\b429 too many requests\b",
        (b"ratelimiterror", b"rate_limit_", b"error code: ", b" too many requests"),
        b"openai.RateLimitError: Error code: 429 - {'error': {'message': 'slow down'}}",
        b'anthropic: {"type": "rate_limit_error"}',
        unless=rb"insufficient_quota|spend_limit|billing_hard|quota_exceeded|current quota|registry|manifest|pull rate",
        misses=(b"429", b"rate limit", b"class RateLimitError(Exception):", b"HTTP 429 slow down"),
    ),
    llm(
        "llm_down",
        "P",
        "provider_error",
        rb"\b(?:InternalServerError|ServiceUnavailableError|APIConnectionError|APITimeoutError"
        rb"|BadGatewayError)\b.{0,300}"
        rb"|\boverloaded_error\b|error code: 5\d\d\b|\b529 .{0,20}?overloaded",
        (
            b"internalservererror",
            b"serviceunavailableerror",
            b"apiconnectionerror",
            b"apitimeouterror",
            b"badgatewayerror",
            b"overloaded",
            b"error code: 5",
        ),
        b"litellm.InternalServerError: Error code: 500",
        b'anthropic.APIStatusError: {"type": "overloaded_error"}',
        b"openai.APIConnectionError: Connection error.",
        unless=OVERFLOW,
        misses=(
            b"503",
            b"# HTTP 500 handler",
            b"the server is overloaded with work",
            b"InternalServerError: 500 maximum context length",
        ),
    ),
    llm(
        "llm_refused",
        "P",
        "provider_refused",
        rb"\b(?:AuthenticationError|PermissionDeniedError|UnsupportedParamsError"
        rb"|UnprocessableEntityError)\b.{0,200}?\b4\d\d\b"
        rb"|\binvalid_api_key\b|\bmodel_not_found\b|\bauthentication_error\b|\bNotFoundError\b.{0,120}?\bmodel\b"
        rb"|error code: 40[134]\b|error code: 422\b",
        (
            b"authenticationerror",
            b"permissiondenied",
            b"unsupportedparams",
            b"unprocessableentity",
            b"invalid_api_key",
            b"model_not_found",
            b"authentication_error",
            b"notfounderror",
            b"error code: 4",
        ),
        b"openai.AuthenticationError: Error code: 401 - invalid key",
        b"NotFoundError: the model `x` does not exist",
        misses=(b"401", b"raise AuthenticationError", b"FileNotFoundError: config"),
    ),
    llm(
        "llm_filtered",
        "P",
        "content_refused",
        rb"\bContentPolicyViolationError\b|finish_reason['\"]?[:=] ?['\"]?content_filter",
        (b"contentpolicyviolation", b"content_filter"),
        b"litellm.ContentPolicyViolationError: refused",
        misses=(b"content filter", b"def content_filter(x):"),
    ),
    llm(
        "llm_garbled",
        "P",
        "provider_stream_error",
        rb"\bAPIResponseValidationError\b|stream (?:ended|closed|interrupted) (?:before|without) .{0,40}?(?:final"
        rb"|done|completion|stop)"
        rb"|incomplete chunked read",
        (b"apiresponsevalidation", b"stream ", b"incomplete chunked"),
        b"openai.APIResponseValidationError: body is not JSON",
        b"peer closed connection without sending complete message body (incomplete chunked read)",
        misses=(b"the stream ended", b"stream of chunks"),
    ),
)
