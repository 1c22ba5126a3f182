"""Gradle: 1 for everything; its JUnit files say what ran."""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="gradle",
    exits={0: OK, 1: RED},
    reports=("junit",),
    signs=(
        Sign(r"(?m)^.*Execution failed for task '[^']*:compile[^']*'.*$", "build", (1,)),
        Sign(r"(?m)^.*Could not resolve all .*$", "dependency", (1,)),
        Sign(r"(?m)^.*No tests found for given includes.*$", E.NOTHING_RAN, (1,)),
    ),
    manifests=("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties"),
    aliases=("gradlew", "./gradlew"),
)
