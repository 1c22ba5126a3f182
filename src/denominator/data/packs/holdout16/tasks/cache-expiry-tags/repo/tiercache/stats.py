"""Counters of a cache."""


class Stats:
    """Hits, misses and entries that were dropped for lack of room."""

    def __init__(self):
        self.hits = 0
        self.misses = 0
        self.evictions = 0

    def as_dict(self):
        return {"hits": self.hits, "misses": self.misses, "evictions": self.evictions}
