import unittest

import sut


class ExpiryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def cache(self, size):
        handle = self.sut.new("tiercache.store:Cache", size)
        return lambda name, *args, **kwargs: self.sut.method(handle, name, *args, **kwargs)

    def counts(self, do):
        stats = do("stats")
        return [stats[name] for name in ("hits", "misses", "evictions", "expirations")]

    def test_edge_of_a_lifetime(self):
        do = self.cache(3)
        do("put", "a", "A", 10, ttl=5)
        do("put", "b", "B", 10)
        self.assertEqual([do("get", "a", 14), do("peek", "a", 14), do("keys", 14)], ["A", "A", ["b", "a"]])
        self.assertEqual([do("peek", "a", 15, "gone"), do("keys", 15), do("get", "a", 15, "gone")], ["gone", ["b"], "gone"])
        self.assertEqual(do("get", "b", 10**9), "B")
        self.assertEqual(self.counts(do), [2, 1, 0, 1])

    def test_looking_has_no_effect(self):
        do = self.cache(2)
        do("put", "a", 1, 0, ttl=5)
        do("put", "b", 2, 0)
        for _ in range(3):
            do("peek", "a", 9)
            do("peek", "a", 1)
            do("keys", 9)
        self.assertEqual(self.counts(do), [0, 0, 0, 0])
        self.assertEqual(do("get", "a", 4), 1)
        self.assertEqual(do("keys", 4), ["b", "a"])

    def test_expired_entries_go_before_live_ones(self):
        full = self.cache(2)
        full("put", "a", 1, 0, ttl=1)
        full("put", "b", 2, 5)
        self.assertEqual([full("keys", 5), self.counts(full)], [["b"], [0, 0, 0, 0]])
        do = self.cache(3)
        do("put", "live", 1, 0)
        do("put", "old1", 2, 1, ttl=2)
        do("put", "old2", 3, 2, ttl=2)
        do("put", "new", 4, 5)
        self.assertEqual(do("keys", 5), ["live", "new"])
        self.assertEqual(self.counts(do), [0, 0, 0, 2])
        self.assertEqual(do("get", "old2", 5, "x"), "x")
        self.assertEqual(self.counts(do), [0, 1, 0, 2])
        do("put", "more", 5, 6)
        do("put", "last", 6, 6)
        self.assertEqual(do("keys", 6), ["new", "more", "last"])
        self.assertEqual(self.counts(do), [0, 1, 1, 2])

    def test_put_replaces_everything(self):
        do = self.cache(2)
        do("put", "a", 1, 0, ttl=5, tags=["t"])
        do("put", "b", 1, 0, ttl=9)
        do("put", "a", 2, 1)
        self.assertEqual(do("keys", 1), ["b", "a"])
        self.assertEqual(do("invalidate", "t", 2), 0)
        self.assertEqual(do("get", "a", 100), 2)
        self.assertEqual(self.counts(do), [1, 0, 0, 0])
        do("put", "b", 3, 50, ttl=1)
        self.assertEqual(self.counts(do), [1, 0, 0, 1])
        self.assertEqual(do("get", "b", 50), 3)

    def test_invalidate(self):
        do = self.cache(5)
        do("put", "a", 1, 0, tags=["red", "blue"])
        do("put", "b", 2, 0, ttl=3, tags=["red"])
        do("put", "c", 3, 0, tags=("blue",))
        do("put", "d", 4, 0, tags=["reddish"])
        self.assertEqual(do("invalidate", "red", 3), 1)
        self.assertEqual(do("keys", 3), ["c", "d"])
        self.assertEqual(do("invalidate", "red", 3), 0)
        self.assertEqual(self.counts(do), [0, 0, 0, 1])
        self.assertEqual(do("invalidate", "blue", 3), 1)

    def test_none_is_a_value(self):
        do = self.cache(2)
        do("put", "a", None, 0, ttl=2)
        self.assertEqual([do("get", "a", 1, "no"), do("peek", "a", 1, "no"), do("get", "a", 2, "no")], [None, None, "no"])
        self.assertEqual(self.counts(do), [1, 1, 0, 1])

    def test_bad_ttl_changes_nothing(self):
        do = self.cache(1)
        do("put", "a", 1, 0)
        for ttl in (0, -1):
            with self.assertRaises(sut.Raised) as caught:
                do("put", "a", 2, 0, ttl=ttl)
            self.assertEqual(caught.exception.type, "ValueError")
        self.assertEqual(do("get", "a", 1), 1)
        do("put", "a", 3, 1, ttl=1)
        self.assertEqual([do("peek", "a", 1), do("peek", "a", 2)], [3, None])

    def test_hit_rate(self):
        do = self.cache(2)
        do("put", "a", 1, 0)
        self.assertIsNone(do("stats")["hit_rate"])
        do("get", "b", 0)
        self.assertEqual(do("stats")["hit_rate"], 0)
        for _ in range(3):
            do("get", "a", 0)
        self.assertEqual(do("stats")["hit_rate"], 0.75)
