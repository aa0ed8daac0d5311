"""Pages of runs: choir report, fit --report, what result.json has for them, and --watch."""
import json
import os
import re
import subprocess
import unittest

import numpy as np
from program import CHOIR, DIGITS, ProgramTest

HOW = ("--nodes", 6, "--divide", 255, "--gamma", 0.01)  # so wide that the means of 10 of the few digits give strong answers
FIT = ("--data", "few.npz:images", "--labels", "few.npz:labels", *HOW)
FEW = 300  # digits; a run of all of them would show nothing else


def document(page):
    return json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.DOTALL).group(1))


def in_five_digits(line):
    return {key: float(f"{value:.5g}") if isinstance(value, float) else value for key, value in line.items()}


class FewDigits(ProgramTest):
    def setUp(self):
        super().setUp()
        with np.load(DIGITS.split(":")[0]) as digits:
            np.savez(self.folder / "few.npz", images=digits["images"][:FEW], labels=digits["labels"][:FEW])


class Report(FewDigits):
    def fit(self, method, *options, out="run"):
        self.ok("fit", method, *FIT, *options, "--out", out)
        return self.result(out)

    def page(self, path):
        return (self.folder / path).read_text()

    def test_a_page_of_a_run(self):
        result = self.fit("consensus-kpca", "--n-components", 3, "--share", "samples")
        shown = self.ok("report", "run")
        self.assertIn("run/report.html", shown)
        made_of = document(self.page("run/report.html"))
        self.assertEqual(made_of["result"], result)
        lines = (self.folder / "run/metrics.jsonl").read_text().splitlines()
        self.assertEqual(made_of["metrics"], [in_five_digits(json.loads(line)) for line in lines])
        self.assertLess(len(self.page("run/report.html")), 3_000_000)

    def test_fit_writes_it_too(self):
        self.fit("gossip-pca", "--n-components", 3, "--report")
        self.assertEqual(document(self.page("run/report.html"))["result"]["method"], "gossip-pca")

    def test_what_shows_single_samples_is_its_owners_alone(self):
        self.fit("consensus-kpca", "--n-components", 3, "--share", "samples", "--report")
        self.assertIn("embedded_samples", self.result("run"))
        self.fit("gossip-pca", "--n-components", 3, "--report", out="directions")
        self.assertNotIn("embedded_samples", self.result("directions"))
        for name in ("result.json", "report.html", "model-0.npz"):
            self.assertTrue(self.is_private(f"run/{name}"), name)
            self.assertFalse(self.is_private(f"directions/{name}"), name)
        self.ok("report", "run", "--out", "again.html")
        self.assertTrue(self.is_private("again.html"))
        self.ok("report", "directions", "--out", "other.html")
        self.assertFalse(self.is_private("other.html"))

    def test_several_runs_side_by_side(self):
        self.fit("consensus-kpca", "--n-components", 3, "--share", "samples", out="one")
        self.fit("consensus-kpca", "--n-components", 3, "--share", "landmarks", out="two")
        self.refused("report", "one", "two", words=["--out"])
        self.ok("report", "one", "two", "--out", "both.html")
        self.assertEqual([run["name"] for run in document(self.page("both.html"))["runs"]], ["one", "two"])

    def test_only_a_page_is_replaced(self):
        result = self.fit("local-kpca", "--n-components", 2)
        self.ok("report", "run", "--out", "page.html")
        self.ok("report", "run", "--out", "page.html")
        self.refused("report", "run", "--out", "run/result.json", words=["result.json", "not a page", "--out"])
        self.assertEqual(self.result("run"), result)

    def test_what_is_no_run(self):
        self.refused("report", "nothing", words=["nothing", "result.json"])
        self.save("x.npy", [[1.0]])
        self.refused("report", ".", words=["result.json"])


class ResultForReports(FewDigits):
    def run_of(self, method, *options):
        self.ok("fit", method, *FIT, *options, "--out", "run", "--force")
        return self.result("run")

    def test_who_sent_how_much_to_whom(self):
        for method, options in (("consensus-kpca", ("--share", "samples")), ("consensus-kpca", ()), ("gossip-pca", ()), ("local-kpca", ("--yardsticks",)),
                                ("federated-kmeans", ("--n-clusters", 4)),
                                ("online-kernel", ("--by", "iid", "--max-atoms", 40))):
            with self.subTest(method):
                result = self.run_of(method, *options)
                network = result["network"]
                self.assertEqual(sum(network["sent"]), result["ledger"]["bytes"])
                self.assertEqual(sum(a + b for _, _, a, b in network["links"]), result["ledger"]["bytes"])
                for kind, by_node in result["sent_by_kind"].items():
                    self.assertEqual(sum(by_node), result["ledger"]["by_kind"][kind]["bytes"])

    def test_the_command_repeats_the_run(self):
        result = self.run_of("consensus-kpca", "--n-components", 3, "--random-state", 5)
        self.assertIn("--random-state 5", result["command"])
        self.assertNotIn("--force", result["command"])
        self.assertIn("another --out", result["command_note"])
        self.assertEqual(result["ranks"], 1)
        self.assertEqual(result["options"]["n_components"], "3")
        self.assertIn("choir", result["versions"])
        words = result["command"].replace("choir ", "", 1).replace("--out run", "--out again")
        done = self.choir(*words.split())
        self.assertEqual(done.returncode, 0, done.stderr)
        again = self.result("again")
        self.assertEqual(again["eigenvalues"], result["eigenvalues"])

    def test_the_command_of_a_watched_stream_says_where_its_samples_were(self):
        lines = "".join(f"{n / 10},{n % 3},{int(n % 3 == 0)}\n" for n in range(40))
        done = subprocess.run([CHOIR, "fit", "online-kernel", "--data", "-", "--labels", "3", "--classes", "0,1", "--nodes", "2",
                               "--representation", "dictionary", "--watch", "--out", "run"], cwd=self.folder, input=lines, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertNotIn("--watch", result["command"])
        self.assertIn("standard input", result["command_note"])

    def test_names_in_any_encoding(self):
        name = b"d\xe9.npy"
        np.save(self.folder / "x.npy", self.blobs())
        os.rename(self.folder / "x.npy", os.path.join(os.fsencode(self.folder), name))
        done = subprocess.run([CHOIR, "fit", "central-kpca", "--data", name, "--out", b"r\xe9", "--report"], cwd=self.folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(os.fsencode(self.folder), b"r\xe9", b"result.json"), encoding="utf-8") as file:
            self.assertIn("d\ufffd.npy", json.load(file)["command"])

    def test_some_samples_as_the_nodes_see_them(self):
        for method, options in (("consensus-kpca", ()), ("central-kpca", ()), ("federated-kmeans", ("--n-clusters", 4))):
            with self.subTest(method):
                self.assertNotIn("embedded_samples", self.run_of(method, *options), "nobody wants a page")
                kept = () if method == "central-kpca" else ("--keep-samples",)
                embedding = self.run_of(method, *options, *kept, "--report")["embedded_samples"]
                self.assertIn(len(embedding["axes"]), range(2, 11))
                points = [point for node in embedding["nodes"] for point in node["points"]]
                self.assertEqual(len(points), FEW)
                labels = {point[-1] for point in points}
                self.assertEqual(labels, set(range(4 if method == "federated-kmeans" else 10)))

    def test_samples_that_no_node_shows_another_are_not_drawn(self):
        for method, options in (("consensus-kpca", ()), ("gossip-pca", ()), ("federated-kmeans", ("--n-clusters", 4))):
            with self.subTest(method):
                result = self.run_of(method, *options, "--report")
                self.assertNotIn("embedded_samples", result)
                self.assertTrue(any("--keep-samples" in note for note in result["notes"]), result["notes"])


class Watching(FewDigits):
    def test_without_a_terminal_there_are_plain_lines(self):
        done = self.choir("fit", "online-kernel", *FIT, "--by", "iid", "--passes", 3, "--max-atoms", 60, "--watch", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\033", done.stderr)
        quiet = self.choir("fit", "consensus-kpca", *FIT, "--watch", "--quiet", "--out", "quiet")
        self.assertEqual(quiet.returncode, 0, quiet.stderr)
        self.assertNotIn("slowest", quiet.stderr)


if __name__ == "__main__":
    unittest.main()
