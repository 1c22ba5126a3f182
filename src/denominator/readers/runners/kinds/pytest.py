"""pytest: six exit statuses, of which 2 and 4 have two causes each, and 0 proves nothing alone.

0 is also what an all-skipped run, an all-xfail run, and a hook that resets the status give. 1: something ran and failed
or erred. 2: a module could not be collected, *or* somebody interrupted the run. 3: an internal error, mostly a hook that
raised. 4: a wrong option, a missing file, *or* a broken conftest. 5: nothing was collected.
"""

from denominator.readers.runners.kinds.shape import OK, RED, E, Runner, Sign

RUNNER = Runner(
    name="pytest",
    exits={
        0: OK,
        1: RED,
        2: E.COLLECTION_ERROR,
        3: E.INTERNAL_ERROR,
        4: E.USAGE_ERROR,
        5: E.NOTHING_RAN,
    },
    reports=("junit", "pytest-json", "kit"),
    errors_are="setup",
    signs=(
        Sign(r"(?m)^INTERNALERROR>.*$", "internal", (3,)),
        Sign(r"(?m)^.*\d errors? during collection.*$", "collection", (1, 2)),
        Sign(r"(?m)^!+ (?:KeyboardInterrupt|_pytest\.outcomes\.Exit).* !+$", E.INCOMPLETE, (2,)),
        Sign(r"(?m)^ImportError while loading conftest .*$", E.USAGE_ERROR, (4,)),
        Sign(r"(?m)^.*unrecognized arguments: .*$", E.USAGE_ERROR, (4,)),
        Sign(r"(?m)^ERROR: (?:file or directory )?not found: .*$", E.USAGE_ERROR, (4,)),
        Sign(r"(?m)^.*(?:node down: |worker '?gw\d+'? crashed).*$", "worker", (1, 3)),
    ),
    manifests=("conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "sitecustomize.py"),
    aliases=("py.test", "python -m pytest", "pytest-xdist"),
)
