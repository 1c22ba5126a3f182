"""Files that are what they are by their name: start-up hooks, settings of test runners, stand-ins for a runner, tests."""

from __future__ import annotations

import re

from denominator.readers.tests.weak import is_test

STARTUP = re.compile(
    r"(?:.*/)?(?:[^/]+\.pth|(?:site|user)customize(?:\.py|/.*)"
    r"|\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|kshrc|zshrc|zshenv|zprofile|zlogin|envrc|pdbrc|gdbinit|npmrc"
    r"|yarnrc(?:\.yml)?|pythonrc(?:\.py)?|pythonstartup(?:\.py)?))\Z"
)
"""What an interpreter, a shell or a package manager runs before it does what it was asked."""
SETTINGS = re.compile(
    r"(?:.*/)?(?:conftest\.py|\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|\.coveragerc|nose2?\.cfg|\.noserc"
    r"|(?:jest|vitest|karma|playwright|cypress|ava|wdio)\.(?:config|conf)\.(?:[cm]?[jt]s|json)|\.mocharc(?:\.\w+)?"
    r"|\.rspec|phpunit\.xml(?:\.dist)?)\Z"
)
STAND_IN = re.compile(r"(?:src/|lib/)?(?:_?pytest|pluggy|unittest|doctest|nose2?)(?:\.py|/.*)\Z")
"""A module of the runner's own name at a place from which it is imported."""
TEST_FOLDERS = frozenset(("test", "tests", "__tests__"))
MAKEFILES = frozenset(("Makefile", "makefile", "GNUmakefile"))


def is_startup(path: str) -> bool:
    """Does it run by itself, before anybody asks for it?"""
    return STARTUP.match(path) is not None


def is_settings(path: str) -> bool:
    """Does the whole file belong to a test runner?"""
    return SETTINGS.match(path) is not None or STAND_IN.match(path) is not None


def is_of_tests(path: str) -> bool:
    """Is it a test by its name, or anything below a folder of tests?"""
    return is_test(path) or not TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def is_makefile(path: str) -> bool:
    """The names under which make looks for its rules."""
    return path in MAKEFILES
