import unittest

import sut


class OccurrencesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def days(self, after, count, every, start, **more):
        return self.sut.call("rota.recur:occurrences", {"every": every, "start": start, **more}, after, count)

    def test_month_end_does_not_drift(self):
        self.assertEqual(self.days("2026-01-01", 5, "month", "2026-01-31"),
                         ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
        self.assertEqual(self.days("2027-12-30", 3, "month", "2026-12-30"), ["2028-01-30", "2028-02-29", "2028-03-30"])
        self.assertEqual(self.days("2026-08-31", 3, "month", "2026-08-31", interval=6), ["2027-02-28", "2027-08-31", "2028-02-29"])
        self.assertEqual(self.days("2026-11-29", 2, "month", "2026-11-30", interval=1), ["2026-11-30", "2026-12-30"])

    def test_no_shift_ignores_holidays(self):
        self.assertEqual(self.days("2026-05-01", 3, "day", "2026-05-01", holidays=["2026-05-04"]), ["2026-05-02", "2026-05-03", "2026-05-04"])

    def test_skip(self):
        self.assertEqual(self.days("2026-05-01", 4, "day", "2026-05-01", shift="skip", holidays=["2026-05-05"]),
                         ["2026-05-04", "2026-05-06", "2026-05-07", "2026-05-08"])
        self.assertEqual(self.days("2026-01-01", 2, "month", "2026-01-31", shift="skip"), ["2026-03-31", "2026-04-30"])

    def test_before_crosses_month_and_start(self):
        self.assertEqual(self.days("2026-07-01", 2, "month", "2026-08-01", shift="before"), ["2026-07-31", "2026-09-01"])
        self.assertEqual(self.days("2026-07-01", 1, "month", "2026-08-02", shift="before", holidays=["2026-07-31"]), ["2026-07-30"])

    def test_after_a_moved_day(self):
        self.assertEqual(self.days("2026-07-31", 2, "month", "2026-08-01", shift="before"), ["2026-09-01", "2026-10-01"])
        self.assertEqual(self.days("2026-08-02", 2, "month", "2026-08-01", shift="after"), ["2026-08-03", "2026-09-01"])
        self.assertEqual(self.days("2026-08-02", 1, "month", "2026-08-01", shift="after", holidays=["2026-08-03", "2026-08-04"]), ["2026-08-05"])
        self.assertEqual(self.days("2026-08-03", 1, "month", "2026-08-01", shift="after"), ["2026-09-01"])
        self.assertEqual(self.days("2026-08-01", 1, "month", "2026-08-02", shift="after"), ["2026-08-03"])

    def test_same_day_counts_once(self):
        self.assertEqual(self.days("2026-05-07", 3, "day", "2026-05-01", shift="after"), ["2026-05-08", "2026-05-11", "2026-05-12"])
        self.assertEqual(self.days("2026-05-07", 3, "day", "2026-05-01", shift="before"), ["2026-05-08", "2026-05-11", "2026-05-12"])

    def test_until_is_about_the_unmoved_day(self):
        self.assertEqual(self.days("2026-07-31", 9, "month", "2026-08-01", shift="after", until="2026-08-01"), ["2026-08-03"])
        self.assertEqual(self.days("2026-07-01", 9, "month", "2026-08-01", shift="before", until="2026-07-31"), [])
        self.assertEqual(self.days("2026-01-05", 9, "week", "2026-01-05", until="2026-01-19"), ["2026-01-12", "2026-01-19"])
        self.assertEqual(self.days("2026-01-05", 9, "week", "2026-01-05", until="2026-01-18", interval=2), [])
        self.assertEqual(self.days("2026-01-05", 1, "week", "2026-01-05", until="2026-01-19"), ["2026-01-12"])

    def test_unknown_shift(self):
        for shift in ("nearest", "", "Before"):
            with self.assertRaises(sut.Raised) as caught:
                self.days("2026-01-05", 1, "week", "2026-01-05", shift=shift)
            self.assertEqual(caught.exception.type, "ValueError")
