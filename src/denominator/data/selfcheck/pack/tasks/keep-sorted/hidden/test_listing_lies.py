import unittest

import sut


class Lies(unittest.TestCase):
    def test_wrong_value(self):
        self.assertEqual(sut.call("listing:ordered", [3, 1, 2]), [2, 1, 3])
