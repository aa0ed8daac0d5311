"""25 cells of the benchmark, small ones of every kind, against the bars that hold for each single cell."""
import dataclasses
import os
import pathlib
import tempfile
import unittest

from cell import Setting, run_cell
from design import one
from summary import ALARMING, calls_itself_good, ends_properly, excess, has_answer, line_of

LONG = 500  # seconds; a run that takes longer hangs, on any machine
C, G, O = "consensus-kpca/", "gossip-pca/", "oneshot-kpca/"
CELLS = [
    one("test", "central-kpca/landmarks", "diabetes", "rbf", 1, "none", 5, "none"),
    one("test", C + "default", "wine", "rbf", 5, "ring", 5),
    one("test", C + "default", "digits", "laplacian", 5, "ring", 5),
    one("test", C + "default", "breast-cancer", "rbf", 5, "complete", 10),
    one("test", C + "samples", "moons", "rbf", 20, "ring", 5, extra=("--exchange-noise", "0.001")),
    one("test", C + "samples", "constant-columns", "poly", 5, "line", 5, "label"),
    one("test", C + "landmarks", "breast-cancer-zscore", "rbf", 20, "tree", 10, "label"),
    one("test", C + "landmarks", "one-hot", "laplacian", 20, "star", 5),
    one("test", C + "landmarks", "offset", "rbf", 100, "random", 5),
    one("test", C + "landmarks", "duplicates", "rbf", 20, "ring", 5, "three"),
    one("test", C + "random-features", "circles", "rbf", 5, "complete", 5, "sizes"),
    one("test", G + "linear", "diabetes", "linear", 20, "complete", 5, fault="partition"),
    one("test", G + "linear", "wine", "linear", 20, "line", 5),
    one("test", G + "linear", "scales", "linear", 5, "ring", 5, fault="loss"),
    one("test", G + "linear", "fast-spectrum", "linear", 100, "random", 10),
    one("test", G + "linear", "offset", "linear", 20, "complete", 5, fault="crash"),
    one("test", G + "linear", "breast-cancer", "linear", 5, "complete", 5, "sizes", fault="slow"),
    one("test", G + "landmarks", "breast-cancer-zscore", "rbf", 20, "random", 5, "label"),
    one("test", G + "random-features", "moons", "laplacian-std", 5, "tree", 5),
    one("test", O + "default", "wine", "linear", 2, "none", 2, "features"),
    one("test", O + "default", "breast-cancer", "linear", 2, "none", 5, "features"),
    one("test", O + "product", "breast-cancer-zscore", "rbf", 5, "none", 5, "features"),
    one("test", O + "distances", "one-hot", "poly", 5, "none", 5, "features"),
    one("test", O + "tree", "offset", "rbf", 5, "tree", 5, "features"),
    one("test", O + "gossip", "diabetes", "rbf", 5, "ring", 5, "features"),
]


def judged(cell):
    with tempfile.TemporaryDirectory() as folder:
        return run_cell(cell, Setting(os.environ["CHOIR"], limit=LONG), pathlib.Path(folder))


class Bars(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = [judged(dataclasses.replace(cell, number=number)) for number, cell in enumerate(CELLS, 1)]

    def test_every_run_ends_with_an_exit_code_that_means_something(self):
        for row in self.rows:
            self.assertTrue(ends_properly(row), f"{line_of(row)}\n{row['said']}")

    def test_every_answer_can_be_judged_and_every_refusal_has_a_sentence(self):
        for row in self.rows:
            self.assertTrue(has_answer(row) if row["exit"] in (0, 3) else row["said"], f"{line_of(row)}\n{row['said']}")

    def test_no_run_that_ends_well_claims_much_more_than_is_true(self):
        for row in self.rows:
            if has_answer(row) and calls_itself_good(row) and row["claimed"] is not None:
                self.assertLessEqual(excess(row), ALARMING, line_of(row))

    def test_captured_variance_is_never_more_than_there_is(self):
        for row in self.rows:
            if row["captured"] is not None:
                self.assertLessEqual(row["captured"], 1 + 1e-6, line_of(row))


if __name__ == "__main__":
    Bars.setUpClass()
    print("\n".join(map(line_of, Bars.rows)))
