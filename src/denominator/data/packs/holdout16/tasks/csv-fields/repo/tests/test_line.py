import unittest

from fields.line import join, split


class LineTest(unittest.TestCase):
    def test_both_ways(self):
        self.assertEqual(split('a,"b,c",d'), ["a", "b,c", "d"])
        self.assertEqual(join(["a", "b,c", "d"]), 'a,"b,c",d')


if __name__ == "__main__":
    unittest.main()
