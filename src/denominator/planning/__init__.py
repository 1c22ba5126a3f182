"""Which draws are promised, in which order, and what they may cost at most."""

from denominator.planning.cost import WorstCase, worst_case
from denominator.planning.interleave import interleave
from denominator.planning.plan import make_plan, order_digest

__all__ = ["WorstCase", "interleave", "make_plan", "order_digest", "worst_case"]
