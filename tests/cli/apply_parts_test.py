import unittest

import numpy as np
from model_parts import PartsTest
from network import MPI_AVAILABLE, mpirun
from program import ProgramTest


class ApplyParts(PartsTest):
    def test_parts_answer_as_the_whole(self):
        for engine in ("local", "sim"):
            self.answers_as_the_whole("--engine", engine, atol=1e-12)

    def test_nodes_with_data_of_their_own_need_no_columns(self):
        self.answers_from_data_of_each_node(atol=1e-12)
        self.refused(*self.parts("transform"), words=["run/model-0.npz does not know which columns of new.npy"])

    def test_gossip_estimates_also_over_lossy_links(self):
        few, _ = self.answer("transform", "--engine", "sim", "--agree", "gossip", "--messages-per-node", 4)
        many, said = self.answer("transform", "--engine", "sim", "--agree", "gossip", "--messages-per-node", 150,
                                 "--sim-loss", 0.1)
        self.assertGreater(abs(few - self.scores).max(), 1e-6)
        np.testing.assert_allclose(many, self.scores, atol=1e-6)
        self.assertIn("control", said)

    def test_without_parts_that_are_gone_the_others_do_what_their_coordinates_allow(self):
        for node in (2, 5):
            (self.folder / f"run/model-{node}.npz").unlink()
        scores, said = self.answer("transform")
        self.assertIn("warning: there is no part of nodes 2, 5", said)
        left = sorted(set(range(10)) - set(self.COLUMNS[2]) - set(self.COLUMNS[5]))
        truth, rest, *_ = np.linalg.lstsq(self.directions[:, left].T, (self.new - self.mean)[:, left].T, rcond=None)
        np.testing.assert_allclose(scores, truth.T, atol=1e-10)
        errors, _ = self.answer("score")
        np.testing.assert_allclose(np.ravel(errors), rest, atol=1e-10)

    def test_other_files_of_the_folder_do_not_matter(self):
        for name in ("model-.npz", "model-x.npz", "model-1.npz.bak", "model-01.npz", "amodel-1.npz"):
            (self.folder / "run" / name).write_bytes(b"nothing")
        scores, said = self.answer("transform")
        np.testing.assert_allclose(scores, self.scores, atol=1e-12)
        self.assertNotIn("warning", said)

    def test_a_folder_for_every_node(self):
        for node in range(6):
            (self.folder / f"host{node}").mkdir()
            (self.folder / f"run/model-{node}.npz").rename(self.folder / f"host{node}/model.npz")
        self.ok("transform", "--model", "host{node}/model.npz", "--data", "new.npy", "--out", "out.npy")
        np.testing.assert_allclose(np.load(self.folder / "out.npy"), self.scores, atol=1e-12)

    def test_one_part_alone_says_what_is_needed(self):
        for command in ("transform", "score"):
            self.refused(command, "--model", "run/model-0.npz", "--data", "new.npy", "--out", "s.npy",
                         words=["one party's part", "all parts are needed", "--model 'RUN/model-{node}.npz'"])

    def test_refuses_data_that_do_not_fit(self):
        self.save("narrow.npy", self.new[:, :9])
        self.refused(*self.parts("transform", data="narrow.npy"),
                     words=["narrow.npy has 9 features but run/model-5.npz needs number 9"])
        self.save("wide.npy", np.ones((4, 11)))
        self.refused(*self.parts("transform", data="wide.npy"),
                     words=["wide.npy has 11 features but the parts were fitted to 10 together"])
        for node, columns in enumerate(self.COLUMNS):
            self.save(f"new-{node}.npy", self.new[: 25 - (node == 4), columns])
        self.refused(*self.parts("score", data="new-{node}.npy"),
                     words=["new-4.npy has 24 samples but new-0.npy has 25", "the same samples"])
        self.save("new-4.npy", self.new)
        self.refused(*self.parts("score", data="new-{node}.npy"), words=["new-4.npy has 10 features", "fitted to 2"])

    def test_refuses_parts_that_are_not_of_one_model(self):
        self.write_part(3, training_samples=79)
        self.refused(*self.parts("transform"), words=["run/model-3.npz has 79 training samples", "parts of one run"])
        self.write_part(3, components=2)
        self.refused(*self.parts("transform"), words=["run/model-3.npz has 2 components but run/model-0.npz has 3"])
        self.write_part(2, name="model-3.npz")
        self.refused(*self.parts("transform"), words=["run/model-3.npz is the part of node 2"])
        (self.folder / "run/model-3.npz").write_bytes(b"PK")
        self.refused(*self.parts("transform"), words=["run/model-3.npz"])

    def test_refuses_what_is_not_there(self):
        self.refused("transform", "--model", "walk/model-{node}.npz", "--data", "new.npy", "--out", "s.npy",
                     words=["there is no file walk/model-{node}.npz for any number"])
        self.refused(*self.parts("transform", data="none.npy"), words=["none.npy"])
        self.refused(*self.parts("transform", "--agree", "shouting"), words=["agree is 'shouting'", "tree, gossip"])
        self.refused(*self.parts("transform", "--use", "own"), words=["no answer 'own'"])
        self.refused(*self.parts("transform", "--sim-loss", 0.1), words=["--sim-loss", "--engine sim"])

    def test_a_node_that_dies_on_the_way_is_exit_4_or_said(self):
        crash = ("--engine", "sim", "--sim-crash", "5@0ms")
        self.lost(*self.parts("transform", *crash), words=["node"])
        _, said = self.answer("transform", *crash, "--topology", "star", "--lost-peers", "continue")
        self.assertIn("warning: lost on the way: node 5", said)

    def test_single_models_take_no_network(self):
        for option in ("--engine", "local"), ("--agree", "tree"), ("--topology", "ring:2"), ("--sim-loss", "0.1"):
            self.refused("transform", "--model", "run/model-0.npz", "--data", "new.npy", "--out", "s.npy", *option,
                         words=[option[0], "is for models in parts"])


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class ApplyPartsUnderMpi(PartsTest):
    def test_the_same_answer_with_any_number_of_ranks(self):
        for ranks in (2, 8):  # with eight, some have no part
            done = mpirun(self.folder, ranks, *self.parts("transform", "--engine", "mpi", out=f"{ranks}.npy"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("25 x 3 values in"), 1, done.stderr)
            self.assertEqual(done.stderr.count("no raw samples"), 1, done.stderr)
            np.testing.assert_allclose(np.load(self.folder / f"{ranks}.npy"), self.scores, atol=1e-12)

    def test_one_sentence_whoever_fails(self):
        (self.folder / "run/model-5.npz").write_bytes(b"PK")
        done = mpirun(self.folder, 3, *self.parts("transform", "--engine", "mpi", out="s.npy"))
        self.assertEqual(done.returncode, 2, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("run/model-5.npz", said[0])
        self.assertFalse((self.folder / "s.npy").exists())


class ApplyToAFit(ProgramTest):
    def test_parts_of_a_run_answer_as_pca_of_the_pooled_data(self):
        x = self.blobs(count=90, features=12)
        self.save("x.npy", x[:60])
        self.save("new.npy", x[60:])
        self.ok("fit", "gossip-pca", "--partition", "coordinates", "--engine", "sim", "--data", "x.npy", "--nodes", 5,
                "--n-components", 2, "--carry", 12, "--tol", 0, "--messages-per-node", 80, "--out", "run")
        self.ok("transform", "--model", "run/model-{node}.npz", "--data", "new.npy", "--out", "scores.npy")
        scores = np.load(self.folder / "scores.npy")
        mean = x[:60].mean(0)
        _, _, directions = np.linalg.svd(x[:60] - mean, full_matrices=False)
        truth = (x[60:] - mean) @ directions[:2].T
        signs = np.sign((scores * truth).sum(0))
        np.testing.assert_allclose(scores * signs, truth, atol=1e-6)
