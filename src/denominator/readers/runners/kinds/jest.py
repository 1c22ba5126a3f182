"""jest: 1 for a failed assertion, a suite that failed to run, and no tests found alike; its JSON tells them apart.

A suite that failed to run has a message and no assertion results (`numRuntimeErrorTestSuites`).
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="jest",
    exits={0: OK, 1: RED},
    reports=("jest-json", "junit"),
    signs=(
        Sign(r"(?m)^No tests found.*$", E.NOTHING_RAN, (0, 1)),
        Sign(r"(?m)^.*Test suite failed to run.*$", "collection", (1,)),
    ),
    manifests=("package.json", "jest.config.js", "jest.config.ts", "jest.config.mjs", "babel.config.js"),
)
