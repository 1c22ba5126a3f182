import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_touching_is_taken(self):
        self.assertIs(sut.call("rooms.book:free", [[540, 600]], 600, 660), False)
