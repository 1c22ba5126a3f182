"""Container engines and registries. A missing container is a consequence: something ended it earlier."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("container")

SIGNATURES = (
    sign(
        "registry_throttled",
        "B",
        "image_throttled",
        rb"toomanyrequests\b|pull rate limit|reached your .{0,60}?pull rate limit"
        rb"|429 too many requests.{0,200}?(?:registry|manifest|blob|pull)"
        rb"|(?:registry|manifest|blob|pull).{0,200}?429 too many requests",
        (b"toomanyrequests", b"pull rate limit", b"too many requests"),
        b"toomanyrequests: pull rate limit reached",
        b"failed to pull: unexpected status code 429 Too Many Requests",
        misses=(b"429", b"HTTP 429 slow down", b"raise TooManyRequestsError()"),
    ),
    sign(
        "registry_down",
        "B",
        "image_unavailable",
        rb"(?:error pulling|failed to (?:pull|resolve|copy|fetch|authorize)|pulling (?:image|from|manifest)"
        rb"|get \"?https?://[^\s\"]{1,200}/v2/)"
        rb".{0,400}?(?:(?:status|http|code|error).{0,40}?\b50[0-4]\b|internal server error|bad gateway"
        rb"|service unavailable|timeout|timed out|i/o timeout"
        rb"|connection (?:reset|refused)|no such host|unexpected eof|tls handshake)",
        (b"pull", b"/v2/", b"failed to"),
        b'Error response from daemon: Get "https://registry.invalid/v2/": net/http: TLS handshake timeout',
        b"failed to pull image: received unexpected HTTP status: 503 Service Unavailable",
        misses=(b"pull the request timeout up", b"failed to fetch 500 rows"),
    ),
    sign(
        "image_wrong",
        "B",
        "image_missing",
        rb"manifest (?:unknown|for .{1,200}? not found)|manifest .{0,200}?not found|pull access denied"
        rb"|exec format error"
        rb"|no matching manifest for|repository does not exist|invalid reference format|name unknown:",
        (
            b"manifest",
            b"pull access denied",
            b"exec format error",
            b"repository does not exist",
            b"invalid reference",
            b"name unknown",
        ),
        b"404 pull access denied for eval.arm64.sym-1, repository does not exist",
        b"manifest for box.invalid/eval:1 not found: manifest unknown",
        b"exec /bin/sh: exec format error",
        misses=(b"the manifest is valid", b"the format error is executed"),
    ),
    sign(
        "engine_down",
        "B",
        "sandbox_unreachable",
        rb"cannot connect to the (?:docker|podman) daemon|is the docker daemon running|error during connect:"
        rb"|(?:docker|containerd|podman|daemon|engine|cri).{0,120}?context deadline exceeded"
        rb"|failed to dial .{0,120}?containerd",
        (
            b"cannot connect to the",
            b"docker daemon",
            b"error during connect",
            b"context deadline exceeded",
            b"failed to dial",
        ),
        b"Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?",
        b"docker: context deadline exceeded",
        misses=(b"ctx: context deadline exceeded", b"cannot connect to the server"),
    ),
    sign(
        "runtime_failed",
        "B",
        "sandbox_start",
        rb"oci runtime .{0,120}?(?:failed|error)|\b(?:crun|runc): .{1,120}|container_linux\.go"
        rb"|failed to create (?:shim|containerd) task"
        rb"|failed to create task for container",
        (b"oci runtime", b"crun: ", b"runc: ", b"container_linux.go", b"failed to create"),
        b"OCI runtime exec failed: exec failed: unable to start container process",
        b"crun: open executable: Operation not permitted",
        misses=(b"failed to create the folder",),
    ),
    sign(
        "container_gone",
        "B",
        "unknown",
        rb"no such container|container .{1,120}? is not running|removal of container .{1,120}? is already in progress"
        rb"|sandbox not found|(?:502|503|504|http 50[234]) .{0,40}?from (?:the )?sandbox",
        (
            b"no such container",
            b"is not running",
            b"already in progress",
            b"sandbox not found",
            b"from sandbox",
            b"from the sandbox",
        ),
        b"Error: No such container: 3f2a",
        b"sandbox not found (404)",
        b"HTTP 502 from sandbox",
        vague=True,
        misses=(b"the server is not running", b"404"),
    ),
)
