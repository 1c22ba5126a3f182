"""Words of endings as they stand in logs: one example at least of every known signature, for noise that must move nothing."""

from __future__ import annotations

PHRASES = (
    # git, ssh
    "fatal: unable to access 'https://git.invalid/x/': Could not resolve host: git.invalid",
    "fatal: unable to connect: failed to connect to git.invalid port 443: connection timed out",
    "error: RPC failed; curl 56 recv failure", "error: RPC failed; HTTP 502", "fatal: early EOF",
    "fatal: the remote end hung up unexpectedly", "fetch-pack: unexpected disconnect while reading sideband packet",
    "remote: Repository a/b not found.", "fatal: Authentication failed for 'https://git.invalid/'",
    "fatal: could not read Username for 'https://git.invalid'", "fatal: reference is not a tree: 1a2b3c",
    "fatal: bad object HEAD", "fatal: couldn't find remote ref v9", "fatal: ambiguous argument: unknown revision",
    "fatal: detected dubious ownership in repository", "fatal: Unable to create '.git/index.lock': File exists.",
    "error: corrupt patch at line 7", "error: patch failed: a.py:1", "error: a.py: patch does not apply",
    "ssh: Could not resolve hostname box.invalid", "ssh: connect to host box.invalid port 22: Connection refused",
    "kex_exchange_identification: Connection closed by remote host", "client_loop: send disconnect: Broken pipe",
    "packet_write_wait: write failed: Broken pipe", "Permission denied (publickey).", "Host key verification failed.",
    # containers, clusters, kernel
    "toomanyrequests: You have reached your pull rate limit", "429 Too Many Requests - Server message: registry",
    "manifest unknown: manifest unknown", "manifest for x:1 not found", "pull access denied for x, repository does not exist",
    "exec /usr/bin/tool: exec format error", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock",
    "error during connect: Post http://docker", "context deadline exceeded", "OCI runtime create failed: runc: error",
    "crun: open executable: failed", "Error: No such container: 3f", "container 3f is not running",
    "removal of container 3f is already in progress", "The node was low on resource: memory. Evicted", "Preempting pod x",
    "NodeLost", "NodeShutdown", "FailedScheduling", "ErrImagePull", "ImagePullBackOff", "OOMKilled", "DeadlineExceeded",
    "CreateContainerConfigError", "InvalidImageName", "Out of memory: Killed process 123 (python)",
    "oom-kill:constraint=CONSTRAINT_MEMCG", "Killed", "killed", "exit code 137", "signal: killed",
    # memory, disk
    "MemoryError", "std::bad_alloc", "FATAL ERROR: JavaScript heap out of memory", "java.lang.OutOfMemoryError",
    "fork: retry: Resource temporarily unavailable", "RuntimeError: can't start new thread", "OSError: [Errno 24] Too many open files",
    "OSError: [Errno 28] No space left on device", "ENOSPC: no space left on device, write", "sqlite3.OperationalError: database or disk is full",
    "Disk quota exceeded", "OSError: [Errno 30] Read-only file system", "OSError: [Errno 5] Input/output error",
    "Stale file handle", "Structure needs cleaning",
    # network
    "Temporary failure in name resolution", "Name or service not known", "getaddrinfo EAI_AGAIN", "getaddrinfo ENOTFOUND",
    "could not resolve host: index.invalid", "Connection reset by peer", "Connection refused", "Connection timed out",
    "read ECONNRESET", "connect ECONNREFUSED", "connect ETIMEDOUT", "socket hang up", "Remote end closed connection without response",
    "certificate has expired", "certificate is not yet valid", "ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED",
    "self-signed certificate in certificate chain", "curl: (6) Could not resolve host", "curl: (7) Failed to connect",
    "curl: (28) Operation timed out", "curl: (35) TLS connect error", "curl: (52) Empty reply from server",
    "curl: (56) Recv failure", "requests.exceptions.ConnectionError", "urllib.error.URLError", "ChunkedEncodingError",
    "httpx.ConnectError", "httpx.ReadTimeout", "httpx.RemoteProtocolError", "aiohttp.ServerDisconnectedError", "httpx.PoolTimeout",
    # model clients
    "openai.RateLimitError: Error code: 429", "HTTP 429 slow down", "insufficient_quota", "You exceeded your current quota",
    "anthropic.InternalServerError: 529 overloaded_error", "ServiceUnavailableError 503", "APIConnectionError", "APITimeoutError",
    "AuthenticationError 401", "UnsupportedParamsError", "ContextWindowExceededError", "ContentPolicyViolationError",
    "APIResponseValidationError", "API Error, fetch failed and overloaded", "resource exhausted", "rate limit reached",
    # packages
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'", "ERROR: No matching distribution found for x==2",
    "THESE PACKAGES DO NOT MATCH THE HASHES", "ResolutionImpossible", "ERROR: Package 'x' requires a different Python: requires python",
    "npm ERR! code ECONNREFUSED", "npm ERR! code E429", "npm ERR! code E404", "npm ERR! code ERESOLVE", "npm ERR! code EINTEGRITY",
    "warning: spurious network error (3 tries remaining)", "error: failed to download from registry", "error: no matching package named `x` found",
    "E: Failed to fetch http://mirror.invalid Hash Sum mismatch", "Temporary failure resolving 'mirror.invalid'",
    "E: Unable to locate: 404 Not Found", "Could not transfer artifact a:b:jar", "Could not resolve dependencies for project",
    # clock, state, sandbox, grader, flaky hints
    "make: warning: Clock skew detected. Your build may be incomplete.", "File 'a.o' has modification time 3 s in the future",
    "ImportError: bad magic number in 'a'", "ValueError: bad marshal data", "OSError: could not get source code",
    "bwrap: Creating new namespace failed: Operation not permitted", "unshare: unshare failed: Operation not permitted",
    "ptrace: Operation not permitted", "move to new namespace failed: errno = Operation not permitted", "FATAL zygote check failed",
    "seccomp: filter not loaded", "report.xml: not parsable", "task id not found in dataset", "OSError: [Errno 98] Address already in use",
    "EADDRINUSE", "database is locked", "deadlock detected", "agent timed out after 1800.0s", "TimeoutError", "timed out",
    # runners
    "INTERNALERROR> Traceback", "collected 0 items", "no tests ran in 0.01s", "Ran 0 tests in 0.000s", "OK", "1 failed in 0.2s",
    "PASSED tests/test_p.py::test_a", "--- FAIL: TestA", "[build failed]", "panic: test timed out after 10m", "[no test files]",
    "worker 'gw0' crashed while running", "node down: Not properly terminated", "BUILD FAILURE", "The forked VM terminated",
    "COMPILATION ERROR", "There are test failures.", "tool_exit=137", "tool_exit=255", "sh: 1: fetch-tool: not found",
)  # fmt: skip
EVENTS_IN_DISGUISE = (
    "provider_call seq=9 status=429 outcome=gave_up", "sandbox_exit code=137 oom_killed=true", "verify_done exit=1",
    "wall_cap reached cap_s=900 signal=TERM", "agent_exit code=137", "10:00:00.000 harness/evt| sandbox_exit code=137 oom_killed=true",
)  # fmt: skip
"""Lines that look like events of a harness: printed by an agent they are words."""
