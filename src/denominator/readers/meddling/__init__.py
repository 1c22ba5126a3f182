"""What a patch changes of tests, of what runs them, and of what starts by itself: from paths and bytes, never from words."""

from denominator.readers.meddling.git import git_startup
from denominator.readers.meddling.read import KINDS, Sides, meddled_with

__all__ = ["KINDS", "Sides", "git_startup", "meddled_with"]
