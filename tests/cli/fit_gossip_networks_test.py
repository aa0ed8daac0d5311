"""Gossip PCA wherever its nodes are and whatever they have: engines, coordinates, kernels, faults, streams."""
import shutil
import subprocess
import unittest

import numpy as np
from gossip import FEATURES, FIT, FIXED, METHOD, GossipTest, pca, smallest_cosine
from network import MPI_BUILT_IN, UNDER_MPIRUN
from program import CHOIR


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
                                  cwd=self.folder, capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)
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
        self.refused(*one_file, "--by", "sizes:3..5", words=["--by sizes:3..5", "distributes features"])
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
        self.assertEqual([(fault["what"], fault["node"], fault["at"]) for fault in result["faults"]], [("crashed", 3, 0.2)])
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


class Torn(GossipTest):
    """What is said when a run is not good is true, and following it helps."""
    SIM = (*METHOD, "--n-components", 3, "--engine", "sim")

    def test_a_part_that_stays_cut_off_is_exit_3_and_reaching_it_helps(self):
        torn = self.choir(*self.SIM, *self.shards, "--sim-partition", "0..1@0s..1000s", "--out", "torn")
        self.assertEqual(torn.returncode, 3)
        self.assertIn("could not be refined", torn.stderr)
        self.assertIn("run it again when all nodes can be reached", torn.stderr)
        self.ok(*self.SIM, *self.shards, "--sim-partition", "0..1@0s..9s", "--out", "healed")
        self.is_pca("healed", self.x, atol=1e-9)

    def test_slow_nodes_end_and_a_longer_interval_helps(self):
        slow = ("--sim-slow", "4x1000")
        self.assertIn(self.choir(*self.SIM, *self.shards, *slow, "--out", "slow").returncode, (0, 3))
        self.ok(*self.SIM, *self.shards, *slow, "--interval", "1s", "--out", "patient")
        self.is_pca("patient", self.x, atol=1e-9)

    def test_half_of_all_messages_lost(self):
        for seed in range(5):
            done = self.choir(*self.SIM, *self.shards, "--sim-loss", 0.5, "--random-state", seed, "--force", "--out", "run")
            off = abs(self.result("run")["mass"] - 1) > 1e-6
            self.assertEqual(off, "weights add up to" in done.stderr)
            self.assertIn(done.returncode, (0, 3))

    def test_a_node_that_died_is_said_and_does_not_stop_the_others(self):
        done = self.choir(*self.SIM, *self.shards, "--sim-crash", "3@1ms", "--out", "run")
        self.assertIn("the rest was lost with nodes that died", done.stderr)
        self.assertIn("could not be refined", done.stderr)


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


if __name__ == "__main__":
    unittest.main()
