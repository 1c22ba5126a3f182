"""`cargo nextest`: a status of its own for each ending (its documentation): 100 a test failed, 101 the build failed,
4 no test, 102 cargo metadata, 104 the list of tests could not be made, 105 a setup script failed."""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner

RUNNER = Runner(
    name="cargo-nextest",
    exits={
        0: OK,
        4: E.NOTHING_RAN,
        100: RED,
        101: E.BUILD_FAILED,
        102: E.USAGE_ERROR,
        104: E.INTERNAL_ERROR,
        105: E.INTERNAL_ERROR,
    },
    reports=("junit", "libtest"),
    manifests=("Cargo.toml", "Cargo.lock", "build.rs", ".config/nextest.toml"),
    aliases=("nextest", "cargo nextest", "cargo nextest run"),
)
