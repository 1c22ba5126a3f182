"""What a patch changes of tests, of what runs them, and of what starts by itself: from paths and bytes, never from words."""

from denominator.readers.meddling.git import git_startup
from denominator.readers.meddling.names import is_of_tests, is_settings, is_startup
from denominator.readers.meddling.read import KINDS, Sides, meddled_with
from denominator.readers.meddling.verdicts import is_verdict

__all__ = ["KINDS", "Sides", "git_startup", "is_telling", "is_verdict", "meddled_with"]


def is_telling(path: str) -> bool:
    """Is it a test, a setting of a runner, a start-up hook or a place of verdicts by its name alone?"""
    return is_of_tests(path) or is_settings(path) or is_startup(path) or is_verdict(path)
