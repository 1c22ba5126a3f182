"""The cache."""

from tiercache.stats import Stats


class Cache:
    """Keeps the entries that were used last. The dict's order is the order of use."""

    def __init__(self, max_items):
        if max_items < 1:
            raise ValueError("max_items must be at least 1")
        self._max_items = max_items
        self._entries = {}
        self._stats = Stats()

    def put(self, key, value, now):
        self._entries.pop(key, None)
        self._entries[key] = value
        while len(self._entries) > self._max_items:
            del self._entries[next(iter(self._entries))]
            self._stats.evictions += 1

    def get(self, key, now, default=None):
        if key not in self._entries:
            self._stats.misses += 1
            return default
        self._stats.hits += 1
        self._entries[key] = self._entries.pop(key)
        return self._entries[key]

    def peek(self, key, now, default=None):
        return self._entries.get(key, default)

    def keys(self, now):
        return list(self._entries)

    def stats(self):
        return self._stats.as_dict()
