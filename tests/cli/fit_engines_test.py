"""One method, every engine: the same answer, the same ledger, and every failure one sentence."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np
from program import CHOIR, ProgramTest

LOCAL = ("fit", "local-kpca", "--n-components", 3)
MPI_BUILT_IN = "mpi" in json.loads(subprocess.run([CHOIR, "version", "--json"], capture_output=True).stdout)["engines"]
ROOT_MAY = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class EngineTest(ProgramTest):
    NODES = 6

    def setUp(self):
        super().setUp()
        self.shards = [self.blobs(30 + 5 * node, seed=node) + node for node in range(self.NODES)]
        for node, shard in enumerate(self.shards):
            self.save(f"part-{node}.npy", shard)
        self.shards_given = ("--data", "part-{node}.npy", "--nodes", self.NODES)

    def answers(self, run):
        """What must not depend on the engine."""
        result = self.result(run)
        keys = ("eigenvalues", "explained_variance_ratio", "residual", "nodes", "samples", "ledger", "notes")
        models = {}
        for node in range(self.NODES):
            with np.load(self.folder / run / f"model-{node}.npz") as model:
                models[node] = model["own/coefficients"].tolist()
        return {key: result[key] for key in keys}, models

    def manifest(self, run, node):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return json.loads(bytes(model["manifest.json"]))["answers"]["own"]

    def gamma(self, run, node=0):
        return self.manifest(run, node)["kernel"]["gamma"]

    def lost(self, *arguments, words):
        """Exit 4, one sentence, nothing written."""
        before = self.tree()
        done = self.choir(*arguments)
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.tree(), before)


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

    def test_the_ledger_counts_two_messages_a_link_of_the_tree_and_agreement(self):
        for name, options, agreements in (("none", ("--gamma", 0.1), 0), ("gamma", (), 1),
                                          ("both", ("--standardize", "zscore"), 2)):
            self.ok(*LOCAL, *self.shards_given, *options, "--out", name)
            ledger = self.result(name)["ledger"]
            self.assertEqual(ledger["messages"], agreements * 2 * (self.NODES - 1))
            self.assertEqual(list(ledger["by_kind"]), ["statistics"])

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
        self.assertIn("node 5", " ".join(result["notes"]))
        self.assertIn("node 5", done.stderr)
        self.assertGreater(result["time"]["virtual_s"], 5)
        self.assertLess(result["time"]["virtual_s"], 6)
        self.assertFalse((self.folder / "run/model-5.npz").exists())
        self.assertTrue((self.folder / "run/model-4.npz").exists())
        rest = np.concatenate(self.shards[:5])
        np.testing.assert_allclose(self.gamma("run"), 1 / (rest.shape[1] * rest.var()), rtol=1e-12)

    def test_yardsticks_after_a_crash_are_left_out_with_a_note(self):
        self.ok(*LOCAL, *self.shards_given, "--engine", "sim", "--sim-crash", "5@0.1ms", "--gamma", 0.1, "--lost-peers",
                "continue", "--yardsticks", "--out", "run")
        self.assertEqual(self.result("run")["quality"], {})
        self.assertIn("yardsticks", " ".join(self.result("run")["notes"]))

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
        for engine in ("local", "sim"):
            run = subprocess.Popen([CHOIR, "fit", "local-kpca", "--data", "big-{node}.npy", "--nodes", "2", "--gamma",
                                    "0.001", "--n-components", "20", "--tol", "1e-14", "--engine", engine, "--out", "run"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
            time.sleep(0.7)
            run.send_signal(signal.SIGTERM)
            _, errors = run.communicate(timeout=60)
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
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.result("a run")["engine"], "mpi")


@unittest.skipUnless(MPI_BUILT_IN and shutil.which("mpirun"), "built without MPI, or no mpirun")
class Mpi(EngineTest):
    def mpirun(self, ranks, *arguments):
        return subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), CHOIR, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=120, env={**os.environ, **ROOT_MAY})

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

    def test_the_death_of_a_rank_ends_the_job(self):
        for node in range(3):
            self.save(f"big-{node}.npy", np.random.default_rng(node).normal(size=(6000, 300)))
        before = self.tree()
        job = subprocess.Popen(["mpirun", "--oversubscribe", "-n", "3", CHOIR, "fit", "local-kpca", "--data",
                                "big-{rank}.npy", "--gamma", "0.001", "--n-components", "20", "--tol", "1e-14", "--engine",
                                "mpi", "--out", "run"],
                               cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, **ROOT_MAY})
        victim = self.process_of_rank(job.pid, 2)
        time.sleep(1)
        os.kill(victim, signal.SIGKILL)
        _, errors = job.communicate(timeout=60)
        self.assertNotEqual(job.returncode, 0)
        said = [line for line in errors.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, errors)
        self.assertIn("rank 2", said[0])
        self.assertEqual(self.tree(), before)

    def process_of_rank(self, mpirun, rank):
        """The child of mpirun that is this rank, once it is there."""
        for _ in range(200):
            children = subprocess.run(["pgrep", "-P", str(mpirun)], capture_output=True, text=True).stdout.split()
            for child in children:
                try:
                    environment = open(f"/proc/{child}/environ", "rb").read().split(b"\0")
                except OSError:
                    continue
                if f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment:
                    return int(child)
            time.sleep(0.05)
        self.fail("mpirun started no such rank")


if __name__ == "__main__":
    unittest.main()
