"""Tables as hospitals have them: an identifier, words, gaps, labels in words."""
import csv
import json
import unittest
import zipfile

import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import ProgramTest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import KernelPCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

HEADER = ["patient", "sex", "ward", "smoking", "age", "bmi", "pressure", "glucose", "pulse", "diagnosis"]
WORDS, NUMBERS = HEADER[1:4], HEADER[4:9]
TABLE = ["--id", "patient", "--labels", "diagnosis", "--categorical", "auto", "--missing", "mean"]
NETWORKS = ["consensus-kpca", "gossip-pca", "local-kpca", "federated-kmeans", "online-kernel"]


def patients(count, seed=7):
    """Rows of 3 columns of words and 5 of numbers with 4% gaps."""
    random = np.random.default_rng(seed)
    rows = []
    for i in range(count):
        sick = random.random() < 0.45
        words = [random.choice(["female", "male"]),
                 random.choice(["icu", "er", "general, north"], p=[0.2 + 0.3 * sick, 0.3, 0.5 - 0.3 * sick]),
                 random.choice(["never", "former", "current"], p=[0.5 - 0.3 * sick, 0.3, 0.2 + 0.3 * sick])]
        numbers = random.normal([60 + 8 * sick, 27, 130 + 15 * sick, 5.2 + sick, 80], [10, 4, 12, 1, 9])
        gaps = random.random(5) < 0.04
        rows.append([f"P{i:04d}", *words, *("" if gap else repr(float(number)) for number, gap in zip(numbers, gaps)),
                     "malignant" if sick else "benign"])
    return rows


def contents(file):
    """What is in a file, or in the members of an archive, which may be deflated."""
    if file.suffix != ".npz":
        return [file.read_bytes()]
    with zipfile.ZipFile(file) as archive:
        return [archive.read(member) for member in archive.namelist()]


def column(rows, name):
    return [row[HEADER.index(name)] for row in rows]


def numbers(rows):
    return np.array([[float(cell) if cell else np.nan for cell in row[4:9]] for row in rows])


class Tables(ProgramTest):
    def write(self, name, rows, header=HEADER, called=None):
        with open(self.folder / name, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(called or header)
            writer.writerows([[row[HEADER.index(column)] for column in header] for row in rows])

    def read(self, name):
        with open(self.folder / name, newline="") as file:
            header, *rows = csv.reader(file)
        return header, rows

    def setUp(self):
        super().setUp()
        self.rows = patients(240)
        self.write("patients.csv", self.rows)

    def write_shards(self):
        for node in range(3):
            self.write(f"part-{node}.csv", self.rows[80 * node:80 * node + 80])

    def apply(self, model, *options, data="patients.csv"):
        """What transform and score, or predict, make of the table that was fitted to, without an option."""
        commands = ["predict"] if options else ["transform", "score"]
        for command in commands:
            self.ok(command, "--model", model, "--data", data, "--out", "answer.csv", "--force")
            header, rows = self.read("answer.csv")
            self.assertEqual(header[:2], ["patient", "diagnosis"])
            self.assertEqual([row[0] for row in rows], column(self.rows, "patient"))
            self.assertEqual([row[1] for row in rows], column(self.rows, "diagnosis"))
        return rows

    def test_info_says_what_is_in_the_columns(self):
        text = self.ok("data", "info", "patients.csv", "--labels", "diagnosis")
        self.assertIn("looks like an identifier", text)
        self.assertIn("benign:", text)
        (info,) = json.loads(self.ok("data", "info", "patients.csv", "--labels", "diagnosis", "--json"))
        columns = {column["name"]: column for column in info["columns"]}
        self.assertEqual([columns[name]["type"] for name in ("patient", "ward", "age")], ["text", "text", "number"])
        self.assertEqual(info["labels"]["malignant"], column(self.rows, "diagnosis").count("malignant"))
        for name in NUMBERS:
            values = np.array([float(cell) for cell in column(self.rows, name) if cell])
            self.assertEqual(columns[name]["missing"], 240 - len(values))
            np.testing.assert_allclose(columns[name]["quartiles"], np.percentile(values, [0, 25, 50, 75, 100]))
            self.assertEqual(columns[name]["distinct"], len(set(values)))

    def test_every_method_takes_the_table(self):
        for method in ["central-kpca", *NETWORKS]:
            nodes = [] if method == "central-kpca" else ["--nodes", 3]
            self.ok("fit", method, "--data", "patients.csv", *nodes, *TABLE, "--out", method)
            predicts = method in ("federated-kmeans", "online-kernel")
            self.apply(f"{method}/model-0.npz", *(["predict"] if predicts else []))
        filled = self.result("consensus-kpca")["missing_cells"]
        self.assertEqual(filled, {name: column(self.rows, name).count("") for name in NUMBERS})

    def test_every_method_takes_shards(self):
        self.write_shards()
        for method in NETWORKS:
            self.ok("fit", method, "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", method)
            predicts = method in ("federated-kmeans", "online-kernel")
            self.apply(f"{method}/model-0.npz", *(["predict"] if predicts else []))

    def test_central_scores_are_those_of_scikit_learn(self):
        """ColumnTransformer of the pooled table: imputed and scaled numbers, one-hot categories as they are."""
        self.ok("fit", "central-kpca", "--data", "patients.csv", *TABLE, "--min-count", 1, "--standardize", "zscore", "--gamma",
                0.1, "--n-components", 4, "--tol", 1e-12, "--out", "run")
        new = patients(60, seed=8)
        self.write("new.csv", new)
        self.ok("transform", "--model", "run/model-0.npz", "--data", "new.csv", "--out", "scores.csv")
        pipeline = make_pipeline(
            ColumnTransformer([("numbers", make_pipeline(SimpleImputer(), StandardScaler()), slice(0, 5)),
                               ("words", OneHotEncoder(sparse_output=False), slice(5, 8))]),
            KernelPCA(4, kernel="rbf", gamma=0.1, eigen_solver="dense"))

        def table(rows):
            return np.column_stack([numbers(rows).astype(object), np.array([row[1:4] for row in rows], dtype=object)])

        truth = pipeline.fit(table(self.rows)).transform(table(new))
        found = np.array([row[2:] for row in self.read("scores.csv")[1]], dtype=float)
        np.testing.assert_allclose(found * np.sign((found * truth).sum(0)), truth, atol=1e-8)

    def test_shards_are_as_good_as_one_file(self):
        """central-kpca over shards and over the file: the same rows in the same order, so the same sums."""
        self.write_shards()
        scores = []
        for data, out in (("patients.csv", "one"), ("part-{node}.csv", "three")):
            self.ok("fit", "central-kpca", "--data", data, *([] if out == "one" else ["--nodes", 3]), *TABLE, "--gamma", 1e-3, "--out", out)
            self.apply(f"{out}/model-0.npz")
            self.ok("transform", "--model", f"{out}/model-0.npz", "--data", "patients.csv", "--out", f"{out}.npy")
            scores.append(np.load(self.folder / f"{out}.npy"))
        np.testing.assert_allclose(scores[0], scores[1], atol=1e-8)

    def test_columns_in_another_order_are_put_right(self):
        self.write_shards()
        self.ok("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", "plain")
        self.write("part-1.csv", self.rows[80:160], header=HEADER[::-1])
        self.ok("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", "turned")
        self.write("turned.csv", self.rows, header=HEADER[5:] + HEADER[:5])
        scores = []
        for run, data in (("plain", "patients.csv"), ("turned", "patients.csv"), ("turned", "turned.csv")):
            self.ok("transform", "--model", f"{run}/model-1.npz", "--data", data, "--out", "s.npy", "--force")
            scores.append(np.load(self.folder / "s.npy"))
        np.testing.assert_array_equal(scores[0], scores[1])
        np.testing.assert_array_equal(scores[1], scores[2])

    def test_columns_of_numbers_alone_are_put_right_too(self):
        """Without any option of tables: names are kept and compared."""
        x = self.blobs(40, 3)
        for node in range(2):
            order = [0, 1, 2] if node == 0 else [2, 0, 1]
            np.savetxt(self.folder / f"n-{node}.csv", x[20 * node:20 * node + 20][:, order], delimiter=",",
                       header=",".join("abc"[i] for i in order), comments="")
        np.savetxt(self.folder / "all.csv", x, delimiter=",", header="a,b,c", comments="")
        np.savetxt(self.folder / "turned.csv", x[:, [1, 2, 0]], delimiter=",", header="b,c,a", comments="")
        self.ok("fit", "central-kpca", "--data", "n-{node}.csv", "--nodes", 2, "--gamma", 0.1, "--out", "shards")
        self.ok("fit", "central-kpca", "--data", "all.csv", "--gamma", 0.1, "--out", "all")
        scores = []
        for run, data in (("all", "all.csv"), ("shards", "all.csv"), ("all", "turned.csv")):
            self.ok("transform", "--model", f"{run}/model-0.npz", "--data", data, "--out", "s.npy", "--force")
            scores.append(np.load(self.folder / "s.npy"))
        np.testing.assert_allclose(np.abs(scores[0]), np.abs(scores[1]), atol=1e-8)
        np.testing.assert_array_equal(scores[0], scores[2])
        np.savetxt(self.folder / "n-1.csv", x, delimiter=",", header="a,b,d", comments="")
        self.refused("fit", "central-kpca", "--data", "n-{node}.csv", "--nodes", 2, "--gamma", 0.1, "--out", "run",
                     words=["node 1", "n-1.csv", "'c'"])
        self.refused("transform", "--model", "all/model-0.npz", "--data", "n-1.csv", "--out", "t.npy",
                     words=["n-1.csv", "'c'"])

    def test_columns_that_are_missing_renamed_or_new_are_refused(self):
        self.write_shards()
        self.ok("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", "good")
        shorter = [name for name in HEADER if name != "bmi"]
        renamed = [name if name != "bmi" else "BMI" for name in HEADER]
        for header, called, words in ((shorter, None, ["'bmi'"]), (HEADER, renamed, ["'bmi'"]),
                                      (HEADER + ["pulse"], HEADER + ["weight"], ["'weight'"])):
            self.write("part-2.csv", self.rows[160:], header=header, called=called)
            self.refused("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", "run",
                         words=["node 2", "part-2.csv", *words])
            for command in ("transform", "score"):
                self.refused(command, "--model", "good/model-0.npz", "--data", "part-2.csv", "--out", "s.csv",
                             words=["part-2.csv", *words])

    def test_what_leaves_a_node_is_masked(self):
        self.write_shards()
        options = ["--data", "part-{node}.csv", "--nodes", 3, "--gamma", 1e-3, "--standardize", "none"]
        self.ok("fit", "local-kpca", *options, *TABLE, "--out", "run")
        sent = self.result("run")["ledger"]["by_kind"]
        self.assertEqual({kind for kind, traffic in sent.items() if traffic["messages"] > 0}, {"masked", "totals", "control"})
        self.assertNotIn("own_statistics", self.ok("fit", "local-kpca", *options, *TABLE, "--plan"))

    def test_rare_categories_are_told_to_nobody(self):
        self.rows[3][2] = "isolation room 7"
        self.write_shards()
        self.ok("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--out", "run")
        for file in (self.folder / "run").iterdir():
            for text in contents(file):
                self.assertNotIn(b"isolation", text, file.name)
        text = self.ok("inspect", "run/model-1.npz")
        self.assertIn("ward=other", text)

    def test_identifiers_are_in_nothing_that_a_run_writes(self):
        names = [f"person-{row[0]}" for row in self.rows]
        for row, name in zip(self.rows, names):
            row[0] = name
        self.write_shards()
        self.ok("fit", "consensus-kpca", "--data", "part-{node}.csv", "--nodes", 3, *TABLE, "--share", "samples", "--report", "--out", "run")
        written = list((self.folder / "run").iterdir())
        self.assertTrue(any(file.suffix == ".npz" for file in written) and any(file.suffix == ".html" for file in written))
        for file in written:
            for text in contents(file):
                self.assertNotIn(b"person-P", text, file.name)

    def test_missing_cells_are_refused_dropped_or_marked(self):
        base = ["fit", "central-kpca", "--data", "patients.csv", "--gamma", 1e-3]
        wish = TABLE[:-2]
        self.refused(*base, *wish, "--out", "run", words=["patients.csv", "is missing", "--missing mean"])
        self.ok(*base, *wish, "--missing", "drop", "--out", "dropped")
        whole = [row for row in self.rows if "" not in row]
        self.assertEqual(self.result("dropped")["samples"], len(whole))
        self.ok("transform", "--model", "dropped/model-0.npz", "--data", "patients.csv", "--out", "s.csv")
        self.assertEqual([row[0] for row in self.read("s.csv")[1]], column(whole, "patient"))
        self.ok(*base, *wish, "--missing", "indicator", "--out", "marked")
        marked = sum("" in column(self.rows, name) for name in NUMBERS)
        self.assertEqual(self.result("marked")["features"], self.result("dropped")["features"] + marked)

    def test_commas_words_and_choices_of_columns(self):
        with open(self.folder / "german.csv", "w") as file:
            file.write("nr;wert;menge;ort\n")
            for i in range(30):
                file.write(f"{i};{'k. A.' if i == 4 else f'1.{i:03d},5'};{i % 7},25;{'Ost' if i % 3 else 'West'}\n")
        self.ok("fit", "central-kpca", "--data", "german.csv", "--id", "nr", "--decimal", ",", "--na", "k. A.", "--missing",
                "mean", "--categorical", "ort", "--min-count", 1, "--out", "run")
        self.assertEqual(self.result("run")["features"], 4)
        self.ok("transform", "--model", "run/model-0.npz", "--data", "german.csv", "--out", "s.csv")
        self.assertEqual(self.read("s.csv")[0][0], "nr")
        self.ok("fit", "central-kpca", "--data", "german.csv", "--columns", "m*,wert", "--decimal", ",", "--missing",
                "mean", "--na", "k. A.", "--out", "two")
        self.assertEqual(self.result("two")["features"], 2)
        self.ok("fit", "central-kpca", "--data", "german.csv", "--drop", "nr,ort,2", "--decimal", ",", "--out", "one")
        self.assertEqual(self.result("one")["features"], 1)
        self.refused("fit", "central-kpca", "--data", "german.csv", "--decimal", ",", "--out", "run2",
                     words=["wert", "--categorical"])

    def test_labels_in_words_need_no_other_option(self):
        x = self.blobs(200, 3)
        with open(self.folder / "kinds.csv", "w") as file:
            file.write("a,b,c,kind\n")
            for i, row in enumerate(x):
                file.write(",".join(map(repr, map(float, row))) + f",{'cat' if i % 2 else 'dog'}\n")
        self.ok("fit", "federated-kmeans", "--data", "kinds.csv", "--labels", "kind", "--nodes", 4, "--n-clusters", 2, "--out", "run")
        self.assertIn("accuracy", self.ok("predict", "--model", "run/model-0.npz", "--data", "kinds.csv", "--out", "p.csv"))
        self.assertEqual(self.read("p.csv")[0], ["kind", "cluster"])

    def test_answers_replace_nothing_unasked(self):
        self.ok("fit", "central-kpca", "--data", "patients.csv", *TABLE, "--out", "run")
        for command in ("transform", "score"):
            asked = [command, "--model", "run/model-0.npz", "--data", "patients.csv", "--out", f"{command}.csv"]
            self.ok(*asked)
            self.refused(*asked, words=[f"{command}.csv exists", "--force"])
            self.ok(*asked, "--force")

    def test_answers_as_lines_of_json(self):
        self.ok("fit", "online-kernel", "--data", "patients.csv", "--nodes", 2, *TABLE, "--out", "run")
        self.ok("predict", "--model", "run/model-0.npz", "--data", "patients.csv", "--out", "p.ndjson")
        lines = [json.loads(line) for line in (self.folder / "p.ndjson").read_text().splitlines()]
        self.assertEqual([line["patient"] for line in lines], column(self.rows, "patient"))
        self.assertLessEqual({line["predicted"] for line in lines}, {"benign", "malignant"})

    def test_streams_of_lines_are_numbers(self):
        self.ok("fit", "online-kernel", "--data", "patients.csv", "--nodes", 2, *TABLE, "--out", "run")
        self.refused("predict", "--model", "run/model-0.npz", "--data", "patients.csv", "--follow",
                     words=["run/model-0.npz", "table", "--follow"])
        self.refused("fit", "online-kernel", "--data", "-", "--nodes", 2, *TABLE, "--classes", "benign,malignant", "--out", "pipe",
                     words=["pipe", "numbers"])

    def test_differential_privacy_refuses_what_would_be_told_without_noise(self):
        for option in (["--categorical", "auto"], ["--missing", "mean"]):
            self.refused("fit", "consensus-kpca", "--data", "patients.csv", "--nodes", 3, "--privacy", 1, *option, "--out",
                         "run", words=[option[0], "--privacy"])

    @unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
    def test_ranks_agree_as_threads_do(self):
        self.write_shards()
        for data in ("part-{node}.csv", "patients.csv"):
            fit = ["fit", "consensus-kpca", "--data", data, "--nodes", 3, *TABLE]
            self.ok(*fit, "--out", "threads", "--force")
            done = mpirun(self.folder, 2, *fit, "--engine", "mpi", "--out", "ranks", "--force")
            self.assertEqual(done.returncode, 0, done.stderr)
            scores = []
            for run in ("threads", "ranks"):
                self.ok("transform", "--model", f"{run}/model-2.npz", "--data", "patients.csv", "--out", "s.npy", "--force")
                scores.append(np.load(self.folder / "s.npy"))
            np.testing.assert_array_equal(scores[0], scores[1])


if __name__ == "__main__":
    unittest.main()
