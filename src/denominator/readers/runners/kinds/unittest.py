"""unittest: 1 for failures and for modules that cannot be imported alike; "Ran 0 tests" leaves with 0 before Python 3.12.

Its own account has no structure, so a report comes from our kit or from a JUnit writer. Errors are counted apart from
failures: a module that cannot be imported is a case of `unittest.loader._FailedTest`.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="unittest",
    exits={0: OK, 1: RED, 2: E.USAGE_ERROR, 5: E.NOTHING_RAN},
    reports=("kit", "junit"),
    errors_are="setup",
    signs=(
        Sign(r"(?m)^Ran 0 tests in .*$", E.NOTHING_RAN, (0, 1, 5)),
        Sign(r"(?m)^ImportError: Failed to import test module: .*$", "collection", (1,)),
    ),
    manifests=("sitecustomize.py", "setup.cfg", "pyproject.toml"),
    aliases=("python -m unittest",),
)
