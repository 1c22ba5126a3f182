import unittest

from payers.split import split


class SplitTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split(100, 4), [25, 25, 25, 25])

    def test_nobody(self):
        with self.assertRaises(ValueError):
            split(100, 0)


if __name__ == "__main__":
    unittest.main()
