import unittest

import sut


class Lies(unittest.TestCase):
    def test_wrong_value(self):
        self.assertEqual(sut.call("bounds:clamp", -3, 0, 9), 7)
