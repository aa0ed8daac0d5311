"""Learning from streams as its users meet it: files, standard input, a terminal, every engine."""
import json
import re
import subprocess
import unittest

import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import CHOIR, DIGIT_LABELS, DIGITS, ProgramTest

METHOD = ("fit", "online-kernel", "--representation", "dictionary")
GAMMA = 1.4
NODES, SAMPLES = 4, 400
CENTRES = np.array([[0, 0], [2, 0], [0, 2]])


def mixture(count, seed, labels=(0, 1, 2)):
    """Three classes in the plane that hardly overlap."""
    random = np.random.default_rng(seed)
    y = random.choice(labels, size=count)
    return CENTRES[y] + 0.3 * random.normal(size=(count, 2)), y


def csv_of(x, y):
    return "a,b,label\n" + "".join(f"{p!r},{q!r},{label}\n" for (p, q), label in zip(x.tolist(), y.tolist()))


class OnlineTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for node in range(NODES):
            x, y = mixture(SAMPLES, node)
            (self.folder / f"stream-{node}.csv").write_text(csv_of(x, y))
        self.test_x, self.test_y = mixture(500, 99)
        (self.folder / "test.csv").write_text(csv_of(self.test_x, self.test_y))
        self.fit = (*METHOD, "--labels", "label", "--gamma", GAMMA, "--nodes", NODES)
        self.shards = (*self.fit, "--data", "stream-{node}.csv")

    def model(self, run, node=0):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            manifest = json.loads(bytes(model["manifest.json"]))
            return manifest["answers"]["own"], {name: model[name] for name in model.files if name != "manifest.json"}

    def models(self, run, nodes=NODES):
        return [{name: array.tolist() for name, array in self.model(run, node)[1].items()} for node in range(nodes)]

    def decide(self, run, x, node=0):
        manifest, arrays = self.model(run, node)
        points, weights = arrays["own/points"], arrays["own/weights"]
        distances = ((x[:, None, :] - points[None]) ** 2).sum(-1)
        return np.exp(-manifest["kernel"]["gamma"] * distances) @ weights + arrays.get("own/intercept", 0)

    def accuracy(self, run, node=0):
        return (self.decide(run, self.test_x, node).argmax(1) == self.test_y).mean()


    def shown_by(self, run):
        """What a run says, apart from how long it took and where it began."""
        kept = ("samples", "iterations", "model_order", "largest_model_order", "disagreement", "notes")
        return {key: self.result(run).get(key) for key in kept}

    def check_decision(self, run, decision):
        """The class of every cell is that of the largest score in its middle, and all dictionaries are covered."""
        middles = [low + (np.arange(count) + 0.5) * (high - low) / count
                   for (low, high), count in ((decision["x"], decision["columns"]), (decision["y"], decision["rows"]))]
        plane = np.array([[x, y] for y in middles[1] for x in middles[0]])
        self.assertEqual(decision["classes"], [0, 1, 2])
        self.assertEqual([entry["node"] for entry in decision["nodes"]], list(range(NODES)))
        for entry in decision["nodes"]:
            self.assertEqual(entry["cells"], self.decide(run, plane, entry["node"]).argmax(1).tolist())
            points = self.model(run, entry["node"])[1]["own/points"]
            for axis, (low, high) in enumerate((decision["x"], decision["y"])):
                self.assertTrue((points[:, axis] > low).all() and (points[:, axis] < high).all())


class Shards(OnlineTest):
    def test_every_node_learns_what_all_have_seen(self):
        for node, labels in enumerate(([0, 1], [1, 2], [2, 0], [0, 1])):
            x, y = mixture(SAMPLES, node, labels)
            (self.folder / f"stream-{node}.csv").write_text(csv_of(x, y))
        shown = self.ok(*self.shards, "--test", "test.csv", "--report", "--out", "run")
        result = self.result("run")
        for node in range(NODES):
            self.assertGreater(self.accuracy("run", node), 0.97)
            self.assertAlmostEqual(result["quality"]["per_node"]["accuracy"][node][0], self.accuracy("run", node))
        self.check_decision("run", result["decision"])
        counts = np.array(result["confusion"]["counts"])
        self.assertEqual(counts.sum(1).tolist(), [NODES * (self.test_y == label).sum() for label in range(3)])
        self.assertAlmostEqual(np.trace(counts) / counts.sum(), result["quality"]["accuracy"][0])
        self.ok(*self.shards, "--test", "test.csv", "--consensus", "none", "--out", "alone")
        self.assertLess(np.mean(self.result("alone")["quality"]["accuracy"]), 0.8)
        self.assertNotIn("decision", self.result("alone"), "it is drawn for a page")
        self.assertEqual(result["classes"], [0, 1, 2])
        self.assertEqual(result["samples"], NODES * SAMPLES)
        self.assertIsNone(result["converged"])
        self.assertIn("accuracy on the test samples", shown)
        self.assertIn("raw samples", shown)
        self.assertGreater(result["ledger"]["by_kind"]["raw_samples"]["messages"], 0)
        lines = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        self.assertEqual({line["node"] for line in lines}, set(range(NODES)))
        orders = [line["model_order"] for line in lines]
        self.assertLessEqual(max(orders), result["largest_model_order"])

    def test_alone_nothing_of_a_sample_leaves_a_node(self):
        self.ok(*self.shards, "--consensus", "none", "--out", "run")
        sent = {kind for kind, count in self.result("run")["ledger"]["by_kind"].items() if count["messages"]}
        self.assertLessEqual(sent, {"own_statistics", "masked", "totals", "control"}, "the step size is agreed on")

    def test_the_dictionary_is_as_small_as_asked_for(self):
        self.ok(*self.shards, "--max-atoms", 7, "--epsilon", 0, "--out", "run")
        self.assertLessEqual(self.result("run")["largest_model_order"], 7)
        self.assertEqual(self.model("run")[1]["own/points"].shape, (7, 2))

    def test_values(self):
        random = np.random.default_rng(1)
        x = random.uniform(-2, 2, size=(2000, 2))
        y = np.sin(2 * x[:, 0]) * np.cos(1.5 * x[:, 1])
        (self.folder / "values.csv").write_text(csv_of(x, y))
        self.ok(*METHOD, "--data", "values.csv", "--labels", "label", "--gamma", 2, "--nodes", 3, "--loss", "squared",
                "--passes", 3, "--test", "values.csv", "--out", "run")
        rmse = self.result("run")["quality"]["rmse"][0]
        predicted = self.decide("run", x)[:, 0]
        self.assertAlmostEqual(self.result("run")["quality"]["per_node"]["rmse"][0][0], np.sqrt(((predicted - y) ** 2).mean()))
        self.assertLess(rmse, 0.2)
        self.assertLess(rmse, 0.5 * y.std())
        lines = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        learning = [line for line in lines if "loss" in line and line["node"] == 0]
        self.assertLess(learning[-1]["recent_loss"], 0.2 * learning[2]["recent_loss"])
        self.assertAlmostEqual(self.result("run")["quality"]["per_node"]["progressive_rmse"][0][0], learning[-1]["progressive_rmse"], 2)

    def test_labels_that_say_nothing_are_exit_3(self):
        random = np.random.default_rng(1)
        (self.folder / "noise.csv").write_text(csv_of(random.normal(size=(400, 2)), random.integers(0, 2, 400)))
        done = self.choir(*METHOD, "--data", "noise.csv", "--labels", "label", "--nodes", 2, "--gamma", 50, "--max-atoms", 1, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("no better than always the same answer", done.stderr)
        self.assertIn("no better", self.result("run")["assessment"]["weaknesses"][0])


class OneFile(OnlineTest):
    def test_it_is_dealt_out_in_turn(self):
        x, y = mixture(NODES * SAMPLES, 5)
        (self.folder / "all.csv").write_text(csv_of(x, y))
        for node in range(NODES):
            (self.folder / f"stream-{node}.csv").write_text(csv_of(x[node::NODES], y[node::NODES]))
        self.ok(*self.fit, "--data", "all.csv", "--out", "one")
        self.ok(*self.shards, "--out", "several")
        self.assertEqual(self.models("one"), self.models("several"))

    def test_numpy_files_and_packed_ones_from_memory(self):
        x, y = mixture(800, 5)
        self.save("x.npy", x)
        self.save("y.npy", y)
        (self.folder / "all.csv").write_text(csv_of(x, y))
        common = (*METHOD, "--gamma", GAMMA, "--nodes", 2)
        self.ok(*common, "--data", "x.npy", "--labels", "y.npy", "--out", "npy")
        self.ok(*common, "--data", "all.csv", "--labels", "label", "--out", "csv")
        self.assertEqual(self.models("npy", 2), self.models("csv", 2))
        digits = (*METHOD, "--data", DIGITS, "--labels", DIGIT_LABELS, "--nodes", 2, "--divide", 255, "--gamma", 0.02)
        self.refused(*digits, "--out", "run", words=["digits.npz"])
        self.ok(*digits, "--by", "iid", "--max-atoms", 100, "--out", "digits")
        self.assertEqual(self.result("digits")["classes"], list(range(10)))

    def test_the_labels_of_a_node_come_mixed(self):
        """Of samples dealt out by label, too: in the first round everybody says 0, which is right for some."""
        x, y = mixture(900, 5)
        self.save("x.npy", x)
        self.save("y.npy", y)
        self.ok(*METHOD, "--gamma", GAMMA, "--nodes", 3, "--data", "x.npy", "--labels", "y.npy", "--by", "label:2", "--out", "run")
        lines = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        mistakes = {line["node"]: line["mistakes"] for line in lines if line["round"] == 1}
        self.assertEqual(mistakes[1], 1, "it has the labels 1 and 2")
        for node in (0, 2):
            self.assertTrue(0.2 < mistakes[node] < 0.8, mistakes)

    def test_passes_are_the_file_again(self):
        x, y = mixture(320, 5)
        (self.folder / "once.csv").write_text(csv_of(x, y))
        (self.folder / "twice.csv").write_text(csv_of(np.tile(x, (2, 1)), np.tile(y, 2)))
        common = (*METHOD, "--gamma", GAMMA, "--nodes", 1, "--labels", "label")
        self.ok(*common, "--data", "once.csv", "--passes", 2, "--out", "a")
        self.ok(*common, "--data", "twice.csv", "--out", "b")
        self.assertEqual(self.models("a", 1), self.models("b", 1))


class StandardInput(OnlineTest):
    def piped(self, text, *arguments):
        command = (*METHOD, "--data", "-", "--gamma", GAMMA, "--nodes", NODES, *arguments)
        return subprocess.run([CHOIR, *map(str, command)], cwd=self.folder, input=text, capture_output=True, text=True,
                              timeout=600)

    def test_csv_and_ndjson_are_files_that_come_as_they_go(self):
        x, y = mixture(600, 5)
        (self.folder / "all.csv").write_text(csv_of(x, y))
        self.ok(*self.fit, "--data", "all.csv", "--out", "file")
        lines = "".join(json.dumps({"x": row, "y": label}) + "\n" for row, label in zip(x.tolist(), y.tolist()))
        for name, text, labels in (("csv", csv_of(x, y), ("--labels", "label")), ("ndjson", lines, ())):
            done = self.piped(text, *labels, "--classes", "0,1,2", "--out", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.models(name), self.models("file"))

    def test_what_cannot_be(self):
        done = self.piped("1,2,0\n", "--labels", "3", "--out", "run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--classes", done.stderr)
        done = self.piped("1,2,0\n1,x,0\n", "--classes", "0,1", "--labels", "3", "--out", "run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("line 2", done.stderr)
        done = self.piped("1,2,7\n", "--classes", "0,1", "--labels", "3", "--out", "run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("7", done.stderr)


class Shown(OnlineTest):
    def test_the_pace_on_a_terminal(self):
        """As somebody sees it who looks at a terminal."""
        for node in range(NODES):
            (self.folder / f"stream-{node}.csv").write_text(csv_of(*mixture(6000, node)))
        shown = self.on_a_terminal(*self.shards, "--passes", 20, "--out", "run")
        paces = re.findall(r"(\d+) samples a second at node 0, samples (\d+)", shown)
        self.assertGreater(len(paces), 1, shown)
        self.assertNotIn("rounds of node", shown)
        self.assertGreater(int(paces[-1][0]), 0)

    def test_a_stream_that_ended_before_others(self):
        lengths = (320, 3200, 3200, 3200)
        for node, length in enumerate(lengths):
            (self.folder / f"stream-{node}.csv").write_text(csv_of(*mixture(length, node)))
        self.ok(*self.shards, "--out", "run")
        notes = self.result("run")["notes"]
        self.assertTrue(any("node 0's stream ended after 320 samples, others went on to 3200" in note for note in notes), notes)
        lines = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        for line in lines:
            with_batch = 32 * (line["round"] - 1) < lengths[line["node"]]
            for key in ("loss", "mistakes", "disagreement"):
                self.assertEqual(key in line, with_batch, line)
            self.assertIn("compression", line)
        self.assertTrue(any(line["node"] == 0 and "loss" not in line for line in lines))


class Refused(OnlineTest):
    def test_too_much_memory_names_what_asks_for_it(self):
        for option in ("--max-atoms", "--batch"):
            words = self.refused(*self.shards, option, 1_000_000, "--out", "run",
                                 words=["4 nodes need", "choose a smaller --max-atoms or --batch"])
            self.assertNotIn("shards", words)

    def test_what_cannot_be(self):
        for options, words in ((("--loss", "cubic"), ["cubic", "logistic"]),
                               (("--consensus", "vote"), ["vote", "diffusion"]),
                               (("--eta", "fast"), ["eta", "auto"]),
                               (("--passes", 0), ["passes"]),
                               (("--loss", "squared", "--classes", "0,1"), ["--classes"]),
                               (("--kernel", "poly"), ["eta"]),
                               (("--classes", "0,1"), ["2"]),
                               (("--batch", 0), ["batch"])):
            with self.subTest(options=options):
                self.refused(*self.shards, *options, "--out", "run", words=words)
        self.refused(*METHOD, "--data", "stream-{node}.csv", "--nodes", NODES, "--out", "run", words=["--labels"])
        self.refused(*METHOD, "--data", "none-{node}.csv", "--labels", "label", "--nodes", NODES, "--out", "run",
                     words=["none-0.csv"])


class Engines(OnlineTest):
    def test_the_same_everywhere(self):
        for consensus in ("diffusion", "symmetric", "penalty"):
            command = (*self.shards, "--consensus", consensus)
            self.ok(*command, "--threads", 2, "--out", f"local-{consensus}")
            self.ok(*command, "--engine", "sim", "--out", f"sim-{consensus}")
            self.assertEqual(self.models(f"local-{consensus}"), self.models(f"sim-{consensus}"))
            if not MPI_AVAILABLE:
                continue
            for ranks in (2, 5):
                done = mpirun(self.folder, ranks, *command, "--engine", "mpi", "--force", "--out", "mpi")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.models("mpi"), self.models(f"sim-{consensus}"))

    def test_a_slow_node_does_not_stop_the_others(self):
        self.ok(*self.shards, "--engine", "sim", "--sim-crash", "2@5ms", "--sim-latency", "1ms..1ms", "--lost-peers", "continue",
                "--deadline", "1s", "--out", "run")
        self.assertFalse((self.folder / "run/model-2.npz").exists())
        for node in (0, 1, 3):
            self.assertGreater(self.accuracy("run", node), 0.95)


if __name__ == "__main__":
    unittest.main()
