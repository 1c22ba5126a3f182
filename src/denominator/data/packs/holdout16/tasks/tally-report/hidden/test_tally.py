import unittest

import sut

SALES = """amount,place,kind
10.10,north,a
0.20,south,b

5.05,west,a
-0.10,south,a
5.05,east,b
5,"up, = down",
"""
BROKEN = """amount,place
1,north
x,"south
east"
1e3,west
2,north
"""


class TallyTest(unittest.TestCase):
    def tally(self, *argv, text=SALES):
        done = sut.run(["-m", "tally", "sum", *argv], files={"s.csv": text})
        return done.code, done.stdout, done.stderr

    def test_by(self):
        self.assertEqual(self.tally("s.csv", "amount", "--by", "place"),
                         (0, "north\t10.10\neast\t5.05\nwest\t5.05\nup, = down\t5.00\nsouth\t0.10\n", ""))

    def test_where(self):
        conditions = [word for text in ("place=south", "place=west", "kind=a", "place=up, = down", "kind=") for word in ("--where", text)]
        self.assertEqual(self.tally("s.csv", "amount", "--by", "kind", *conditions), (0, "\t5.00\na\t4.95\n", ""))

    def test_nothing_left(self):
        self.assertEqual(self.tally("s.csv", "amount", "--where", "place=sou"), (1, "", ""))
        self.assertEqual(self.tally("s.csv", "amount", "--by", "place", text="amount,place\n"), (1, "", ""))

    def test_unknown_columns(self):
        self.assertEqual(self.tally("s.csv", "amount", "--by", "place", "--where", "town=x", text="amount,place\n"), (2, "", "tally: s.csv: no column town\n"))
        code, out, _ = self.tally("s.csv", "amount", "--where", "place")
        self.assertEqual((code, out), (2, ""))

    def test_bad_amounts(self):
        self.assertEqual(self.tally("s.csv", "amount", text=BROKEN), (2, "", "tally: s.csv:4: not an amount: x\n"))
        self.assertEqual(self.tally("s.csv", "amount", "--where", "place=north", text=BROKEN), (0, "3.00\n", ""))

    def test_shapes_of_amounts(self):
        rows = [f'"{text}",{number}' for number, text in enumerate(("", ".5", "1_000"))]
        text = "amount,n\n" + "\n".join(rows) + "\n"
        for number, shape in ((0, ""), (1, ".5"), (2, "1_000")):
            self.assertEqual(self.tally("s.csv", "amount", "--where", f"n={number}", text=text), (2, "", f"tally: s.csv:{number + 2}: not an amount: {shape}\n"))
        done = sut.run(["-m", "tally", "sum", "-", "amount"], stdin='amount,b\n" 1.5 ",\n+2,\n-0.25,\n' + "9" * 40 + ",\n")
        self.assertEqual((done.code, done.stdout), (0, "1" + "0" * 39 + "2.25\n"))
        done = sut.run(["-m", "tally", "sum", "-", "amount", "--by", "b"], stdin="amount,b\n1,x\n5.,y\nNaN,x\n")
        self.assertEqual((done.code, done.stdout, done.stderr), (2, "", "tally: -:3: not an amount: 5.\n"))

    def test_wrong_number_of_fields(self):
        self.assertEqual(self.tally("s.csv", "amount", "--where", "place=a", text="amount,place\n\nx,a\n1,b,c\n2\n"), (2, "", "tally: s.csv:4: wrong number of fields\n"))
        self.assertEqual(self.tally("s.csv", "amount", text="amount,place\n1\n")[:2], (2, ""))
