"""Clusters of devices as users meet them: labels, models, masks, refusals, every engine."""
import json
import unittest

import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import ProgramTest

METHOD = ("fit", "federated-kmeans")
DEVICES, SAMPLES = 6, 60
KERNEL = ("--gamma", 1, "--n-clusters", 2, "--n-landmarks", 30, "--rank", 8)


def disc_and_ring(count, seed):
    """Two clusters that no straight line tells apart."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, size=count)
    angle = random.uniform(0, 2 * np.pi, size=count)
    ring = 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.15 * random.normal(size=(count, 2))
    return np.where(y[:, None] == 1, ring, 0.4 * random.normal(size=(count, 2))), y


def agreement(a, b):
    """Share of equal labels under the better of the two namings."""
    share = (np.asarray(a) == np.asarray(b)).mean()
    return max(share, 1 - share)


class FederatedTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.truth = []
        for device in range(DEVICES):
            x, y = disc_and_ring(SAMPLES, device)
            self.save(f"device-{device}.npy", x)
            self.save(f"state-{device}.npy", y)
            self.truth.append(y)
        self.shards = (*METHOD, "--data", "device-{node}.npy", "--labels", "state-{node}.npy", "--nodes", DEVICES, *KERNEL)

    def numbers(self, run, device, name="labels"):
        """Of one device, whatever process wrote them."""
        for path in sorted((self.folder / run).glob("labels-*.npz")):
            with np.load(path) as file:
                if device in file["nodes"]:
                    return file[name][file["nodes"] == device]
        return np.array([], dtype=np.int64)

    def labels(self, run, device):
        return self.numbers(run, device)

    def all_labels(self, run):
        return [self.labels(run, device).tolist() for device in range(DEVICES)]

    def model(self, run, node):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return {name: model[name].tolist() for name in model.files if name != "manifest.json"}


class Clusters(FederatedTest):
    def test_every_device_gets_its_labels_and_all_the_same_model(self):
        shown = self.ok(*self.shards, "--yardsticks", "--out", "run")
        self.assertGreater(agreement(np.concatenate(self.all_labels("run")), np.concatenate(self.truth)), 0.95)
        self.assertEqual(sorted(path.name for path in (self.folder / "run").glob("*.np*")), ["labels-0.npz", "model-0.npz"],
                         "one of each, however many devices")
        result = self.result("run")
        self.assertEqual((result["nodes"], result["samples"], result["clusters"]), (DEVICES, DEVICES * SAMPLES, 2))
        self.assertAlmostEqual(result["quality"]["accuracy"],
                               agreement(np.concatenate(self.all_labels("run")), np.concatenate(self.truth)))
        self.assertLess(result["quality"]["cost_ratio"], 1.01)
        self.assertEqual(sum(result["cluster_sizes"]), DEVICES * SAMPLES)
        self.assertTrue(result["converged"])
        self.assertTrue(result["masked"])
        for word in ("2 clusters", "masked", "against the labels", "sent per device", "no raw samples"):
            self.assertIn(word, shown)
        self.assertNotIn("raw_samples", result["ledger"]["by_kind"])
        lines = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), result["sums"])
        self.assertTrue(all(line["answered"] == DEVICES for line in lines))

    def test_masks_change_nothing_but_who_sees_what(self):
        self.ok(*self.shards, "--out", "masked")
        self.ok(*self.shards, "--masks", "off", "--out", "open")
        self.assertEqual(self.all_labels("masked"), self.all_labels("open"))
        self.assertAlmostEqual(self.result("masked")["inertia"], self.result("open")["inertia"], delta=1e-9)

    def test_other_embeddings_and_no_server(self):
        for options in (("--embedding", "fea", "--n-features", 100), ("--embedding", "random-features", "--n-features", 100),
                        ("--coordination", "gossip")):
            with self.subTest(options=options):
                self.ok(*self.shards, *options, "--out", "run", "--force")
                self.assertGreater(agreement(np.concatenate(self.all_labels("run")), np.concatenate(self.truth)), 0.9)

    def test_one_file_is_dealt_out_and_the_rows_are_told(self):
        x, y = disc_and_ring(300, 9)
        self.save("all.npy", x)
        self.save("states.npy", y)
        self.ok(*METHOD, "--data", "all.npy", "--labels", "states.npy", "--nodes", 4, *KERNEL, "--out", "run")
        found = np.full(300, -1)
        for device in range(4):
            found[self.numbers("run", device, "rows")] = self.labels("run", device)
        self.assertTrue((found >= 0).all())
        self.assertGreater(agreement(found, y), 0.95)

    def test_predict_says_the_labels_of_the_training_samples(self):
        self.ok(*self.shards, "--out", "run")
        for device in (0, 3):
            self.ok("predict", "--model", "run/model-0.npz", "--data", f"device-{device}.npy", "--out", "labels.npy", "--force")
            self.assertEqual(np.load(self.folder / "labels.npy").tolist(), self.labels("run", device).tolist())
        shown = self.ok("predict", "--model", "run/model-0.npz", "--data", "device-0.npy", "--labels", "state-0.npy", "--out",
                        "labels.npy", "--force")
        self.assertIn("nmi", shown)
        self.ok("predict", "--model", "run/model-0.npz", "--data", "device-0.npy", "--scores", "--out", "distances.npy")
        distances = np.load(self.folder / "distances.npy")
        self.assertEqual(distances.argmin(1).tolist(), self.labels("run", 0).tolist())
        self.refused("predict", "--model", "run/model-0.npz", "--data", "device-0.npy", "--probabilities", "--out", "p.npy",
                     words=["clusters", "--scores"])
        self.assertIn("2 clusters", self.ok("inspect", "run/model-0.npz"))


class Untuned(FederatedTest):
    def setUp(self):
        super().setUp()
        self.untuned = (*METHOD, "--data", "device-{node}.npy", "--labels", "state-{node}.npy", "--nodes", DEVICES, "--gamma", 1)

    def test_the_rank_keeps_the_kernel_and_the_result_says_so(self):
        done = self.choir(*self.untuned, "--n-clusters", 2, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertGreaterEqual(result["kept_of_features"], 0.95)
        self.assertEqual(result["rank"], result["dimension"])
        self.assertIn(f"--rank auto: {result['rank']} eigenvectors keep", done.stderr)
        self.assertIn(f"keeps {100 * result['kept_of_kernel']:.1f}% of the kernel's trace; silhouette {result['silhouette']:.3f}",
                      done.stdout)
        self.assertEqual(result["assessment"]["weaknesses"], [])

    def test_an_embedding_that_keeps_too_little_is_no_success(self):
        done = self.choir(*self.untuned[:-1], 5, "--n-clusters", 2, "--rank", 1, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("raise --rank, or use --rank auto", done.stderr)

    def test_the_number_of_clusters_is_found_or_the_run_says_that_it_is_not(self):
        random = np.random.default_rng(5)
        for device in range(DEVICES):
            centres = np.array([[0, 0], [4, 0], [0, 4], [4, 4]])[random.integers(0, 4, size=SAMPLES)]
            self.save(f"device-{device}.npy", centres + 0.4 * random.normal(size=(SAMPLES, 2)))
        plain = (*METHOD, "--data", "device-{node}.npy", "--nodes", DEVICES, "--gamma", 0.2, "--n-clusters", "auto")
        done = self.choir(*plain, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertEqual(result["clusters"], 4)
        self.assertEqual([tried["clusters"] for tried in result["tried"]], list(range(2, 11)))
        self.assertIn("--n-clusters auto: 4, by the silhouettes 2:", done.stderr)
        done = self.choir(*plain, "--max-clusters", 3, "--out", "run", "--force")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("raise --max-clusters", done.stderr)

    def test_a_device_without_samples_takes_part(self):
        self.save("device-2.npy", np.zeros((0, 2)))
        self.save("state-2.npy", np.zeros(0, dtype=np.int64))
        self.ok(*self.untuned, "--n-clusters", 2, "--out", "run")
        self.assertEqual(self.result("run")["samples"], (DEVICES - 1) * SAMPLES)
        self.assertEqual(len(self.labels("run", 2)), 0)
        self.refused("fit", "consensus-kpca", "--data", "device-{node}.npy", "--nodes", DEVICES, "--out", "other", words=["0 x 2"])

    def test_labels_that_are_dealt_out_unevenly_are_named(self):
        x, y = disc_and_ring(300, 9)
        self.save("all.npy", x)
        self.save("states.npy", np.where(np.arange(300) < 20, 2, y))
        done = self.choir(*METHOD, "--data", "all.npy", "--labels", "states.npy", "--nodes", 4, "--by", "label:1", *KERNEL, "--out",
                          "run")
        self.assertIn("of 300 samples", done.stderr)


class Refused(FederatedTest):
    def test_what_cannot_be(self):
        for options, words in ((("--masks", "maybe"), ["masks", "auto"]),
                               (("--embedding", "pca"), ["pca", "nystroem"]),
                               (("--coordination", "gossip", "--masks", "on"), ["masks"]),
                               (("--topology", "ring:2"), ["star", "--coordination"]),
                               (("--seeding", "parallel"), ["parallel"]),
                               (("--n-landmarks", 60, "--masks", "off"), ["60", "--masks on"]),
                               (("--patience", "soon"), ["--patience"]),
                               (("--restarts", 0), ["restarts"])):
            with self.subTest(options=options):
                kept = [word for word in self.shards]
                if options[0] in kept:  # given twice is another error
                    place = kept.index(options[0])
                    del kept[place:place + 2]
                self.refused(*kept, *options, "--out", "run", words=words)
        alone = (*METHOD, "--data", "device-0.npy", "--nodes", 1, *KERNEL)
        for options in ((), ("--masks", "off"), ("--coordination", "gossip")):
            self.refused(*alone, *options, "--out", "run", words=["at least 2 devices", "there is 1"])

    def test_values_that_cannot_be_squared(self):
        for device in range(DEVICES):
            self.save(f"device-{device}.npy", 1e160 * disc_and_ring(SAMPLES, device)[0])
        for options in ((), ("--coordination", "gossip"), ("--masks", "off")):
            done = self.choir(*METHOD, "--data", "device-{node}.npy", "--nodes", DEVICES, "--n-clusters", 2, "--n-landmarks", 30,
                              *options, "--out", "run")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("has values that are too large to be squared", done.stderr)

    def test_more_clusters_than_there_are_samples_that_differ(self):
        self.save("copies.npy", np.repeat(np.random.default_rng(3).normal(size=(5, 2)), 40, axis=0))
        self.refused(*METHOD, "--data", "copies.npy", "--nodes", 4, "--n-clusters", 6, "--n-landmarks", 20, "--gamma", 1, "--out",
                     "run", words=["there are only 5 distinct points to start 6 clusters from"])

    def test_small_devices_without_masks_say_why_and_get_labels(self):
        self.save("device-2.npy", disc_and_ring(20, 2)[0])
        self.save("state-2.npy", disc_and_ring(20, 2)[1])
        done = self.choir(*self.shards, "--masks", "off", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("device 2 refuses all sums", done.stderr)
        self.assertEqual(self.result("run")["most_refused"], 1)
        self.assertEqual(len(self.labels("run", 2)), 20)
        labels = np.concatenate([self.labels("run", device) for device in range(DEVICES)])
        self.assertEqual(self.result("run")["cluster_sizes"], np.bincount(labels).tolist(), "of all, not scaled up from some")

    def test_runs_that_end_too_soon_say_how_far_the_centres_moved(self):
        done = self.choir(*self.shards, "--max-iter", 1, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        change = self.result("run")["change"]
        self.assertGreater(change, 1e-4)
        self.assertIn(f"not converged: change {change:.1e}, tol 1.0e-04; raise --max-iter", done.stderr)

    def test_gossip_of_few_messages_ends_and_says_what_to_raise(self):
        done = self.choir(*self.shards, "--coordination", "gossip", "--messages-per-node", 5, "--topology", "ring:2", "--engine",
                          "sim", "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        result = self.result("run")
        self.assertLess(result["iterations"], 200)
        self.assertLess(result["time"]["virtual_s"], 0.5 * result["sums"])
        self.assertEqual(sum(result["cluster_sizes"]), DEVICES * SAMPLES)
        self.assertIn("raise --messages-per-node", done.stderr)


class Engines(FederatedTest):
    def test_the_same_everywhere(self):
        self.ok(*self.shards, "--threads", 2, "--out", "local")
        self.ok(*self.shards, "--engine", "sim", "--out", "sim")
        self.assertEqual(self.model("sim", 0), self.model("local", 0))
        if not MPI_AVAILABLE:
            return
        for ranks in (3, DEVICES + 1):
            done = mpirun(self.folder, ranks, *self.shards, "--engine", "mpi", "--force", "--out", "mpi")
            self.assertEqual(done.returncode, 0, done.stderr)
            models = sorted((self.folder / "mpi").glob("model-*.npz"))
            self.assertEqual(len(models), ranks)
            for path in models:
                self.assertEqual(self.model("mpi", path.stem.removeprefix("model-")), self.model("local", 0))
            self.assertEqual(self.all_labels("mpi"), self.all_labels("local"))
            self.assertEqual(self.result("mpi")["quality"], self.result("local")["quality"])

    def test_devices_that_die(self):
        done = self.choir(*self.shards, "--engine", "sim", "--sim-latency", "1ms..2ms", "--sim-crash", "1@20ms", "--patience", "100ms",
                          "--lost-peers", "continue", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.labels("run", 1)), 0)
        self.assertGreater(agreement(self.labels("run", 0), self.truth[0]), 0.9)
        self.assertGreater(self.result("run")["most_silent"], 0)
        faults = [(fault["what"], fault["node"]) for fault in self.result("run")["faults"]]
        self.assertEqual(faults[0], ("crashed", 1))
        self.assertIn(("silent", 1), faults)
        self.assertEqual({node for _, node in faults}, {1})


if __name__ == "__main__":
    unittest.main()
