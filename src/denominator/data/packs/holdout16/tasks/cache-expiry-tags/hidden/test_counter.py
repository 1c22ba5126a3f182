import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_alive_at_the_last_second(self):
        with sut.Session() as session:
            cache = session.new("tiercache.store:Cache", 2)
            session.method(cache, "put", "a", 1, 0, ttl=5)
            self.assertEqual(session.method(cache, "get", "a", 5), 1)
