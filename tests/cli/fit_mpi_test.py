"""The program under mpirun: the same answer with any number of ranks, and one sentence whoever fails."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

import numpy as np
from network import LOCAL, MPI_AVAILABLE, UNDER_MPIRUN, EngineTest, mpirun
from program import CHOIR


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class Mpi(EngineTest):
    def mpirun(self, ranks, *arguments):
        return mpirun(self.folder, ranks, *arguments)

    def refused_by_all(self, ranks, *arguments, words):
        """Exit 2 and one sentence, whichever rank met the trouble; nothing is left behind."""
        before = self.tree()
        begin = time.monotonic()
        done = self.mpirun(ranks, *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        said = [line for line in done.stderr.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, done.stderr)
        for word in words:
            self.assertIn(word, said[0])
        self.assertEqual(self.tree(), before)
        self.assertLess(time.monotonic() - begin, 60)

    def test_the_same_answer_with_any_number_of_ranks(self):
        common = (*LOCAL, *self.shards_given, "--standardize", "zscore")
        self.ok(*common, "--out", "local")
        for ranks in (1, 3, 8):
            done = self.mpirun(ranks, *common, "--engine", "mpi", "--out", f"mpi-{ranks}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("component"), 1, done.stdout)
            self.assertEqual(self.answers(f"mpi-{ranks}"), self.answers("local"))
            self.assertEqual(self.result(f"mpi-{ranks}")["engine"], "mpi")
            self.assertEqual(self.tree_of(f"mpi-{ranks}"), self.tree_of("local"))
            self.assertEqual((self.folder / f"mpi-{ranks}/metrics.jsonl").read_text(),
                             (self.folder / "local/metrics.jsonl").read_text())

    def test_samples_are_drawn_by_the_process_that_has_them(self):
        common = (*LOCAL, *self.shards_given, "--keep-samples", "--report")
        self.ok(*common, "--out", "local")
        self.assertEqual(self.mpirun(3, *common, "--engine", "mpi", "--out", "mpi").returncode, 0)
        drawn, all_drawn = (self.result(run)["embedded_samples"] for run in ("mpi", "local"))
        self.assertEqual(self.result("mpi")["ranks"], 3)
        self.assertTrue(self.result("mpi")["command"].startswith("mpirun -n 3 choir fit local-kpca "))
        self.assertEqual(drawn["whose"], "nodes 0 to 1")
        self.assertEqual(drawn["of"], sum(len(shard) for shard in self.shards[:2]))
        self.assertEqual(drawn["nodes"], all_drawn["nodes"][:2])

    def tree_of(self, run):
        return sorted(path.name for path in (self.folder / run).iterdir())

    def test_one_file_is_dealt_out_as_on_one_machine(self):
        self.save("x.npy", np.concatenate(self.shards))
        common = (*LOCAL, "--data", "x.npy", "--nodes", self.NODES)
        self.ok(*common, "--out", "local")
        self.assertEqual(self.mpirun(2, *common, "--engine", "mpi", "--out", "mpi").returncode, 0)
        self.assertEqual(self.answers("mpi"), self.answers("local"))

    def test_one_node_a_rank(self):
        done = self.mpirun(3, *LOCAL, "--data", "part-{rank}.npy", "--engine", "mpi", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result("run")["nodes"], 3)
        self.refused_by_all(2, *LOCAL, "--data", "part-{rank}.npy", "--nodes", 3, "--engine", "mpi", "--out", "other",
                            words=["2 ranks", "--nodes is 3", "{node}"])

    def test_trouble_of_one_rank_is_the_trouble_of_all(self):
        common = (*LOCAL, *self.shards_given, "--engine", "mpi", "--out", "run")
        (self.folder / "part-5.npy").unlink()
        self.refused_by_all(3, *common, words=["part-5.npy"])
        self.save("part-5.npy", self.blobs(20, 5))
        self.refused_by_all(3, *common, words=["shard 5", "5 features", "part-5.npy"])
        self.save("part-5.npy", self.blobs(3))
        self.refused_by_all(3, *common, words=["node 5", "n_components"])

    def test_trouble_of_all_ranks_is_told_once(self):
        common = ("fit", "local-kpca", *self.shards_given, "--engine", "mpi", "--out", "run")
        self.refused_by_all(3, *common, "--colour", "red", words=["--colour"])
        self.refused_by_all(3, *common, "--kernel", "moon", words=["moon"])
        self.refused_by_all(3, *common, "--sim-loss", 0.1, words=["--sim-loss"])
        self.refused_by_all(3, *common, "--yardsticks", words=["--yardsticks", "not available"])

    def test_a_first_rank_that_comes_late_still_says_it(self):
        late = 'test "$OMPI_COMM_WORLD_RANK" != 0 || sleep 1; exec "$0" "$@"'
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", "sh", "-c", late, CHOIR, "fit", "local-kpca", "--data",
                               "part-{node}.npy", "--nodes", "6", "--engine", "mpi", "--sim-loss", "0.1", "--out", "run"],
                              cwd=self.folder, capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(sum(line.startswith("choir: ") for line in done.stderr.splitlines()), 1, done.stderr)

    def test_the_death_of_a_rank_ends_the_job(self):
        for node in range(3):
            self.save(f"big-{node}.npy", np.random.default_rng(node).normal(size=(6000, 300)))
        before = self.tree()
        # mpirun kills the ranks of a dying job after a second: on a busy machine that is too short for a last word. After six
        # seconds without one the other ranks give it in the speaker's place.
        patient = {**UNDER_MPIRUN, "OMPI_MCA_odls_base_sigkill_timeout": "4"}
        job = subprocess.Popen(["mpirun", "--oversubscribe", "-n", "3", CHOIR, "fit", "local-kpca", "--data",
                                "big-{rank}.npy", "--gamma", "0.001", "--n-components", "20", "--tol", "1e-14", "--engine",
                                "mpi", "--out", "run"],
                               cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=patient)
        victim = self.process_of_rank(job.pid, 2)
        self.wait_until(lambda: self.tree() != before)  # the ranks know each other: one has made the folder of the run
        time.sleep(1)
        os.kill(victim, signal.SIGKILL)
        _, errors = job.communicate(timeout=600)
        self.assertNotEqual(job.returncode, 0)
        said = [line for line in errors.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, errors)
        self.assertIn("rank 2", said[0])
        self.assertEqual(self.tree(), before)

    def wait_until(self, happened):
        for _ in range(600):
            if happened():
                return
            time.sleep(0.1)
        self.fail("waited a minute in vain")

    def process_of_rank(self, mpirun, rank):
        """The child of mpirun that is this rank, once it is there."""
        for _ in range(200):
            for process in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    environment = (process / "environ").read_bytes().split(b"\0")
                except OSError:  # it has just ended, or is just starting
                    continue
                if parent == mpirun and f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment:
                    return int(process.name)
            time.sleep(0.05)
        self.fail("mpirun started no such rank")


if __name__ == "__main__":
    unittest.main()
