"""vitest: jest's JSON shape; 1 for failures, files that do not load, errors outside tests, and no test files alike."""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="vitest",
    exits={0: OK, 1: RED},
    reports=("jest-json", "junit", "tap"),
    signs=(Sign(r"(?m)^No test files found.*$", E.NOTHING_RAN, (0, 1)),),
    manifests=("package.json", "vitest.config.ts", "vitest.config.js", "vite.config.ts", "vite.config.js"),
)
