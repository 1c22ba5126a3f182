import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_takes_from_the_largest(self):
        with sut.Session() as session:
            depot = session.new("depot.reserve:Depot", {"bolt": {"a": 9, "b": 3}})
            got = session.method(depot, "reserve", "1", [["bolt", 2]])
            self.assertEqual(got[0]["warehouse"], "a")
