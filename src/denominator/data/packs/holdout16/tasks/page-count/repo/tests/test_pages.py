import unittest

from pager.pages import page, page_count


class PagesTest(unittest.TestCase):
    def test_full_pages(self):
        self.assertEqual(page_count(20, 10), 2)
        self.assertEqual(page([1, 2, 3], 2, 2), [3])


if __name__ == "__main__":
    unittest.main()
