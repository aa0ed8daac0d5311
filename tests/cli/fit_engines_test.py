"""One method, every engine: the same answer, the same ledger, and every failure one sentence. MPI is in fit_mpi_test."""
import os
import shlex
import shutil
import signal
import subprocess
import unittest

import numpy as np
from network import LOCAL, MPI_BUILT_IN, UNDER_MPIRUN, EngineTest
from program import CHOIR


class OneProcess(EngineTest):
    def test_the_same_answer_on_threads_and_in_the_simulator(self):
        common = (*LOCAL, *self.shards_given, "--standardize", "zscore")
        self.ok(*common, "--out", "one", "--threads", 1)
        self.ok(*common, "--out", "two", "--threads", 2)
        self.ok(*common, "--out", "sim", "--engine", "sim")
        self.ok(*common, "--out", "faults", "--engine", "sim", "--sim-latency", "1ms..9ms", "--sim-loss", 0.2,
                "--sim-slow", "2x50", "--sim-join", "3@2s", "--sim-partition", "0..1@0s..1s")
        expected = self.answers("one")
        for run in ("two", "sim", "faults"):
            self.assertEqual(self.answers(run), expected, run)
        self.assertEqual(self.result("sim")["engine"], "sim")
        self.assertGreater(self.result("faults")["time"]["virtual_s"], self.result("sim")["time"]["virtual_s"])
        self.assertNotIn("virtual_s", self.result("one")["time"])

    def test_gamma_is_that_of_all_samples(self):
        self.ok(*LOCAL, *self.shards_given, "--out", "run")
        x = np.concatenate(self.shards)
        for node in range(self.NODES):
            np.testing.assert_allclose(self.gamma("run", node), 1 / (x.shape[1] * x.var()), rtol=1e-12)

    def test_zscore_is_that_of_all_samples_and_gamma_comes_after_it(self):
        self.ok(*LOCAL, *self.shards_given, "--standardize", "zscore", "--divide", 2, "--out", "run")
        x = np.concatenate(self.shards) / 2
        with np.load(self.folder / "run/model-3.npz") as model:
            points = model["own/points"]
        np.testing.assert_allclose(points, (self.shards[3] / 2 - x.mean(0)) / x.std(0), atol=1e-12)
        np.testing.assert_allclose(self.gamma("run"), 1 / x.shape[1], rtol=1e-12)

    def test_the_median_stands_in_and_the_log_says_so(self):
        done = self.choir(*LOCAL, *self.shards_given, "--gamma", "median", "--out", "run")
        self.assertIn("2 tr Cov", done.stderr)
        x = np.concatenate(self.shards)
        np.testing.assert_allclose(self.gamma("run"), 1 / (4 * x.var(0).sum()), rtol=1e-12)

    def test_the_ledger_counts_keys_once_and_two_masked_sums_an_agreement(self):
        each = 2 * 2 * 4  # sums, up and down, three digits of what a sum is scaled by before it
        for name, options, agreements in (("none", ("--gamma", 0.1), 0), ("gamma", (), 1),
                                          ("both", ("--standardize", "zscore"), 2)):
            self.ok(*LOCAL, *self.shards_given, *options, "--out", name)
            ledger = self.result(name)["ledger"]
            keys = 2 if agreements else 0
            self.assertEqual(ledger["messages"], (agreements * each + keys) * (self.NODES - 1))
            self.assertEqual(list(ledger["by_kind"]), ["masked", "totals", "control"])

    def test_a_lost_node_ends_the_run_with_exit_4(self):
        self.lost(*LOCAL, *self.shards_given, "--topology", "star", "--engine", "sim", "--sim-crash", "5@0.0001s",
                  "--out", "run", words=["node 5 crashed", "--lost-peers continue"])
        never_there = ("--sim-crash", "5@1s", "--sim-join", "5@2s")
        self.lost(*LOCAL, *self.shards_given, "--topology", "star", "--engine", "sim", *never_there, "--out", "run",
                  words=["node 0", "node 5"])

    def test_a_run_may_go_on_without_a_lost_node_and_says_so(self):
        done = self.choir(*LOCAL, *self.shards_given, "--topology", "star", "--engine", "sim", "--sim-crash", "5@1s",
                          "--sim-join", "5@2s", "--lost-peers", "continue", "--deadline", "5s", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertEqual([(loss["node"], loss["peer"], loss["round"]) for loss in result["lost_peers"]], [(0, 5, 0)])
        self.assertTrue(result["lost_peers"][0]["reason"])
        self.assertEqual(result["crashed"], [5])
        crash, loss = result["faults"]
        self.assertEqual((crash["what"], crash["node"], crash["at"], crash["unit"]), ("crashed", 5, 1, "s"))
        self.assertEqual((loss["what"], loss["node"], loss["unit"]), ("given up", 5, "s"))
        self.assertAlmostEqual(loss["at"], 5, places=2)
        self.assertIn("Node 0 went on without node 5", loss["words"])
        self.assertIn("node 5", " ".join(result["notes"]))
        self.assertIn("node 5", done.stderr)
        self.assertGreater(result["time"]["virtual_s"], 5)
        self.assertLess(result["time"]["virtual_s"], 6)
        self.assertFalse((self.folder / "run/model-5.npz").exists())
        self.assertTrue((self.folder / "run/model-4.npz").exists())
        rest = np.concatenate(self.shards[:5])
        np.testing.assert_allclose(self.gamma("run"), 1 / (rest.shape[1] * rest.var()), rtol=1e-12)

    def test_faults_are_those_that_happened(self):
        self.ok(*LOCAL, *self.shards_given, "--engine", "sim", "--sim-loss", 0.3, "--sim-join", "3@0.5s", "--sim-crash", "2@9h",
                "--sim-trace", "trace.txt", "--out", "run")
        result = self.result("run")
        self.assertEqual([(fault["what"], fault["node"], fault["at"]) for fault in result["faults"]], [("joined late", 3, 0.5)])
        self.assertEqual(set(result["message_faults"]), {"sent_again"})
        self.assertEqual(len(result["message_faults"]["sent_again"]), self.NODES)
        self.ok(*LOCAL, *self.shards_given, "--engine", "sim", "--out", "calm")
        self.assertEqual((self.result("calm")["faults"], self.result("calm")["message_faults"]), ([], {}))
        self.ok(*LOCAL, *self.shards_given, "--out", "threads")
        self.assertEqual(self.result("threads")["faults"], [])
        self.assertNotIn("message_faults", self.result("threads"), "nobody counts them there")

    def test_yardsticks_after_a_crash_are_left_out_with_a_note(self):
        self.ok(*LOCAL, *self.shards_given, "--engine", "sim", "--sim-crash", "5@1s", "--sim-join", "5@2s", "--gamma", 0.1,
                "--lost-peers", "continue", "--yardsticks", "--out", "run")
        self.assertEqual(self.result("run")["quality"], {})
        self.assertIn("yardsticks", " ".join(self.result("run")["notes"]))

    def test_a_trace_that_cannot_be_written_is_no_trace(self):
        self.refused(*LOCAL, *self.shards_given, "--engine", "sim", "--sim-trace", "/dev/full", "--out", "run",
                     words=["cannot write the trace", "/dev/full"])

    def test_the_trace_has_one_line_an_event_and_repeats_itself(self):
        common = (*LOCAL, *self.shards_given, "--engine", "sim", "--sim-latency", "1ms+exp:2ms", "--random-state", 3)
        self.ok(*common, "--sim-trace", "one.txt", "--out", "one")
        self.ok(*common, "--sim-trace", "two.txt", "--out", "two")
        one = (self.folder / "one.txt").read_text()
        self.assertEqual(one, (self.folder / "two.txt").read_text())
        self.assertEqual(one.count(" send "), self.result("one")["ledger"]["messages"])
        self.assertEqual(one.count(" end "), self.NODES)

    def test_the_resolved_file_repeats_the_faults(self):
        self.ok(*LOCAL, *self.shards_given, "--engine", "sim", "--topology", "star", "--lost-peers", "continue",
                "--sim-crash", "5@1s", "--sim-join", "5@2s", "--sim-join", "3@0.5s", "--out", "one")
        self.ok("fit", "local-kpca", "--config", "one/config.resolved.toml", "--out", "two")
        one, two = self.result("one"), self.result("two")
        self.assertEqual(one["crashed"], two["crashed"])
        self.assertEqual(one["time"]["virtual_s"], two["time"]["virtual_s"])
        self.ok(*LOCAL, *self.shards_given, "--out", "plain")
        self.ok("fit", "local-kpca", "--config", "plain/config.resolved.toml", "--out", "again")

    def test_an_interrupt_ends_the_nodes_and_leaves_nothing(self):
        for node in range(2):
            self.save(f"big-{node}.npy", np.random.default_rng(node).normal(size=(6000, 300)))
        before = self.tree()
        for engine, what in (("local", signal.SIGTERM), ("sim", signal.SIGTERM), ("local", signal.SIGHUP)):
            run = subprocess.Popen([CHOIR, "fit", "local-kpca", "--data", "big-{node}.npy", "--nodes", "2", "--gamma",
                                    "0.001", "--n-components", "20", "--tol", "1e-14", "--engine", engine, "--out", "run"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
            _, errors = self.interrupt(run, what)
            self.assertEqual(run.returncode, 130, errors)
            self.assertIn("interrupted", errors)
            self.assertEqual(self.tree(), before)


class Refusals(EngineTest):
    def refuse(self, words, *options, method="local-kpca"):
        self.refused("fit", method, *self.shards_given, "--out", "run", *options, words=words)

    def test_options_of_the_simulator(self):
        for option, text in (("--sim-latency", "soon"), ("--sim-loss", "1.5"), ("--sim-loss", "much"),
                             ("--sim-duplicate", "-1"), ("--sim-crash", "3"), ("--sim-join", "x@1s"),
                             ("--sim-partition", "1@2s"), ("--sim-slow", "4")):
            with self.subTest(option=option, text=text):
                self.refuse([option, text], "--engine", "sim", f"{option}={text}")
        self.refuse(["node 9"], "--engine", "sim", "--sim-crash", "9@1s")
        self.refuse(["nowhere/trace"], "--engine", "sim", "--sim-trace", "nowhere/trace")

    def test_options_of_the_simulator_without_it(self):
        for option, *text in (("--sim-latency", "1ms"), ("--sim-loss", 0.1), ("--sim-reorder",), ("--sim-crash", "1@1s"),
                              ("--sim-trace", "trace")):
            with self.subTest(option=option):
                self.refuse([option, "--engine sim"], option, *text)

    def test_words_that_are_no_choice(self):
        self.refuse(["cloud", "local", "sim"], "--engine", "cloud")
        self.refuse(["later"], "--deadline", "later")
        self.refuse(["maybe", "continue"], "--lost-peers", "maybe")
        self.refuse(["ring:8"], "--topology", "ring:8")

    def test_a_method_without_a_network_has_one_engine(self):
        for engine in ("sim", "mpi"):
            self.refuse(["central-kpca", engine], "--engine", engine, method="central-kpca")
        self.refuse(["--sim-loss"], "--sim-loss", 0.1, method="central-kpca")

    @unittest.skipIf(MPI_BUILT_IN, "MPI is built in")
    def test_mpi_that_is_not_built_in(self):
        self.refuse(["built without MPI"], "--engine", "mpi")

    @unittest.skipUnless(MPI_BUILT_IN, "built without MPI")
    def test_mpi_without_mpirun_gets_the_line_to_type(self):
        said = self.refused("fit", "local-kpca", *self.shards_given, "--engine", "mpi", "--out", "a run",
                            words=["--engine mpi runs under mpirun; start it as: mpirun -n "])
        words = shlex.split(said.split("start it as: ")[1])
        self.assertEqual(words[words.index("fit"):], ["fit", "local-kpca", *map(str, self.shards_given), "--engine", "mpi",
                                                      "--out", "a run"])
        self.assertTrue(os.path.samefile(words[words.index("fit") - 1], CHOIR))
        if shutil.which("mpirun"):
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=600,
                                  env=UNDER_MPIRUN)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.result("a run")["engine"], "mpi")


if __name__ == "__main__":
    unittest.main()
