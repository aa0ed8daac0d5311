"""One-shot kernel PCA as its users meet it: features of one file and of parties, keys, a centre or none, every engine."""
import csv
import json
import unittest

import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import ProgramTest

METHOD = ("fit", "oneshot-kpca")
GAMMA = 0.02
FIT = (*METHOD, "--n-components", 3, "--gamma", GAMMA)
SAMPLES, FEATURES, PARTIES = 60, 12, 3


def rbf(x, gamma=GAMMA):
    squares = (x**2).sum(1)
    return np.exp(-gamma * np.maximum(squares[:, None] + squares - 2 * x @ x.T, 0))


def kernel_pca(kernel, count=3):
    """Eigenvalues and eigenvectors of the centred kernel matrix, and its trace."""
    centring = np.eye(len(kernel)) - 1 / len(kernel)
    centred = centring @ kernel @ centring
    values, vectors = np.linalg.eigh(centred)
    return values[::-1][:count], vectors[:, ::-1][:, :count], np.trace(centred)


def product(x, parts, kept, gamma=GAMMA):
    """The paper's estimate: kernel matrices of low rank, multiplied entry by entry."""
    fused = np.ones((len(x), len(x)))
    for columns in parts:
        values, vectors = np.linalg.eigh(rbf(x[:, columns], gamma))
        fused *= (vectors[:, -kept:] * values[-kept:]) @ vectors[:, -kept:].T
    return fused


class OneshotTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = self.blobs(SAMPLES, FEATURES)
        self.save("x.npy", self.x)
        self.one_file = ("--data", "x.npy", "--nodes", PARTIES)
        self.parts = [list(range(4 * node, 4 * (node + 1))) for node in range(PARTIES)]
        for node, part in enumerate(self.parts):
            self.save(f"part-{node}.npy", self.x[:, part])
        self.shards = ("--data", "part-{node}.npy", "--nodes", PARTIES, "--assume-same-order")

    def write_people(self, orders):
        """party-<node>.csv: the people of orders[node], each with a name, a number, the node's columns of x."""
        for node, order in enumerate(orders):
            with open(self.folder / f"party-{node}.csv", "w", newline="") as file:
                rows = [[f"p{person:03}", person, *map(repr, self.x[person, self.parts[node]].tolist())] for person in order]
                csv.writer(file).writerows([["name", "number", *(f"c{column}" for column in self.parts[node])], *rows])
        return "--data", "party-{node}.csv", "--labels", "number", "--nodes", len(orders)

    def kinds(self, run):
        return {kind: count for kind, count in self.result(run)["ledger"]["by_kind"].items() if count["messages"] > 0}

    def config(self, run):
        return (self.folder / run / "config.resolved.toml").read_text()


class OneRun(OneshotTest):
    def test_the_result_has_every_key(self):
        shown = self.ok(*FIT, *self.one_file, "--estimator", "product", "--yardsticks", "--out", "run")
        values, _, trace = kernel_pca(rbf(self.x))
        result = self.result("run")
        self.assertEqual([result[key] for key in ("method", "nodes", "samples", "features", "n_components")],
                         ["oneshot-kpca", PARTIES, SAMPLES, FEATURES, 3])
        self.assertIs(result["converged"], True)
        self.assertLess(result["residual"], 1e-8)
        np.testing.assert_allclose(result["eigenvalues"], values, rtol=1e-2)
        np.testing.assert_allclose(result["explained_variance_ratio"], values / trace, rtol=1e-2)
        self.assertEqual([result[key] for key in ("estimator", "fusion", "answer_at")], ["product", "center", [0]])
        sent = result["vectors_sent"]
        self.assertEqual((len(sent["per_node"]), sum(sent["per_node"])), (PARTIES, sent["total"]))
        self.assertGreaterEqual(min(sent["per_node"]), 8)  # five more than the components
        self.assertGreater(result["bound"], 0)
        self.assertEqual(result["raw_equivalent"], [1, 2])  # four features each; those of the centre stay there
        self.assertGreater(result["planned_memory_bytes"], 1000)
        self.assertLess(result["quality"]["subspace_error"], 1e-3)
        self.assertGreaterEqual(result["time"]["setup_s"], 0)
        self.assertGreater(min(result["assessment"]["claimed_similarity"]), 0.9)
        for words in ("subspace error", "node 0 has the answer", "claimed similarity", "vectors per node"):
            self.assertIn(words, shown)
        for words in (f"gamma = {GAMMA}", "estimator = 'product'\n", "by = 'iid'  # features", "topology = 'auto'  # a star around node 0"):
            self.assertIn(words, self.config("run"))

    def test_the_product_is_the_papers(self):
        self.ok(*FIT, *self.shards, "--estimator", "product", "--local-components", 8, "--yardsticks", "--out", "run")
        fused = product(self.x, self.parts, 8)
        values, vectors, _ = kernel_pca(fused)
        truth = kernel_pca(rbf(self.x))[1]
        trace = SAMPLES - fused.sum() / SAMPLES  # a sample and itself are as near as can be, whatever was left out
        result = self.result("run")
        self.assertEqual(result["vectors_sent"], {"total": 24, "per_node": [8, 8, 8]})
        np.testing.assert_allclose(result["eigenvalues"], values, rtol=1e-8)
        np.testing.assert_allclose(result["explained_variance_ratio"], values / trace, rtol=1e-8)
        error = 3 - np.linalg.norm(truth.T @ vectors) ** 2
        self.assertGreater(error, 1e-9)
        self.assertAlmostEqual(result["quality"]["subspace_error"], error, delta=1e-6 * error + 1e-10)

    def test_distances_are_exact_once_they_have_all_directions(self):
        for kernel, matrix in (
            (("--kernel", "rbf", "--gamma", GAMMA), rbf(self.x)),
            (("--kernel", "poly", "--gamma", 0.1, "--degree", 2, "--coef0", 1), (0.1 * self.x @ self.x.T + 1) ** 2),
            (("--kernel", "linear"), self.x @ self.x.T),
        ):
            with self.subTest(kernel=kernel[1]):
                self.ok(*METHOD, "--n-components", 3, *kernel, *self.one_file, "--estimator", "distances", "--local-components", 5,
                        "--yardsticks", "--force", "--out", "run")
                np.testing.assert_allclose(self.result("run")["eigenvalues"], kernel_pca(matrix)[0], rtol=1e-7)
                self.assertLess(self.result("run")["quality"]["subspace_error"], 1e-10)
                self.assertIsNone(self.result("run")["bound"])

    def test_gamma_scale_is_that_of_all_features(self):
        gamma = 1 / (FEATURES * np.var(self.x))
        for options in (("--estimator", "product"), ("--estimator", "distances"), ("--fusion", "tree")):
            for offset in (0, 1e8):
                with self.subTest(options=options, offset=offset):
                    self.save("there.npy", self.x + offset)
                    self.ok(*METHOD, "--data", "there.npy", "--nodes", PARTIES, *options, "--force", "--out", "run")
                    found = float(self.config("run").split("gamma = 'scale'  # ")[1].split()[0])
                    self.assertAlmostEqual(found, gamma, delta=1e-9 + 1e-14 * offset)

    def test_the_estimator_is_the_cheaper_one(self):
        """Four columns each: distances are exact with four vectors, where the product would send more."""
        self.ok(*FIT, *self.one_file, "--yardsticks", "--out", "run")
        result = self.result("run")
        self.assertEqual((result["estimator"], result["vectors_sent"]), ("distances", {"total": 12, "per_node": [4, 4, 4]}))
        np.testing.assert_allclose(result["eigenvalues"], kernel_pca(rbf(self.x))[0], rtol=1e-7)
        self.assertEqual(result["assessment"]["claimed_similarity"], [1, 1, 1])
        self.assertIn("estimator = 'auto'  # distances", self.config("run"))

    def test_a_linear_kernel_misses_no_component_of_another_party(self):
        """One large column at each of two parties: each party's first eigenvalue dwarfs the rest."""
        x = self.x.copy()
        x[:, 0] *= 300
        x[:, 5:7] *= 40
        self.save("large.npy", x)
        self.ok(*METHOD, "--kernel", "linear", "--n-components", 3, "--data", "large.npy", "--nodes", 2, "--out", "run")
        np.testing.assert_allclose(self.result("run")["eigenvalues"], kernel_pca(x @ x.T)[0], rtol=1e-7)

    def test_a_weak_answer_is_said_to_be_weak(self):
        wide = np.random.default_rng(5).standard_normal((80, 60))
        self.save("wide.npy", wide)
        common = (*METHOD, "--kernel", "linear", "--n-components", 4, "--data", "wide.npy", "--nodes", 2, "--force", "--out", "run")
        done = self.choir(*common, "--local-components", 6)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the answer is weak", done.stderr)
        self.assertIn("--local-components 13", done.stderr)
        self.ok(*common, "--local-components", 30)
        self.refused(*common, "--local-components", 1, words=["what the parties sent has 2 components", "--local-components"])

    def test_standardized_by_each_party_for_itself(self):
        z = (self.x - self.x.mean(0)) / self.x.std(0)
        self.ok(*FIT, *self.shards, "--standardize", "zscore", "--local-components", 40, "--out", "run")
        np.testing.assert_allclose(self.result("run")["eigenvalues"], kernel_pca(rbf(z))[0], rtol=1e-3)

    def test_a_share_of_the_variance(self):
        self.explains_just(0.6, *METHOD, "--gamma", GAMMA, *self.one_file)

    def test_the_resolved_file_repeats_the_run(self):
        self.ok(*FIT, *self.shards, "--estimator", "distances", "--epsilon", 0.01, "--center", 2, "--out", "one")
        self.ok(*METHOD, "--config", "one/config.resolved.toml", "--out", "two")
        for key in ("eigenvalues", "vectors_sent", "answer_at", "ledger"):
            self.assertEqual(self.result("one")[key], self.result("two")[key])
        self.assertEqual(self.result("two")["answer_at"], [2])

    def test_json(self):
        self.prints_its_result(*FIT, *self.one_file)

    def test_the_help_has_this_methods_options_and_an_example_that_runs(self):
        self.assert_defaults(*METHOD, estimator="auto", local_components="adaptive", fusion="center", messages_per_node="60")
        for option in ("key", "assume-same-order", "no-raw-equivalent"):
            self.assertIn(option, self.options_of(*METHOD))
        self.assertNotIn("precision", self.options_of(*METHOD))
        self.ok(*self.example_of(*METHOD))
        self.assertLess(self.result("runs/oneshot")["quality"]["subspace_error"], 0.05)


class WhatIsSent(OneshotTest):
    def test_one_message_of_data_a_party(self):
        """Whatever the estimator, and whoever is the centre: control apart, a party sends its factor and no more."""
        self.save("wide.npy", self.blobs(SAMPLES, 90))
        wide = ("--data", "wide.npy", "--nodes", 3, "--local-components", 9)
        for estimator in ("product", "distances"):
            for center in (0, 2):
                with self.subTest(estimator=estimator, center=center):
                    self.ok(*FIT, *wide, "--estimator", estimator, "--center", center, "--force", "--out", "run")
                    kinds = self.kinds("run")
                    self.assertEqual(kinds.keys(), {"features", "identifiers", "control"})
                    self.assertEqual(kinds["features"]["messages"], 2)
                    self.assertGreater(kinds["features"]["bytes"], 2 * 8 * 9 * SAMPLES)
                    self.assertEqual(self.result("run")["answer_at"], [center])

    def test_as_much_as_the_raw_features_is_said_and_counted_as_such(self):
        done = self.choir(*FIT, *self.one_file, "--estimator", "product", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("as much as the features themselves", done.stderr)
        self.assertEqual(self.kinds("run")["raw_samples"]["messages"], PARTIES - 1)
        self.refused(*FIT, *self.one_file, "--no-raw-equivalent", "--out", "other", words=["4 features", "rotation"])
        done = self.choir(*FIT, *self.one_file, "--no-raw-equivalent", "--local-components", 3, "--out", "fewer")
        self.assertEqual(done.returncode, 3, done.stderr)  # so few are weak
        self.assertNotIn("raw_samples", self.kinds("fewer"))
        self.assertEqual(self.result("fewer")["raw_equivalent"], [])


class Keys(OneshotTest):
    KEYED = (*FIT, "--key", "name", "--estimator", "product", "--local-components", 20)

    def same_answer(self, run, people):
        """As if one file with the rows of these people had been dealt out the same way."""
        values = kernel_pca(product(self.x[people], self.parts, 20))[0]
        np.testing.assert_allclose(self.result(run)["eigenvalues"], values, rtol=1e-6)
        self.assertEqual(self.result(run)["samples"], len(people))

    def test_the_order_is_restored(self):
        random = np.random.default_rng(3)
        people = self.write_people([random.permutation(SAMPLES) for _ in range(PARTIES)])
        done = self.choir(*self.KEYED, *people, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same_answer("run", list(range(SAMPLES)))
        self.assertEqual(self.result("run")["left_out"], [0, 0, 0])
        self.assertNotIn("left out", done.stderr)

    def test_samples_are_drawn_with_the_labels_of_the_people_they_are(self):
        random = np.random.default_rng(3)
        orders = [random.permutation(SAMPLES) for _ in range(PARTIES)]
        orders[1] = orders[1][2:]
        people = sorted(orders[1])
        self.ok(*self.KEYED, *self.write_people(orders), "--report", "--out", "run")
        drawn = self.result("run")["embedded_samples"]
        self.assertEqual((drawn["axes"], drawn["of"]), (["component 1", "component 2", "component 3"], len(people)))
        [entry] = drawn["nodes"]
        self.assertEqual(entry["name"], "party 0, which has the answer")
        points = np.array(entry["points"])
        self.assertEqual(points[:, -1].tolist(), people)
        values, vectors, _ = kernel_pca(product(self.x[people], self.parts, 20), 2)
        scores = vectors * np.sqrt(values)
        signs = np.sign((points[:, :2] * scores).sum(0))
        np.testing.assert_allclose(points[:, :2] * signs, scores, atol=2e-3)

    def test_samples_that_not_all_have_are_left_out_and_nobody_is_named(self):
        random = np.random.default_rng(3)
        orders = [random.permutation(SAMPLES) for _ in range(PARTIES)]
        orders[1] = [person for person in orders[1] if person not in (5, 7, 11, 13)]
        people = self.write_people(orders)
        done = self.choir(*self.KEYED, *people, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same_answer("run", [person for person in range(SAMPLES) if person not in (5, 7, 11, 13)])
        self.assertEqual(self.result("run")["left_out"], [4, 0, 4])
        notes = [note for note in self.result("run")["notes"] if "left out" in note]
        self.assertEqual(len(notes), 2)
        rows = [str(row) for row, person in enumerate(orders[0], start=1) if person in (5, 7, 11, 13)]
        self.assertIn(f"4 of 60 samples of node 0 are left out, as not all nodes have their keys: samples {', '.join(rows[:3])} and 1 more", notes[0])
        # In no file, and in no word to the terminal: "p005".
        kept = [done.stdout.encode(), done.stderr.encode(), *(path.read_bytes() for path in (self.folder / "run").iterdir() if path.suffix != ".npz")]
        for text in kept:
            self.assertNotRegex(text, rb"\bp0[0-5][0-9]\b")

    def test_more_keys_than_agreed_are_refused(self):
        people = self.write_people([list(range(SAMPLES)), list(range(SAMPLES - 1)), list(range(SAMPLES))])
        self.refused(*self.KEYED, *people, "--max-keys", SAMPLES - 1, "--out", "run", words=[f"node 0 brings {SAMPLES} keys", "--max-keys"])
        self.ok(*self.KEYED, *people, "--max-keys", SAMPLES, "--out", "run")

    def test_keys_in_a_file_beside_the_samples(self):
        self.ok("data", "split", "x.npy", "--nodes", PARTIES, "--by", "features", "--out", "parts")
        backwards = np.load(self.folder / "parts/part-1.npy")[::-1]
        self.save("parts/part-1.npy", backwards)
        self.save("parts/keys-1.npy", np.arange(SAMPLES)[::-1])
        common = (*FIT, "--estimator", "distances", "--local-components", 5)
        self.ok(*common, "--data", "parts/part-{node}.npy", "--key", "parts/keys-{node}.npy", "--nodes", PARTIES, "--out", "keyed")
        np.testing.assert_allclose(self.result("keyed")["eigenvalues"], kernel_pca(rbf(self.x))[0], rtol=1e-7)

    def test_shards_without_a_key_are_refused_before_anything_is_read(self):
        self.refused(*FIT, "--data", "none-{node}.npy", "--nodes", 3, "--out", "run",
                     words=["none-{node}.npy", "same sample at every node", "--key", "--assume-same-order"])

    def test_one_file_may_have_a_key_column(self):
        people = self.write_people([range(SAMPLES)])
        self.assertEqual(people[1], "party-{node}.csv")
        self.ok(*FIT, "--data", "party-0.csv", "--nodes", 2, "--labels", "number", "--key", "name", "--out", "run")
        self.assertEqual(self.result("run")["features"], 4)

    def test_what_cannot_be_matched(self):
        people = self.write_people([range(SAMPLES), range(SAMPLES), range(SAMPLES)])
        self.refused(*FIT, *people, "--key", "nobody", "--out", "run", words=["nobody", "party-0.csv"])
        self.refused(*self.KEYED, *people, "--assume-same-order", "--out", "run", words=["--key", "--assume-same-order"])
        self.write_people([range(30), range(30, 60), range(SAMPLES)])
        self.refused(*self.KEYED, *people, "--out", "run", words=["no key occurs at all parties"])
        self.write_people([range(SAMPLES), [1, 2, 1, 3], range(SAMPLES)])
        error = self.refused(*self.KEYED, *people, "--out", "run", words=["samples 1 and 3 of node 1"])
        self.assertNotIn("p001", error)

    def test_shards_of_different_length_that_were_said_to_be_in_order(self):
        self.save("part-2.npy", self.x[:50, self.parts[2]])
        self.refused(*FIT, *self.shards, "--out", "run", words=["shard 2 has 50 samples", "part-2.npy"])


class WithoutACentre(OneshotTest):
    def test_every_party_has_the_answer(self):
        values = kernel_pca(rbf(self.x))[0]
        for fusion, tolerance in (("tree", 1e-7), ("gossip", 1e-3)):
            with self.subTest(fusion=fusion):
                shown = self.ok(*FIT, *self.one_file, "--engine", "sim", "--fusion", fusion, "--yardsticks", "--report",
                                "--out", fusion)
                result = self.result(fusion)
                np.testing.assert_allclose(result["eigenvalues"], values, rtol=tolerance)
                self.assertEqual(result["answer_at"], [0, 1, 2])
                self.assertEqual([entry["name"] for entry in result["embedded_samples"]["nodes"]], ["every party"])
                self.assertEqual((result["estimator"], result["fusion"]), ("distances", fusion))
                self.assertLess(result["quality"]["subspace_error"], tolerance)
                self.assertIn("every node has the answer", shown)
                self.assertIn("topology = 'auto'  # complete", self.config(fusion))
                self.assertIn("estimator = 'auto'  # distances", self.config(fusion))

    def test_parties_that_gossiped_too_little_say_so(self):
        common = (*FIT, "--data", "x.npy", "--nodes", 6, "--engine", "sim", "--fusion", "gossip", "--force", "--out", "run")
        done = self.choir(*common, "--messages-per-node", 6)  # of fewer, some do not hear of all, and a tree is used
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("raise --messages-per-node", done.stderr)
        self.assertLess(self.result("run")["agreement"], 0.999)
        self.ok(*common, "--messages-per-node", 60)
        self.assertGreater(self.result("run")["agreement"], 0.999)
        self.ok(*common[:-4], "tree", *common[-3:])  # what the sentence also advises
        self.assertTrue(self.result("run")["converged"])

    def test_where_gossip_is_too_slow_a_tree_is_used_and_said(self):
        shown = self.choir(*FIT, "--data", "x.npy", "--nodes", 6, "--engine", "sim", "--fusion", "gossip", "--topology", "line",
                           "--messages-per-node", 1, "--out", "run")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("--fusion tree does so from the start", shown.stdout + shown.stderr)
        np.testing.assert_allclose(self.result("run")["eigenvalues"], kernel_pca(rbf(self.x))[0], rtol=1e-7)


class Models(OneshotTest):
    EXACT = (*FIT, "--estimator", "distances", "--local-components", 5)

    def setUp(self):
        super().setUp()
        self.new = self.blobs(9, FEATURES, seed=7)
        self.save("new.npy", self.new)

    def scores(self, x):
        """Kernel PCA of x, asked about the new samples."""
        values, vectors, _ = kernel_pca(rbf(x))
        both = rbf(np.concatenate([self.new, x]))[: len(self.new), len(self.new) :]
        centred = both - both.mean(1, keepdims=True) - rbf(x).mean(0) + rbf(x).mean()
        return centred @ vectors / np.sqrt(values)

    def transformed(self, run, data="new.npy", *options):
        self.ok("transform", "--model", f"{run}/model-{{node}}.npz", "--data", data, "--out", "scores.npy", "--force", *options)
        return np.load(self.folder / "scores.npy")

    def same_up_to_sign(self, scores, expected, atol=1e-6):
        np.testing.assert_allclose(scores * np.sign((scores * expected).sum(0)), expected, atol=atol)

    def test_new_samples_of_one_file(self):
        for options in ((*self.EXACT, "--center", 1), (*FIT, "--fusion", "tree")):
            self.ok(*options, *self.one_file, "--force", "--out", "run")
            self.same_up_to_sign(self.transformed("run"), self.scores(self.x))
        columns = []
        for node in range(PARTIES):
            with np.load(self.folder / f"run/model-{node}.npz") as model:
                columns += model["shared/columns"].tolist()
        self.assertEqual(sorted(columns), list(range(FEATURES)))

    def test_new_samples_of_parties_that_were_matched(self):
        random = np.random.default_rng(3)
        orders = [random.permutation(SAMPLES) for _ in range(PARTIES)]
        orders[1] = orders[1][2:]
        common = sorted(orders[1])
        self.ok(*self.EXACT, *self.write_people(orders), "--key", "name", "--out", "run")
        for node, part in enumerate(self.parts):
            self.save(f"new-{node}.npy", self.new[:, part])
        self.same_up_to_sign(self.transformed("run", "new-{node}.npy"), self.scores(self.x[common]))

    def test_the_product_has_scores_of_its_own_training_samples(self):
        """Nearly: new samples are compared exactly, the training samples were by truncated factors."""
        self.ok(*FIT, *self.one_file, "--estimator", "product", "--local-components", 40, "--out", "run")
        self.same_up_to_sign(self.transformed("run"), self.scores(self.x), atol=1e-2)

    def test_inspect_says_who_has_the_answer(self):
        self.ok(*FIT, *self.one_file, "--center", 2, "--out", "run")
        answers = []
        for node in range(PARTIES):
            model = json.loads(self.ok("inspect", f"run/model-{node}.npz", "--json"))
            answers.append(model["answers"]["shared"]["has_answer"])
        self.assertEqual(answers, [False, False, True])


class Engines(OneshotTest):
    KEYS = ("eigenvalues", "explained_variance_ratio", "residual", "vectors_sent", "bound", "answer_at", "left_out", "ledger", "samples",
            "features")

    def test_the_same_everywhere(self):
        random = np.random.default_rng(3)
        orders = [random.permutation(SAMPLES) for _ in range(PARTIES)]
        orders[2] = orders[2][3:]
        people = (*FIT, *self.write_people(orders), "--key", "name", "--center", 1)
        self.ok(*people, "--threads", 2, "--out", "local")
        self.ok(*people, "--engine", "sim", "--sim-latency", "1ms..9ms", "--sim-loss", 0.1, "--out", "sim")
        expected = {key: self.result("local")[key] for key in self.KEYS}
        self.assertEqual({key: self.result("sim")[key] for key in self.KEYS}, expected)
        if not MPI_AVAILABLE:
            self.skipTest("built without MPI, or no mpirun")
        done = mpirun(self.folder, 3, *people, "--engine", "mpi", "--out", "mpi")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({key: self.result("mpi")[key] for key in self.KEYS}, expected)
        # Rank 0 has node 0 and knows its rows; those of nodes 1 and 2 stay where they are.
        notes = [note for note in self.result("mpi")["notes"] if "left out" in note]
        self.assertEqual([": samples " in note for note in notes], [True, False])
        done = mpirun(self.folder, 3, *FIT, *self.one_file, "--engine", "mpi", "--out", "dealt")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_party_that_dies_ends_it(self):
        self.lost(*FIT, *self.one_file, "--engine", "sim", "--sim-crash", "2@1ms", "--out", "run", words=["node 2"])


class BadInput(OneshotTest):
    def test_words_and_numbers_that_are_no_choice(self):
        for option, text, words in [
            ("--precision", "float32", ["--precision"]),
            ("--estimator", "best", ["best", "product", "distances"]),
            ("--fusion", "cold", ["cold", "center", "tree"]),
            ("--local-components", "some", ["--local-components", "adaptive"]),
            ("--local-components", "0", ["--local-components", "0"]),
            ("--epsilon", "small", ["epsilon", "small"]),
            ("--epsilon", "2", ["epsilon", "2"]),
            ("--messages-per-node", "0", ["messages", "0"]),
            ("--kernel", "laplacian", ["laplacian", "rbf"]),
            ("--standardize", "unit", ["unit", "zscore"]),
            ("--tol", "0", ["tol", "0"]),
            ("--center", "-1", ["center", "-1"]),
        ]:
            with self.subTest(option=option, text=text):
                # Before any data are read.
                self.refused(*METHOD, "--data", "none.npy", "--nodes", 3, "--out", "run", f"{option}={text}", words=words)

    def test_the_product_of_kernels_that_do_not_multiply(self):
        self.refused(*METHOD, "--data", "none.npy", "--nodes", 3, "--out", "run", "--estimator", "product", "--kernel", "poly",
                     words=["poly", "distances"])

    def test_data_and_networks_that_do_not_fit(self):
        self.refused(*FIT, "--data", "x.npy", "--out", "run", words=["--nodes"])
        self.refused(*FIT, *self.one_file, "--by", "label:2", "--out", "run", words=["label:2", "omit --by"])
        self.refused(*FIT, *self.one_file, "--center", 3, "--out", "run", words=["node 3", "0 to 2"])
        self.refused(*FIT, "--data", "x.npy", "--nodes", 5, "--topology", "line", "--out", "run", words=["centre", "fusion tree"])
        self.refused(*METHOD, "--n-components", 70, *self.one_file, "--out", "run", words=["70"])


if __name__ == "__main__":
    unittest.main()
