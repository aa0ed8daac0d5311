"""One rank of a job lies (lying_rank.cpp). The job ends with exit 4 and one sentence that names it, and leaves nothing."""
import os
import subprocess
import unittest

import numpy as np
from network import MPI_AVAILABLE, UNDER_MPIRUN
from program import CHOIR, ProgramTest

LIAR = os.environ["LYING_RANK_LIBRARY"]
GOSSIP = ("gossip-pca", "--n-components", "2")


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class LyingRank(ProgramTest):
    """Nodes 0 - 1 - 2 in a line, a rank each; node 2 lies to node 1."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(1)
        for node in range(3):
            np.save(self.folder / f"part-{node}.npy", random.normal(size=(30, 5)) * [5, 3, 2, 1, 1] + 7)

    def job(self, method, lie):
        fit = [CHOIR, "fit", *method, "--data", "part-{node}.npy", "--nodes", "3", "--topology", "line", "--engine", "mpi",
               "--deadline", "5s", "--out", "run"]
        ranks = ["-n", "2", *fit, ":", "-n", "1"]
        if lie:
            ranks += ["-x", f"LD_PRELOAD={LIAR}", "-x", f"LYING_RANK={lie}"]
        return subprocess.run(["mpirun", "--oversubscribe", *ranks, *fit], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env=UNDER_MPIRUN)

    def found_out(self, method, lie, *words):
        done = self.job(method, lie)
        self.assertEqual(done.returncode, 4, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, done.stderr)
        for word in words:
            self.assertIn(word, said[0])
        self.assertFalse((self.folder / "run").exists())

    def test_without_a_lie_there_is_an_answer(self):
        done = self.job(GOSSIP, None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(sum(self.result("run")["explained_variance_ratio"]), 1)

    def test_another_nodes_name_is_not_accepted(self):
        self.found_out(GOSSIP, "name", "rank 2 (node 2)", "in the name of node 0")

    def test_variances_above_their_total_name_who_sent_them(self):
        self.found_out((*GOSSIP, "--tol", "0"), "values", "node 2 sent a summary", "its variances exceed their total")

    def test_what_choir_does_not_write_names_who_sent_it(self):
        self.found_out(GOSSIP, "length", "rank 2 (node 2)", "a frame is longer than the rest")

    def test_announced_sizes_are_not_believed(self):
        self.found_out(GOSSIP, "announce", "rank 2 announced 70368744177664 bytes")

    def test_samples_that_are_no_numbers_name_who_sent_them(self):
        self.found_out(("consensus-kpca", "--n-components", "2", "--gamma", "0.1", "--share", "samples"), "infinite",
                       "node 2 sent samples", "not finite")


if __name__ == "__main__":
    unittest.main()
