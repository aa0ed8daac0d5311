import csv
import io
import json
import xml.etree.ElementTree as ElementTree

from program import ROOT, ProgramTest

SVG = "{http://www.w3.org/2000/svg}"


class Experiments(ProgramTest):
    def ids(self):
        return [entry["experiment"] for entry in json.loads(self.ok("list", "--json"))]

    def quick(self, name, *more):
        return self.ok(name, "--quick", "--data", ROOT / "datasets", "--out", "results", *more)

    def table(self, name):
        text = (self.folder / "results" / f"{name}.csv").read_text()
        return list(csv.DictReader(io.StringIO(text)))

    def test_lists_the_experiments(self):
        self.assertIn("consensus-kpca/fig3", self.ids())
        self.assertIn("consensus-kpca/fig3", self.ok("list"))

    # Those of the other methods are run by the tests in their folders (quick_results.h).
    def test_all_of_a_method_run_quickly_and_leave_tables_and_pictures(self):
        names = [name for name in self.ids() if name.startswith("consensus-kpca/")]
        names += ["gossip-pca/fig2", "online-kernel/fig2"]
        for name in names:
            with self.subTest(name):
                self.assertIn(name, self.quick(name))
                about = json.loads((self.folder / "results" / f"{name}.json").read_text())
                self.assertEqual((about["experiment"], about["quick"], about["seeds"]), (name, True, 1))
                rows = self.table(name)
                self.assertEqual(len(rows), len(about["table"]["rows"]))
                for row in rows:
                    self.assertTrue(float(row["min"]) <= float(row["max"]), row)
        pictures = list((self.folder / "results").rglob("*.svg"))
        self.assertGreaterEqual(len(pictures), len(names))
        for picture in pictures:
            with self.subTest(picture.name):
                root = ElementTree.parse(picture).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                marks = sum(1 for kind in ("circle", "rect", "polyline") for _ in root.iter(SVG + kind))
                self.assertGreater(marks, 3)
                self.assertNotIn("nan", picture.read_text())

    def test_same_seed_same_numbers_on_any_number_of_threads(self):
        name = "consensus-kpca/components"  # samples, landmarks and random features; noise is never the same twice
        numbers = []
        for threads in (1, 2):
            self.quick(name, "--threads", threads, "--force")
            numbers.append(self.table(name))
        self.assertEqual(*numbers)

    def test_figures_tell_the_methods_apart(self):
        self.quick("consensus-kpca/fig3")
        largest = {row["series"]: float(row["mean"]) for row in self.table("consensus-kpca/fig3")
                   if row["quantity"] == "similarity" and row["nodes"] == "12"}
        self.assertGreater(largest["default, own"], largest["local"])
        self.assertGreater(largest["default, neighbourhood"], largest["default, own"])
        self.assertLessEqual(largest["default, own"], largest["best in own span"] + 1e-9)

    def test_refuses(self):
        for arguments, words in [
            (("consensus-kpca/fig99", "--out", "results"), ["consensus-kpca/fig99", "consensus-kpca/fig3"]),
            (("consensus-kpca/noise", "--quick"), ["--out"]),
            (("consensus-kpca/noise", "--quick", "--data", "nowhere", "--out", "results"), ["nowhere"]),
            (("consensus-kpca/noise", "--quick", "--seeds", 0, "--out", "results"), ["seeds"]),
            (("consensus-kpca/noise", "--quick", "--threads", -1, "--out", "results"), ["threads"]),
            ((), ["ID"]),
        ]:
            with self.subTest(arguments=arguments):
                self.refused(*arguments, words=words)

    def test_does_not_replace_earlier_results_unasked(self):
        self.quick("consensus-kpca/noise")
        self.refused("consensus-kpca/noise", "--quick", "--data", ROOT / "datasets", "--out", "results",
                     words=["noise.json", "--force"])
        self.quick("consensus-kpca/noise", "--force", "--json")
