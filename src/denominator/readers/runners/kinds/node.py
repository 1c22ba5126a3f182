"""`node --test`: 1 for a failed test and for a file that cannot be loaded alike, and 0 when no test was found.

Reports: TAP (nested subtests are indented by four) and JUnit. A file that fails to load, or leaves early, is a failed
test point whose name is the file; a file without tests is a passed one, which is no test. 9: a wrong option.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="node",
    exits={0: OK, 1: RED, 9: E.USAGE_ERROR},
    reports=("tap", "junit"),
    signs=(
        Sign(r"(?m)^.*node: bad option: .*$", E.USAGE_ERROR, (9,)),
        Sign(r"(?m)^Could not find '.*'$", E.USAGE_ERROR, (1,)),
    ),
    manifests=("package.json", "tsconfig.json"),
    aliases=("node --test", "node-test", "node:test"),
)
