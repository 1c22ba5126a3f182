import unittest

from billing.invoice import start_plan


class StartTest(unittest.TestCase):
    def test_whole_period(self):
        invoice = start_plan("2026-03-01", "2026-04-01", "2026-03-01", 3100)
        self.assertEqual(invoice, {"lines": [{"kind": "charge", "cents": 3100, "days": 31}], "total": 3100})

    def test_half_of_april(self):
        self.assertEqual(start_plan("2026-04-01", "2026-05-01", "2026-04-16", 3000)["total"], 1500)


if __name__ == "__main__":
    unittest.main()
