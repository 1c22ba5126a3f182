import unittest

import sut


class App(unittest.TestCase):
    def test_totals(self):
        with sut.Service(timeout=2.0, total_s=10.0) as app:
            for numbers, total in (([1, 2, 3], 6), ([4, 6], 10), ([], 0)):
                self.assertEqual(app.json("POST", "/sum", numbers), {"total": total})
