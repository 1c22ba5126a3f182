import unittest

from tiercache.store import Cache


class StoreTest(unittest.TestCase):
    def test_oldest_use_goes_first(self):
        cache = Cache(2)
        cache.put("a", 1, 0)
        cache.put("b", 2, 0)
        cache.get("a", 1)
        cache.put("c", 3, 2)
        self.assertEqual(cache.keys(2), ["a", "c"])
        self.assertEqual(cache.get("b", 3, "none"), "none")
        counts = cache.stats()
        self.assertEqual((counts["hits"], counts["misses"], counts["evictions"]), (1, 1, 1))


if __name__ == "__main__":
    unittest.main()
