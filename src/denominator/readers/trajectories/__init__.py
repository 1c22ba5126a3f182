"""Trajectories that agents leave, told in one form: ATIF, with the agent's own account of its spend and of its end."""

from denominator.readers.trajectories.check import atif_problems
from denominator.readers.trajectories.read import FORMATS, read_told
from denominator.readers.trajectories.shape import Told

__all__ = ["FORMATS", "Told", "atif_problems", "read_told"]
