"""Maven with Surefire: 1 for everything. Surefire's JUnit files say what ran; Maven's words are hints beside a status.

`There are test failures`: red. `COMPILATION ERROR`: the build. `Could not resolve`: a dependency, nobody's code.
`forked VM terminated`: the process died (who sent the signal decides). `No tests were executed`: never a pass.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="maven",
    exits={0: OK, 1: RED},
    reports=("junit",),
    signs=(
        Sign(r"(?m)^.*COMPILATION ERROR.*$", "build", (1,)),
        Sign(r"(?m)^\[ERROR\] \S+\.(?:java|kt):\[\d+,\d+\].*$", "build", (1,)),
        Sign(r"(?m)^.*Could not resolve dependencies.*$|^.*Could not (?:find|transfer) artifact.*$", "dependency", (1,)),
        Sign(r"(?m)^.*forked VM terminated.*$", "worker", (1,)),
        Sign(r"(?m)^.*No tests were executed.*$|^.*No tests to run.*$", E.NOTHING_RAN, (0, 1)),
    ),
    manifests=("pom.xml", ".mvn/extensions.xml"),
    aliases=("mvn", "mvn test", "surefire"),
)  # fmt: skip
