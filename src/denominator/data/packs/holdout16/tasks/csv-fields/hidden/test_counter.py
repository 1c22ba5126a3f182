import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_spaces_are_dropped(self):
        self.assertEqual(sut.call("fields.line:split", "a , b"), ["a", "b"])
