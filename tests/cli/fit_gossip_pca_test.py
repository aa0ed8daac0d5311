"""Gossip PCA as its users meet it: every engine, samples and coordinates, kernels, faults, streams."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np
from network import MPI_BUILT_IN, UNDER_MPIRUN
from program import CHOIR, ROOT, ProgramTest

METHOD = ("fit", "gossip-pca")
# Of fixed length: when a node settles depends on the moment that threads have for it.
FIXED = ("--tol", 0, "--messages-per-node", 60, "--interval", "2ms")
FIT = (*METHOD, *FIXED, "--n-components", 3)
NODES, FEATURES = 8, 6


def pca(x, count):
    """Mean, components (rows) and eigenvalues of the scatter."""
    mean = x.mean(0)
    _, values, components = np.linalg.svd(x - mean, full_matrices=False)
    return mean, components[:count], values[:count] ** 2


def smallest_cosine(a, b):
    """Between the spans of rows, orthonormal or nearly."""
    a, b = (np.linalg.qr(rows.T)[0] for rows in (a, b))
    return np.linalg.svd(a.T @ b, compute_uv=False).min()


class GossipTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = self.blobs(30 * NODES, FEATURES)
        for node in range(NODES):
            self.save(f"part-{node}.npy", self.x[30 * node : 30 * (node + 1)])
        self.save("x.npy", self.x)
        self.shards = ("--data", "part-{node}.npy", "--nodes", NODES)

    def array(self, run, node, name):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return model[f"shared/{name}"]

    def is_pca(self, run, x, nodes=range(NODES), atol=1e-3):
        """Every node has the mean and the principal components of these samples."""
        mean, components, values = pca(x, 3)
        for node in nodes:
            np.testing.assert_allclose(self.array(run, node, "mean"), mean, atol=atol)
            self.assertGreater(smallest_cosine(self.array(run, node, "components"), components), 1 - atol)
        np.testing.assert_allclose(self.result(run)["eigenvalues"], values, rtol=10 * atol)

    def lines(self, run):
        return [json.loads(line) for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()]

    def transformed(self, model, data="x.npy"):
        self.ok("transform", "--model", model, "--data", data, "--out", "scores.npy")
        return np.load(self.folder / "scores.npy")


class OneRun(GossipTest):
    def test_the_result_has_every_key(self):
        shown = self.ok(*METHOD, "--n-components", 3, "--tol", 1e-3, *self.shards, "--engine", "sim", "--yardsticks", "--out", "run")
        result = self.result("run")
        self.is_pca("run", self.x)
        self.assertIs(result["converged"], True)
        self.assertEqual((result["method"], result["nodes"], result["samples"], result["features"]),
                         ("gossip-pca", NODES, 240, FEATURES))
        self.assertEqual([result[key] for key in ("partition", "merge", "schedule", "feature_map", "carry")],
                         ["samples", "gram", "random", "none", 8])
        self.assertEqual(result["participants"], {"smallest": NODES, "largest": NODES, "nodes": NODES})
        self.assertAlmostEqual(result["mass"], 1, places=12)
        self.assertLess(result["change"], 1e-3)
        self.assertLess(result["gap"], 0.01)
        self.assertGreater(result["between_node_variance"], 0)
        self.assertGreater(result["messages_per_node"], 10)
        self.assertGreater(result["merge_share"], 0)
        self.assertGreater(result["planned_memory_bytes"], 1000)
        _, _, values = pca(self.x, FEATURES)
        np.testing.assert_allclose(result["explained_variance_ratio"], (values / values.sum())[:3], rtol=1e-2)
        quality = result["quality"]
        self.assertAlmostEqual(quality["error_relative"], (values[3:] ** 2).sum() / (values**2).sum(), delta=1e-4)
        self.assertLess(quality["excess_error"], 0.01)
        self.assertLess(quality["mean_error"], 1e-3)
        self.assertGreater(quality["subspace_cosine_min"], 0.999)
        kinds = {kind for kind, count in result["ledger"]["by_kind"].items() if count["bytes"] > 0}
        self.assertEqual(kinds, {"statistics", "control"})
        for words in ("no raw samples, no centroids, statistics", "settled after", "against PCA of all data in one place"):
            self.assertIn(words, shown)

    def test_every_window_of_every_node_is_recorded(self):
        self.ok(*FIT, *self.shards, "--out", "run")
        lines = self.lines("run")
        self.assertEqual({line["node"] for line in lines}, set(range(NODES)))
        last = {line["node"]: line for line in lines}
        self.assertEqual(max(line["change"] for line in last.values()), self.result("run")["change"])
        for node in range(NODES):
            windows = [line for line in lines if line["node"] == node]
            self.assertEqual([line["window"] for line in windows], list(range(1, len(windows) + 1)))
            self.assertEqual(sorted(line["sent"] for line in windows), [line["sent"] for line in windows])

    def test_one_file_is_dealt_out(self):
        self.ok(*FIT, "--data", "x.npy", "--nodes", 5, "--out", "run")
        self.is_pca("run", self.x, range(5))
        scores = self.transformed("run/model-4.npz")
        np.testing.assert_allclose((scores**2).sum(0), self.result("run")["eigenvalues"], rtol=1e-2)

    def test_a_share_of_the_variance(self):
        self.ok(*METHOD, *FIXED, "--n-components", 0.9, "--max-components", 5, *self.shards, "--out", "run")
        ratios = self.result("run")["explained_variance_ratio"]
        self.assertGreaterEqual(sum(ratios), 0.9)
        self.assertLess(sum(ratios[:-1]), 0.9)

    def test_standardized_by_sums_of_all_nodes(self):
        self.ok(*FIT, *self.shards, "--standardize", "zscore", "--divide", 2, "--yardsticks", "--out", "run")
        self.is_pca("run", (self.x - self.x.mean(0)) / self.x.std(0))
        self.assertLess(self.result("run")["quality"]["excess_error"], 0.01)

    def test_a_run_of_fixed_length_neither_settled_nor_failed(self):
        shown = self.ok(*METHOD, *self.shards, "--tol", 0, "--messages-per-node", 7, "--out", "run")
        self.assertIsNone(self.result("run")["converged"])
        self.assertGreaterEqual(self.result("run")["messages_per_node"], 7)
        self.assertIn("a run of fixed length", shown)

    def test_a_run_that_is_too_short_is_exit_3(self):
        done = self.choir(*METHOD, *self.shards, "--tol", 1e-12, "--messages-per-node", 8, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIs(self.result("run")["converged"], False)
        self.assertIn("raise --messages-per-node or --tol", done.stderr)
        self.assertIn("NOT settled after", done.stdout)

    def test_the_resolved_file_repeats_the_run(self):
        self.ok(*FIT, *self.shards, "--engine", "sim", "--half-life", "2s", "--carry", 5, "--out", "one")
        self.ok(*METHOD, "--config", "one/config.resolved.toml", "--out", "two")
        self.assertEqual(self.lines("one"), self.lines("two"))
        np.testing.assert_array_equal(self.array("one", 3, "components"), self.array("two", 3, "components"))
        config = (self.folder / "one/config.resolved.toml").read_text()
        self.assertIn("topology = 'auto'  # complete", config)
        self.assertNotIn("max-iter", config)

    def test_json(self):
        done = self.choir(*FIT, *self.shards, "--json", "--out", "run")
        self.assertEqual(json.loads(done.stdout), self.result("run"))

    def test_the_help_has_this_methods_options_and_an_example_that_runs(self):
        words = self.ok(*METHOD, "--help")
        for option in ("--kernel TEXT=linear", "--tol FLOAT=0.0001", "--messages-per-node INT=60", "--lost-peers TEXT=continue"):
            self.assertIn(option, " ".join(words.split()))
        for option in ("--max-iter", "--precision"):
            self.assertNotIn(option, words)
        example = shlex.split(words[words.index("Example:") :].splitlines()[1])
        os.symlink(ROOT / "datasets", self.folder / "datasets")
        self.assertEqual(example[0], "choir")
        self.assertIn(self.choir(*example[1:]).returncode, (0, 3))  # settled or not, as the machine is busy
        self.assertLess(self.result("runs/gossip")["quality"]["excess_error"], 0.02)

    def test_schedules_and_merges(self):
        for schedule, topology in (("broadcast", "complete"), ("master", "star"), ("fast-master", "star"), ("tree", "complete")):
            with self.subTest(schedule=schedule):
                self.ok(*FIT, *self.shards, "--schedule", schedule, "--out", schedule)
                self.is_pca(schedule, self.x, atol=3e-3)
                self.assertAlmostEqual(self.result(schedule)["mass"], 1, places=12)
                self.assertIn(f"topology = 'auto'  # {topology}", (self.folder / schedule / "config.resolved.toml").read_text())
        self.assertLess(self.result("tree")["messages_per_node"], 2)
        for options in (("--merge", "late"), ("--merge", "orthogonal-iterations", "--carry", 6, "--max-t", 6)):
            with self.subTest(merge=options[1]):
                self.ok(*FIT, *self.shards, *options, "--out", options[1])
                self.is_pca(options[1], self.x, atol=1e-2)

    def test_nodes_whose_data_differ_are_told_what_to_carry(self):
        for node in range(NODES):
            self.save(f"part-{node}.npy", self.blobs(30, FEATURES, seed=node) + 3 * node)
        done = self.choir(*FIT, *self.shards, "--out", "run")
        self.assertIn("between the nodes' means", done.stderr)
        self.assertEqual(done.stderr.count("the nodes' data differ"), 1)

    def test_more_components_than_there_are(self):
        done = self.choir(*METHOD, *FIXED, "--n-components", 9, *self.shards, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result("run")["n_components"], FEATURES)
        self.assertIn("only 6 components", done.stderr)

    def test_many_nodes_have_a_random_graph(self):
        self.save("many.npy", self.blobs(400, 4))
        self.ok(*METHOD, *FIXED, "--data", "many.npy", "--nodes", 100, "--engine", "sim", "--out", "run")
        self.assertIn("topology = 'auto'  # erdos:0.2", (self.folder / "run/config.resolved.toml").read_text())

    def test_ctrl_c_ends_it_and_leaves_nothing(self):
        run = subprocess.Popen([CHOIR, *map(str, (*METHOD, *self.shards)), "--interval", "1s", "--out", "run"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not any(name.startswith(".") for name in os.listdir(self.folder)):  # the folder it collects files in
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=60)
        self.assertEqual((run.returncode, out), (130, ""), error)
        self.assertFalse(any(name.startswith(("run", ".")) for name in os.listdir(self.folder)))


class Engines(GossipTest):
    def test_the_same_subspace_on_every_engine(self):
        self.ok(*FIT, *self.shards, "--threads", 2, "--out", "local")
        self.ok(*FIT, *self.shards, "--engine", "sim", "--sim-latency", "1ms..9ms", "--out", "sim")
        self.is_pca("local", self.x)
        self.is_pca("sim", self.x)

    @unittest.skipUnless(MPI_BUILT_IN and shutil.which("mpirun"), "built without MPI, or no mpirun")
    def test_four_ranks_of_two_nodes(self):
        for partition in ("samples", "coordinates"):
            data = self.shards if partition == "samples" else ("--data", "x.npy", "--nodes", FEATURES)
            done = subprocess.run(["mpirun", "--oversubscribe", "-n", "4", CHOIR, *map(str, (*FIT, *data)), "--partition", partition,
                                   "--engine", "mpi", "--out", partition],
                                  cwd=self.folder, capture_output=True, text=True, timeout=120, env=UNDER_MPIRUN)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("component  eigenvalue"), 1)
        self.is_pca("samples", self.x)
        self.assertEqual(len(list((self.folder / "coordinates").glob("model-*.npz"))), FEATURES)
        np.testing.assert_allclose(self.result("coordinates")["eigenvalues"], pca(self.x, 3)[2], rtol=1e-2)


class Coordinates(GossipTest):
    def loadings(self, run, nodes, features):
        """Of all nodes' columns in the order of the file; rows are components."""
        whole = np.full((3, features), np.nan)
        for node in range(nodes):
            whole[:, self.array(run, node, "columns")] = self.array(run, node, "loadings")
        return whole

    def test_one_file_is_dealt_out_by_features(self):
        x = self.blobs(100, 12)
        self.save("wide.npy", x)
        mean, components, values = pca(x, 3)
        for by in ((), ("--by", "features")):
            shown = self.ok(*FIT, "--data", "wide.npy", "--nodes", 4, "--partition", "coordinates", *by, "--yardsticks", "--force",
                            "--out", "run")
            result = self.result("run")
            self.assertEqual((result["samples"], result["features"], result["partition"]), (100, 12, "coordinates"))
            np.testing.assert_allclose(result["eigenvalues"], values, rtol=1e-2)
            self.assertAlmostEqual(result["mass"], 1, places=12)
            loadings = self.loadings("run", 4, 12)
            self.assertGreater(smallest_cosine(loadings, components), 0.999)
            np.testing.assert_allclose(loadings @ loadings.T, np.eye(3), atol=1e-2)
            for node in range(4):
                np.testing.assert_allclose(self.array("run", node, "mean"), mean[self.array("run", node, "columns")], atol=1e-9)
            self.assertLess(result["quality"]["excess_error"], 0.01)
            self.assertNotIn("mean_error", result["quality"])
            self.assertIn("no raw samples", shown)

    def test_shards_of_coordinates_of_different_width(self):
        x = self.blobs(50, 7)
        self.save("c-0.npy", x[:, :3])
        self.save("c-1.npy", x[:, 3:5])
        self.save("c-2.npy", x[:, 5:])
        z = (x - x.mean(0)) / x.std(0)
        self.ok(*FIT, "--data", "c-{node}.npy", "--nodes", 3, "--partition", "coordinates", "--standardize", "zscore", "--yardsticks",
                "--out", "run")
        np.testing.assert_allclose(self.result("run")["eigenvalues"], pca(z, 3)[2], rtol=1e-2)
        self.assertLess(self.result("run")["quality"]["excess_error"], 0.01)
        loadings = np.concatenate([self.array("run", node, "loadings") for node in range(3)], axis=1)
        self.assertGreater(smallest_cosine(loadings, pca(z, 3)[1]), 0.99)

    def test_what_cannot_be(self):
        coordinates = (*FIT, "--partition", "coordinates", "--out", "run")
        one_file = (*coordinates, "--data", "x.npy", "--nodes", 3)
        self.save("part-4.npy", self.x[:29])
        self.refused(*coordinates, *self.shards, words=["shard 4 has 29 samples", "shard 0 has 30", "part-4.npy"])
        self.refused(*one_file, "--standardize", "unit", words=["unit", "zscore"])
        self.refused(*one_file, "--by", "sizes:3..5", words=["--by sizes:3..5", "coordinates"])
        self.refused(*one_file, "--kernel", "rbf", words=["landmarks", "coordinates"])
        self.refused(*one_file, "--stream", "5@1s", words=["--stream", "coordinates"])
        self.refused(*coordinates, "--data", "x.npy", "--nodes", 9, words=["9", "6"])
        self.refused(*FIT, "--data", "x.npy", "--nodes", 3, "--by", "features", "--out", "run", words=["--by features", "--partition coordinates"])


class Kernels(GossipTest):
    def test_features_come_near_to_central_kernel_pca(self):
        kernel = ("--kernel", "rbf", "--gamma", 0.05, "--n-components", 3)
        self.ok("fit", "central-kpca", *kernel, "--data", "x.npy", "--out", "central")
        central = self.transformed("central/model-0.npz")
        for features, options, least in (("landmarks", ("--n-landmarks", 80), 0.99), ("random-features", ("--n-features", 1000), 0.95)):
            with self.subTest(features=features):
                self.ok(*METHOD, *FIXED, *kernel, *self.shards, "--features", features, *options, "--yardsticks", "--out", features)
                scores = self.transformed(f"{features}/model-5.npz")
                cosines = np.abs((scores * central).sum(0)) / np.sqrt((scores**2).sum(0) * (central**2).sum(0))
                self.assertGreater(cosines.min(), least)
                np.testing.assert_allclose(self.result(features)["eigenvalues"], self.result("central")["eigenvalues"], rtol=0.1)
                self.assertLess(self.result(features)["quality"]["excess_error"], 0.02)

    def test_landmarks_are_what_a_kernel_gets_unless_told(self):
        shown = self.ok(*FIT, *self.shards, "--kernel", "rbf", "--out", "run")
        self.assertEqual(self.result("run")["feature_map"], "landmarks")
        self.assertIn("no raw samples, centroids", shown)
        config = (self.folder / "run/config.resolved.toml").read_text()
        self.assertIn("features = 'auto'  # landmarks", config)
        gamma = 1 / (FEATURES * np.var(self.x))
        self.assertAlmostEqual(float(config.split("gamma = 'scale'  # ")[1].split()[0]), gamma, delta=1e-6 * gamma)


class Faults(GossipTest):
    SIM = (*METHOD, "--n-components", 3, "--tol", 0, "--messages-per-node", 150, "--engine", "sim")

    def test_lost_messages_are_sent_again(self):
        lossy = (*self.SIM, *self.shards, "--sim-loss", 0.2, "--sim-duplicate", 0.05, "--sim-reorder")
        self.ok(*lossy, "--out", "acknowledged")
        self.assertAlmostEqual(self.result("acknowledged")["mass"], 1, places=12)
        self.is_pca("acknowledged", self.x)
        self.ok(*lossy, "--links", "plain", "--out", "plain")
        self.assertLess(self.result("plain")["mass"], 0.5)

    def test_gossip_goes_on_without_a_node_that_died(self):
        crash = (*self.SIM, *self.shards, "--sim-crash", "3@200ms", "--yardsticks")
        done = self.choir(*crash, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertEqual(result["crashed"], [3])
        self.assertLess(result["mass"], 1)
        self.assertFalse((self.folder / "run/model-3.npz").exists())
        self.assertGreater(result["quality"]["subspace_cosine_min"], 0.99)
        self.assertIn("node 3 crashed", done.stderr)
        self.lost(*crash, "--lost-peers", "fail", "--out", "other", words=["node 3 crashed", "--lost-peers continue"])

    def test_nodes_that_were_cut_off_say_so(self):
        done = self.choir(*self.SIM, *self.shards, "--sim-partition", "0..1@0s..100s", "--out", "run")
        participants = self.result("run")["participants"]
        self.assertEqual((participants["smallest"], participants["largest"]), (2, 6))
        self.assertIn("different numbers of nodes: 2 at node 0, 6 at node 7", done.stderr)


class Streams(GossipTest):
    def test_samples_that_come_later_count_as_the_others(self):
        self.ok(*FIT, *self.shards, "--engine", "sim", "--stream", "10@50ms", "--yardsticks", "--out", "run")
        self.is_pca("run", self.x)
        self.assertAlmostEqual(self.result("run")["mass"], 1, places=12)
        self.assertEqual(self.result("run")["samples"], 240)

    def test_a_half_life_follows_what_changes(self):
        """The second half of the file lies along another axis, and is dealt out in the order of the file."""
        random = np.random.default_rng(1)
        early, late = random.normal(size=(2, 400, FEATURES)) * 0.1
        early[:, 0] += 5 * random.normal(size=400)
        late[:, 1] += 5 * random.normal(size=400)
        self.save("drift.npy", np.concatenate([early, late]))
        common = (*METHOD, *FIXED, "--n-components", 1, "--data", "drift.npy", "--nodes", 4, "--engine", "sim", "--stream", "20@100ms")
        self.ok(*common, "--half-life", "100ms", "--out", "forgetting")
        self.ok(*common, "--out", "remembering")
        self.assertIsNone(self.result("forgetting")["mass"])
        for node in range(4):
            self.assertGreater(abs(self.array("forgetting", node, "components")[0, 1]), 0.99)
        self.assertLess(self.result("remembering")["explained_variance_ratio"][0], 0.6)
        self.assertGreater(self.result("forgetting")["explained_variance_ratio"][0], 0.9)


class BadInput(GossipTest):
    def test_words_and_numbers_that_are_no_choice(self):
        for option, text, words in [
            ("--partition", "rows", ["rows", "coordinates"]),
            ("--merge", "best", ["best", "gram"]),
            ("--carry", "some", ["carry", "auto"]),
            ("--carry", "2", ["carry", "3"]),
            ("--max-t", "0", ["max_t", "0"]),
            ("--ritz-values", "big", ["big", "rayleigh"]),
            ("--messages-per-node", "0", ["messages", "0"]),
            ("--interval", "soon", ["--interval", "soon"]),
            ("--interval", "0s", ["interval", "positive"]),
            ("--schedule", "never", ["never", "broadcast"]),
            ("--links", "fast", ["fast", "acknowledged", "plain"]),
            ("--features", "all", ["all", "landmarks"]),
            ("--features", "random-features", ["random-features", "rbf", "linear"]),
            ("--kernel", "rbf --features none", ["rbf", "landmarks"]),
            ("--n-landmarks", "0", ["n_landmarks"]),
            ("--n-features", "0", ["n_features"]),
            ("--min-count", "0", ["min_count"]),
            ("--window", "0", ["window"]),
            ("--tol", "-1", ["tol", "-1"]),
            ("--half-life", "long", ["--half-life", "long"]),
            ("--half-life", "0s", ["half_life", "positive"]),
            ("--half-life", "1s --yardsticks", ["--yardsticks", "--half-life"]),
            ("--half-life", "1s --schedule tree", ["half_life", "tree"]),
            ("--stream", "20", ["stream", "50@100ms"]),
            ("--stream", "0@1s", ["stream", "0@1s"]),
            ("--stream", "5@0s", ["stream", "5@0s"]),
            ("--stream", "5@later", ["--stream", "later"]),
            ("--stream", "5@1s --schedule tree", ["--stream", "tree"]),
            ("--max-iter", "5", ["--max-iter"]),
            ("--precision", "float32", ["--precision"]),
        ]:
            with self.subTest(option=option, text=text):
                # Before any data are read.
                self.refused(*METHOD, "--n-components", 3, "--data", "none-{node}.npy", "--nodes", 3, "--out", "run",
                             *f"{option}={text}".split(), words=words)

    def test_data_and_networks_that_do_not_fit(self):
        self.refused(*FIT, "--data", "none-{node}.npy", "--nodes", 3, "--out", "run", words=["none-0.npy"])
        self.refused(*FIT, *self.shards, "--schedule", "master", "--topology", "ring:2", "--out", "run", words=["master", "star"])
        self.refused(*METHOD, "--n-components", 0.99, "--max-components", 2, *self.shards, "--out", "run", words=["99.0%", "components"])
        self.save("part-4.npy", self.blobs(30, 5))
        self.refused(*FIT, *self.shards, "--out", "run", words=["shard 4 has 5 features", "part-4.npy"])


if __name__ == "__main__":
    unittest.main()
