import unittest

import sut


class Counter(unittest.TestCase):
    def test_wrong(self):
        with sut.Service(timeout=2.0, total_s=5.0) as app:
            self.assertEqual(app.json("POST", "/sum", [7, 8]), {"total": 16})
