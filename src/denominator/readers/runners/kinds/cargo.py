"""`cargo test`: 101 for a failed test, a compile error, a dependency that does not resolve, and an abort: one status.

The kind of message tells them apart: `--message-format=json` (compiler messages with spans, `build-finished`) and
libtest's JSON lines (suites and tests). 0 also when no test exists. 1 is cargo's word for a wrong option.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="cargo",
    exits={0: OK, 101: RED, 1: E.USAGE_ERROR},
    reports=("libtest", "junit"),
    signs=(
        Sign(r"(?m)^error: could not compile .*$", "build", (101,)),
        Sign(r"(?m)^error(?:\[E\d+\])?: .*\n +--> \S+:\d+:\d+$", "build", (101,)),
        Sign(r"(?m)^error: (?:failed to select a version|no matching package|failed to get|failed to download).*$",
             "dependency", (101,)),
        Sign(r"(?m)^.*process didn't exit successfully: .*\(signal: \d+.*$", "worker", (101,)),
    ),
    manifests=("Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain.toml"),
    aliases=("cargo test",),
)  # fmt: skip
