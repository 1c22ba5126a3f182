import unittest

import sut

QUICK = 0.005
SLOW = 0.03
CUT_SHORT = 0.5  # never waited for by a solution that cancels


class FanoutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def job(self, *outcomes, delay_s=0.0, group=""):
        return self.sut.stub(*outcomes, delay_s=delay_s, coroutine=True, group=group)

    def run_all(self, jobs, *args, **kwargs):
        return self.sut.call("fanout.pool:run_all", jobs, *args, **kwargs)

    def retry(self, job, tries, sleep):
        return self.sut.call("fanout.retry:with_retry", job, tries, 1, 5, sleep=sleep)

    def calls(self, *jobs):
        return [len(self.sut.stub_log(job)["calls"]) for job in jobs]

    def raised(self, function, *args, **kwargs):
        with self.assertRaises(sut.Raised) as caught:
            function(*args, **kwargs)
        return caught.exception.type, caught.exception.message

    def test_limit_is_kept_and_used(self):
        jobs = [self.job(n, delay_s=QUICK if n else SLOW, group="limit") for n in range(7)]
        self.assertEqual(self.run_all(jobs, 3), list(range(7)))
        self.assertEqual(self.sut.stub_log(jobs[0])["peak"], 3)
        free = [self.job(n, delay_s=QUICK, group="free") for n in range(6)]
        self.assertEqual(self.run_all(free), list(range(6)))
        self.assertEqual(self.sut.stub_log(free[0])["peak"], 6)
        one = [self.job(n, delay_s=0.001, group="one") for n in range(4)]
        self.assertEqual(self.run_all(one, 1, "collect"), [{"ok": True, "value": n} for n in range(4)])
        self.assertEqual(self.sut.stub_log(one[0])["peak"], 1)

    def test_no_batches(self):
        long = self.job("long", delay_s=CUT_SHORT)
        quick = [self.job(n) for n in range(3)]
        fails = self.job(sut.raises("KeyError", "end"))
        self.assertEqual(self.raised(self.run_all, [long, *quick, fails], limit=2)[0], "KeyError")
        self.assertEqual(self.sut.stub_log(long)["cancelled"], 1)
        self.assertEqual(self.calls(*quick), [1, 1, 1])

    def test_wrong_arguments(self):
        job = self.job(1)
        for more in ({"limit": 0}, {"limit": -1}, {"on_error": "ignore"}):
            self.assertEqual(self.raised(self.run_all, [job], **more)[0], "ValueError")
        self.assertEqual(self.raised(self.run_all, [], limit=0)[0], "ValueError")
        self.assertEqual(self.calls(job), [0])

    def test_no_jobs(self):
        self.assertEqual(self.run_all([]), [])
        self.assertEqual(self.run_all([], 2, on_error="collect"), [])

    def test_raise_stops_everything(self):
        bad = self.job(sut.raises("OSError", "first"), delay_s=QUICK)
        running = self.job("no", delay_s=CUT_SHORT)
        later = self.job(sut.raises("KeyError", "second"), delay_s=CUT_SHORT)
        never = self.job("never")
        self.assertEqual(self.raised(self.run_all, [running, bad, later, never], limit=3), ("OSError", "first"))
        for job in (running, later):
            log = self.sut.stub_log(job)
            self.assertEqual((log["finished"], log["cancelled"]), (0, 1))
        self.assertEqual(self.calls(never), [0])
        together = [self.job(sut.raises("OSError", "same moment")), self.job(1), self.job(2), self.job(3)]
        self.assertEqual(self.raised(self.run_all, together, limit=2)[0], "OSError")
        self.assertEqual(self.calls(*together), [1, 1, 0, 0])
        both = [self.job(sut.raises("OSError", "one")), self.job(sut.raises("OSError", "two"))]
        self.assertEqual(self.raised(self.run_all, both), ("OSError", "one"))

    def test_collect_goes_on(self):
        jobs = [self.job(sut.raises("OSError", "no disk")), self.job(5, delay_s=QUICK), self.job(sut.raises("fanout.errors:Transient", "later")), self.job(None)]
        for limit in (1, None):
            self.assertEqual(self.run_all(jobs, limit, "collect"), [
                {"ok": False, "error": "OSError", "message": "no disk"}, {"ok": True, "value": 5},
                {"ok": False, "error": "Transient", "message": "later"}, {"ok": True, "value": None}])

    def test_retry_until_it_works(self):
        again = sut.raises("fanout.errors:Transient", "busy")
        job, sleep = self.job(again, again, again, again, "done"), self.job()
        self.assertEqual(self.retry(job, 6, sleep), "done")
        self.assertEqual(self.sut.stub_log(sleep)["calls"], [[[1], {}], [[2], {}], [[4], {}], [[5], {}]])

    def test_retry_gives_up(self):
        job, sleep = self.job(*[sut.raises("fanout.errors:Transient", f"try {n}") for n in (1, 2, 3, 4)]), self.job()
        self.assertEqual(self.raised(self.retry, job, 3, sleep), ("Transient", "try 3"))
        self.assertEqual(self.calls(job, sleep), [3, 2])
        once, pause = self.job("ok"), self.job()
        self.assertEqual(self.retry(once, 1, pause), "ok")
        self.assertEqual(self.raised(self.retry, once, 0, pause)[0], "ValueError")
        self.assertEqual(self.calls(once, pause), [1, 0])

    def test_retry_only_what_helps(self):
        job, sleep = self.job(sut.raises("fanout.errors:Transient"), sut.raises("OSError", "hard"), "x"), self.job()
        self.assertEqual(self.raised(self.retry, job, 5, sleep), ("OSError", "hard"))
        self.assertEqual(self.calls(job, sleep), [2, 1])
