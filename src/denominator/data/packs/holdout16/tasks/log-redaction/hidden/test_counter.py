import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_nothing_masked(self):
        self.assertEqual(sut.call("scrub.redact:redact", "token=a", ["token"]), "token=a")
