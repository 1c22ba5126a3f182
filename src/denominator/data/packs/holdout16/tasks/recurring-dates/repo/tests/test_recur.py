import unittest

from rota.recur import occurrences


class RecurTest(unittest.TestCase):
    def test_days(self):
        self.assertEqual(occurrences({"every": "day", "start": "2026-01-01", "interval": 10}, "2026-01-11", 2), ["2026-01-21", "2026-01-31"])

    def test_weeks(self):
        self.assertEqual(occurrences({"every": "week", "start": "2026-01-05"}, "2026-01-05", 2), ["2026-01-12", "2026-01-19"])

    def test_months(self):
        self.assertEqual(occurrences({"every": "month", "start": "2026-01-15"}, "2026-11-30", 2), ["2026-12-15", "2027-01-15"])


if __name__ == "__main__":
    unittest.main()
