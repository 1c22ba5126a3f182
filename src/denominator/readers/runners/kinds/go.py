"""`go test`: 1 for a failed test, a build that failed, a setup that failed and a hang alike; 0 with no test files.

`go test -json` tells them apart: package events say `[build failed]` and `[setup failed]`, a hang prints
`panic: test timed out` into the package's output, and a package without tests is skipped. 2 is a build that failed in
older versions, and a wrong flag.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="go",
    exits={0: OK, 1: RED, 2: RED},
    reports=("go-json", "junit"),
    signs=(
        Sign(r"(?m)^FAIL\s+\S+ \[build failed\]$", "build", (1, 2)),
        Sign(r"(?m)^FAIL\s+\S+ \[setup failed\]$", "build", (1, 2)),
        Sign(r"(?m)^\S+\.go:\d+:\d+: .*$", "build", (1, 2)),
        Sign(r"(?m)^flag provided but not defined: .*$", E.USAGE_ERROR, (2,)),
        Sign(r"(?m)^panic: test timed out after .*$", "timeout", (1, 2)),
        Sign(r"(?m)^ok  \t.*\[no tests to run\]$|^\?\s+.*\[no test files\]$", E.NOTHING_RAN, (0,)),
        Sign(r"(?m)^go: .*(?:dial tcp|no such host|connection refused).*$", "dependency", (1,)),
    ),
    manifests=("go.mod", "go.sum", "go.work"),
    aliases=("go test", "gotestsum"),
)
