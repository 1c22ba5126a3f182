"""How many draws a column was to have, as far as the configuration says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.importers.foreign import undeclared
from denominator.records.declarations import Declaration

OPTIONS = ("evaluateOptions", "commandLineOptions")
NO_IDS = "a test has no id of its own; the configuration says how many there are"


def plan_of(run_id: str, config: Mapping[str, Any]) -> Declaration:
    """Tests times repeats by number, or the reason why nobody can say."""
    tests = config.get("tests")
    if not isinstance(tests, list) or not tests:
        why = "the configuration in the document lists no tests"
    elif not (why := _unclear(config, tests)):
        return undeclared(run_id, NO_IDS, len(tests) * repeat_of(config))
    return undeclared(run_id, f"promptfoo results hold the rows that were made: {why}")


def _unclear(config: Mapping[str, Any], tests: list[Any]) -> str:
    """Why the number of tests is not the number of rows of a column; "" where it is."""
    if config.get("scenarios"):
        return "the configuration makes tests of scenarios"
    if not all(isinstance(one, dict) for one in tests):
        return "the configuration names files of tests"
    if any(_many(one) for one in (config.get("defaultTest"), *tests)):
        return "variables that are lists or files make several tests of one"
    if any(one.get(key) for one in tests for key in ("providers", "prompts")):
        return "some tests are for some columns alone"
    filters = _filters(config)
    return f"the run was narrowed ({', '.join(filters)})" if filters else ""


def repeat_of(config: Mapping[str, Any]) -> int:
    """How often each test was to be made; 1 where nothing says so."""
    for table in reversed(OPTIONS):
        options = config.get(table)
        value = options.get("repeat") if isinstance(options, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 10_000:
            return value
    return 1


def _many(test: object) -> bool:
    """Does a test, or the default of all of them, stand for several? One that is a file may."""
    if test is None:
        return False
    given = test.get("vars") if isinstance(test, dict) else test
    if given is None:
        return False
    if not isinstance(given, dict):
        return True
    return any(isinstance(one, list) or (isinstance(one, str) and "file://" in one) for one in given.values())


def _filters(config: Mapping[str, Any]) -> list[str]:
    """Options that leave tests out."""
    found = []
    for table in OPTIONS:
        options = config.get(table)
        for name, value in options.items() if isinstance(options, dict) else ():
            if name.startswith("filter") and value not in (None, False, "", 0) and len(name) < 60:
                found.append(name)
    return sorted(set(found))
