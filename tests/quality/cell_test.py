"""The command line of a cell, and what becomes of its endings."""
import dataclasses
import os
import pathlib
import stat
import tempfile
import unittest

import numpy as np
from cell import Setting, eigenvalues_off, fault_words, fit_words, gamma_asked_for, is_possible, run_cell, topology_words
from design import Cell
from tables import load
from truth import Central

CHOIR = os.environ["CHOIR"]
CELL = Cell("consensus-kpca/landmarks", "wine", "rbf", "iid", 5, "ring", "2", "none", number=4)


class CellTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, script):
        """A program that ends as the test wants it."""
        path = self.folder / "program"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)


class Words(CellTest):
    def test_options_come_from_the_factors(self):
        table = load("breast-cancer-zscore")
        words = " ".join(fit_words(dataclasses.replace(CELL, table="breast-cancer-zscore", extra=("--rho", "3")), table, table.x, "part-{node}.npy"))
        self.assertEqual(words, "fit consensus-kpca --data part-{node}.npy --standardize zscore --share landmarks --kernel rbf --n-components 2 --nodes 5 "
                                "--topology ring:2 --rho 3 --random-state 4 --threads 1 --out run")

    def test_topologies_and_faults_are_those_of_the_program(self):
        self.assertEqual([topology_words(name, 20) for name in ("ring", "line", "star", "tree", "complete", "random")],
                         ["ring:4", "line", "star", "tree:2", "complete", "erdos:0.374"])
        self.assertEqual(fault_words("partition", 20), ["--sim-partition", "0..9@100ms..4s"])
        self.assertEqual(fault_words("crash", 2), ["--sim-crash", "1@200ms"])


class Asked(unittest.TestCase):
    def test_gamma_is_that_of_support_vector_machines(self):
        x = load("wine").x
        self.assertAlmostEqual(gamma_asked_for(CELL, x), 1 / (13 * x.var()))
        self.assertAlmostEqual(gamma_asked_for(CELL, x + 1e8) * 13 * x.var(), 1, places=6)

    def test_whether_there_are_as_many_components(self):
        x = load("constant-columns").x  # six columns that vary
        for kernel, components, possible in (("linear", "5", True), ("linear", "10", False), ("rbf", "10", True), ("rbf", "0.9", True)):
            self.assertEqual(is_possible(dataclasses.replace(CELL, kernel=kernel, components=components), x), possible, (kernel, components))


class Eigenvalues(unittest.TestCase):
    def test_the_largest_relative_error(self):
        central = Central(np.array([4.0, 2.0, 1.0]), np.eye(3), 7, resolved=1e-12)
        self.assertAlmostEqual(eigenvalues_off(central, [4.0, 1.0]), 0.5)
        self.assertAlmostEqual(eigenvalues_off(central, [4.4, 2.0, 1.0]), 0.1)


class Endings(CellTest):
    def test_an_answer_is_compared_with_the_truth(self):
        row = run_cell(dataclasses.replace(CELL, method="central-kpca/landmarks", nodes=1, split="none", topology="none"), Setting(CHOIR), self.folder)
        self.assertEqual((row["exit"], row["kept"], row["samples"]), (0, 2, 178))
        self.assertGreater(row["true"], 0.99)
        self.assertGreater(row["captured"], 0.99)
        self.assertLess(row["eigenvalues_off"], 0.01)
        self.assertLessEqual(row["captured"], 1 + 1e-9)

    def test_shards_together_are_the_pooled_samples(self):
        run_cell(CELL, Setting(self.program("exit 2")), self.folder)
        shards = np.concatenate([np.load(self.folder / f"part-{node}.npy") for node in range(5)])
        np.testing.assert_array_equal(shards, np.load(self.folder / "x.npy"))

    def test_a_refusal_is_quoted(self):
        row = run_cell(CELL, Setting(self.program("echo 'first'; echo 'too few' >&2; exit 2")), self.folder)
        self.assertEqual((row["exit"], row["said"], row["true"], row["possible"]), (2, "too few", None, True))

    def test_a_run_that_does_not_end_is_ended(self):
        for endless in ("exec sleep 600", "while true; do true; done"):
            row = run_cell(CELL, Setting(self.program(endless), limit=0.2), self.folder)
            self.assertEqual((row["exit"], row["true"]), ("time-out", None))

    def test_a_crash_keeps_its_signal(self):
        self.assertEqual(run_cell(CELL, Setting(self.program("kill -ABRT $$")), self.folder)["exit"], -6)

    def test_a_table_that_cannot_be_had_is_skipped(self):
        row = run_cell(dataclasses.replace(CELL, table="mnist"), Setting("/nowhere", data=self.folder), self.folder)
        self.assertEqual(row["exit"], "skipped")
