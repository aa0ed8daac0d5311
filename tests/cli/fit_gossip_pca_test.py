"""Gossip PCA as its users meet it: a run, its files and its table, and what is refused."""
import os
import subprocess
import unittest

import numpy as np
from gossip import FEATURES, FIT, FIXED, METHOD, NODES, GossipTest, pca
from program import CHOIR


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
        self.assertEqual(result["gap"], 0)  # the refined answer is the same at all nodes
        self.assertEqual(result["refinement_steps"], 1)  # six columns: the covariance itself is summed
        np.testing.assert_allclose(result["assessment"]["claimed_similarity"], 1, atol=1e-6)
        np.testing.assert_allclose(result["assessment"]["captured_variance"], pca(self.x, 3)[2] / 240, rtol=1e-9)
        self.assertGreater(result["between_node_variance"], 0)
        self.assertLess(result["messages_per_node"], 5)  # and nothing is left to gossip about
        self.assertEqual(result["merge_share"], 0)
        self.assertGreater(result["planned_memory_bytes"], 1000)
        _, _, values = pca(self.x, FEATURES)
        np.testing.assert_allclose(result["explained_variance_ratio"], (values / values.sum())[:3], rtol=1e-2)
        quality = result["quality"]
        self.assertAlmostEqual(quality["error_relative"], (values[3:] ** 2).sum() / (values**2).sum(), delta=1e-4)
        self.assertLess(quality["excess_error"], 0.01)
        self.assertLess(quality["mean_error"], 1e-3)
        self.assertGreater(quality["subspace_cosine_min"], 0.999)
        kinds = {kind for kind, count in result["ledger"]["by_kind"].items() if count["bytes"] > 0}
        self.assertEqual(kinds, {"masked", "totals", "control"})
        for words in ("no raw samples, no centroids, masked", "settled after", "against PCA of all data in one place"):
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

    def test_a_node_alone_has_pca_at_once(self):
        self.ok(*METHOD, "--n-components", 3, "--data", "x.npy", "--nodes", 1, "--out", "run")
        self.assertIs(self.result("run")["converged"], True)
        self.is_pca("run", self.x, [0], atol=1e-9)

    def test_a_share_of_the_variance(self):
        self.explains_just(0.9, *METHOD, *FIXED, "--max-components", 5, *self.shards)

    def test_standardized_by_sums_of_all_nodes(self):
        self.ok(*FIT, *self.shards, "--standardize", "zscore", "--divide", 2, "--yardsticks", "--out", "run")
        self.is_pca("run", (self.x - self.x.mean(0)) / self.x.std(0))
        self.assertLess(self.result("run")["quality"]["excess_error"], 0.01)

    def test_a_run_of_fixed_length_neither_settled_nor_failed(self):
        self.of_fixed_length(*METHOD, *self.shards, "--messages-per-node", 7, shown="a run of fixed length")
        self.assertGreaterEqual(self.result("run")["messages_per_node"], 7)

    def test_a_run_that_is_too_short_is_exit_3(self):
        # A stream cannot be refined: what gossip comes to is all there is.
        self.too_short(*METHOD, *self.shards, "--tol", 1e-12, "--messages-per-node", 8, "--stream", "29@1ms",
                       advice="raise --messages-per-node or --tol", shown="NOT settled after")

    def test_the_resolved_file_repeats_the_run(self):
        self.ok(*FIT, *self.shards, "--engine", "sim", "--half-life", "2s", "--carry", 5, "--out", "one")
        self.ok(*METHOD, "--config", "one/config.resolved.toml", "--out", "two")
        self.assertEqual(self.lines("one"), self.lines("two"))
        np.testing.assert_array_equal(self.array("one", 3, "components"), self.array("two", 3, "components"))
        config = (self.folder / "one/config.resolved.toml").read_text()
        self.assertIn("topology = 'auto'  # complete", config)
        self.assertNotIn("max-iter", config)

    def test_json(self):
        self.prints_its_result(*FIT, *self.shards)

    def test_the_help_has_this_methods_options_and_an_example_that_runs(self):
        self.assert_defaults(*METHOD, kernel="linear", tol="0.0001", messages_per_node="auto", lost_peers="continue")
        for option in ("max-iter", "precision"):
            self.assertNotIn(option, self.options_of(*METHOD))
        self.assertIn(self.choir(*self.example_of(*METHOD)).returncode, (0, 3))  # as the machine is busy: gossip has clocks
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
        run = subprocess.Popen([CHOIR, *map(str, (*METHOD, *self.shards)), "--tol", "0", "--interval", "1s", "--out", "run"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, error = self.interrupt(run)
        self.assertEqual((run.returncode, out), (130, ""), error)
        self.assertFalse(any(name.startswith(("run", ".")) for name in os.listdir(self.folder)))


class BadInput(GossipTest):
    def test_words_and_numbers_that_are_no_choice(self):
        for option, text, words in [
            ("--partition", "rows", ["rows", "coordinates"]),
            ("--merge", "best", ["best", "gram"]),
            ("--carry", "some", ["carry", "auto"]),
            ("--carry", "2", ["carry", "3"]),
            ("--max-t", "0", ["--max-t", "0"]),
            ("--ritz-values", "big", ["big", "rayleigh"]),
            ("--messages-per-node", "0", ["messages", "0"]),
            ("--interval", "soon", ["--interval", "soon"]),
            ("--interval", "0s", ["interval", "positive"]),
            ("--schedule", "never", ["never", "broadcast"]),
            ("--links", "fast", ["fast", "acknowledged", "plain"]),
            ("--features", "all", ["all", "landmarks"]),
            ("--features", "random-features", ["random-features", "rbf", "linear"]),
            ("--kernel", "rbf --features none", ["rbf", "landmarks"]),
            ("--normalized", "true --features none", ["--normalized", "landmarks"]),
            ("--n-landmarks", "0", ["--n-landmarks"]),
            ("--n-features", "0", ["--n-features"]),
            ("--min-count", "0", ["--min-count"]),
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
        self.refused(*METHOD, "--n-components", 0.99, "--max-components", 2, *self.shards, "--out", "run", words=["2 components explain 0.8",
                                                                                                              "less than the 0.99 requested"])
        self.save("part-4.npy", self.blobs(30, 5))
        self.refused(*FIT, *self.shards, "--out", "run", words=["shard 4 has 5 features", "part-4.npy"])


if __name__ == "__main__":
    unittest.main()
