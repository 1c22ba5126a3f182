import unittest

from rooms.book import free, gaps


class BookTest(unittest.TestCase):
    def test_free(self):
        self.assertTrue(free([[540, 600]], 700, 760))
        self.assertFalse(free([[540, 600]], 550, 560))

    def test_gaps(self):
        self.assertEqual(gaps([[600, 660]], 540, 720), [[540, 600], [660, 720]])


if __name__ == "__main__":
    unittest.main()
