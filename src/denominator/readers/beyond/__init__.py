"""Looks beyond the task: what tool calls name of hidden tests, graders, other processes, histories, upstreams, secrets."""

from denominator.readers.beyond.search import looked_beyond
from denominator.readers.beyond.shape import MOST, Places

__all__ = ["MOST", "Places", "looked_beyond"]
