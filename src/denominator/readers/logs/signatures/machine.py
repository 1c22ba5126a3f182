"""Clocks, stale files, sandbox profiles, graders, and texts of flaky tests, which only a baseline can judge."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

clock, stale, sandbox, grader, flaky = (family(name) for name in ("clock", "stale", "sandbox", "grader", "flaky"))

SIGNATURES = (
    clock(
        "clock_skew",
        "VH",
        "clock_skew",
        rb"clock skew detected|modification time .{1,80}? in the future|system clock .{0,60}?(?:is wrong"
        rb"|went backwards|moved backwards)"
        rb"|release file .{0,200}?is not valid yet|request time(?:stamp)? .{0,40}?too skewed",
        (b"clock skew", b"in the future", b"system clock", b"not valid yet", b"too skewed"),
        b"make: warning:  Clock skew detected.  Your build may be incomplete.",
        b"make: Warning: File 'x' has modification time 3600 s in the future",
        misses=(b"in the future we will see", b"the clock is skewed"),
    ),
    stale(
        "stale_bytecode",
        "V",
        "stale_state",
        rb"bad magic number in '|bad marshal data|could not get source code|source file has \d+ lines",
        (b"bad magic number", b"bad marshal data", b"get source code", b"source file has"),
        b"ImportError: bad magic number in 'sched': b'\\xa7\\r'",
        b"ValueError: bad marshal data (unknown type code)",
        misses=(b"a magic number is bad style",),
    ),
    sandbox(
        "sandbox_profile",
        "VBS",
        "sandbox_config",
        rb"(?:namespace|clone|unshare|ptrace|seccomp|mount|setns|userns).{0,80}?operation not permitted"
        rb"|operation not permitted.{0,80}?(?:namespace|unshare|ptrace|seccomp|setns)|\bbwrap: .{1,120}"
        rb"|zygote (?:check failed|could not|host)|no usable sandbox!|running as root without --no-sandbox"
        rb"|seccomp.{0,60}?(?:failed|not supported|denied|blocked|killed|violation)",
        (b"operation not permitted", b"bwrap: ", b"zygote", b"no usable sandbox", b"no-sandbox", b"seccomp"),
        b"move to new namespace failed: errno = Operation not permitted",
        b"FATAL zygote check failed",
        b"bwrap: No permissions to creating new namespace",
        misses=(b"PermissionError: Operation not permitted", b"a new namespace is permitted"),
    ),
    grader(
        "grader_report",
        "VH",
        "grader_error",
        rb"(?:junit|test|verifier|grader|grading|results?) (?:xml |json )?(?:report|result file|output file"
        rb"|reward file)s? .{0,80}?"
        rb"(?:not found|missing|was not written|is empty|cannot be parsed|could not be parsed|not parsable"
        rb"|is not valid)"
        rb"|no (?:test )?report (?:was )?(?:written|found|produced) by the (?:runner|verifier|grader)",
        (b"report", b"result file", b"output file", b"reward file"),
        b"verifier: junit report /out/report.xml not found",
        b"no report was written by the runner",
        misses=(b"the report is ready", b"bug report not found in tracker"),
    ),
    grader(
        "grader_command",
        "V",
        "grader_error",
        rb"\b(?:sh|bash|dash|zsh): (?:line )?\d+: [\w./+-]{1,120}: (?:command )?not found"
        rb"|[\w./+-]{1,120}: line \d+: .{1,120}?: (?:command not found|permission denied|no such file or directory)",
        (b"not found", b"permission denied", b"no such file"),
        b"test.sh: line 8: fetch-tool: command not found",
        b"sh: 1: pytest: not found",
        misses=(b"command not found", b"module not found"),
    ),
    flaky(
        "flaky_text",
        "V",
        "unknown",
        rb"address already in use|\bEADDRINUSE\b|database is locked|deadlock detected",
        (b"address already in use", b"eaddrinuse", b"database is locked", b"deadlock detected"),
        b"OSError: [Errno 98] Address already in use",
        b"sqlite3.OperationalError: database is locked",
        vague=True,
        misses=(b"this address is in use already",),
    ),
)
