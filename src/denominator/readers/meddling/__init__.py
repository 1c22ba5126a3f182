"""What a patch changes of tests, of what runs them, and of what starts by itself: from paths and bytes, never from words."""

from denominator.readers.meddling.git import git_startup
from denominator.readers.meddling.read import KINDS, Sides, meddled_with
from denominator.readers.meddling.verdicts import is_verdict

__all__ = ["KINDS", "Sides", "git_startup", "is_verdict", "meddled_with"]
