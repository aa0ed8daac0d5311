"""Differential privacy as its users meet it: what is refused, what is charged, what a run says of its promise."""
import json
import re
import subprocess
import unittest

from network import MPI_AVAILABLE, UNDER_MPIRUN, mpirun
from program import CHOIR, DIGITS, ProgramTest

FIT = ("fit", "consensus-kpca", "--data", DIGITS, "--nodes", 6, "--divide", 255, "--gamma", 0.02, "--share", "random-features",
       "--n-features", 50, "--n-components", 2)
BUDGET = ("--privacy-budget", "digits.budget")


class PrivacyTest(ProgramTest):
    def charges(self, name="digits.budget"):
        lines = (self.folder / name).read_text().splitlines()
        self.assertRegex(lines[0], r"^choir privacy budget 1: epsilon [0-9.e-]+, delta [0-9.e-]+$")
        return lines[1:]

    def total(self, name="digits.budget"):
        return sum(float(line.split()[0]) for line in self.charges(name))


class Promise(PrivacyTest):
    def setUp(self):
        super().setUp()
        self.printed = self.ok(*FIT, "--privacy", 4, "--report", "--out", "run")

    def test_is_in_the_result(self):
        promise = self.result("run")["privacy"]
        self.assertEqual((promise["epsilon"], promise["delta"], promise["relation"]), (4, 1e-6, "replace one sample"))
        self.assertGreater(len(promise["releases"]), 0)
        for release in promise["releases"]:
            self.assertEqual(set(release), {"what", "sensitivity", "sigma", "rho"})
            self.assertAlmostEqual(release["rho"], (release["sensitivity"] / release["sigma"]) ** 2 / 2)
        self.assertAlmostEqual(promise["rho"], sum(release["rho"] for release in promise["releases"]))
        self.assertTrue(any("k^2" in sentence for sentence in promise["not_covered"]))
        self.assertTrue(any("nothing adds up" in sentence for sentence in promise["not_covered"]))

    def test_leaves_out_what_was_not_charged(self):
        result = self.result("run")
        for key in ("residual", "between_node_variance"):
            self.assertIsNone(result[key], key)
        for key in ("consensus_gap", "quality"):
            self.assertEqual(len(result[key]), 0, key)
        for key in ("assessment", "embedded_samples", "confusion", "decision", "change", "kernel_error"):
            self.assertNotIn(key, result)
        self.assertEqual((self.folder / "run/metrics.jsonl").read_text(), "")

    def test_is_printed_and_inspected(self):
        for words in ("noisy totals", "differential privacy: epsilon 4, delta 1e-06 for each sample", "sensitivity"):
            self.assertIn(words, self.printed)
        self.assertIn("differential privacy: epsilon 4, delta 1e-06 for each sample (replace one sample)",
                      self.ok("inspect", "run"))
        self.assertIn("fitted under differential privacy: epsilon 4, delta 1e-06", self.ok("inspect", "run/model-0.npz"))

    def test_is_repeated_by_the_resolved_file(self):
        self.ok("fit", "consensus-kpca", "--config", "run/config.resolved.toml", "--out", "again")
        self.assertEqual(self.result("again")["privacy"]["epsilon"], 4)
        self.assertIn("Noise is drawn anew", self.result("run")["command_note"])
        for arguments in (FIT[2:], ("--config", "plain/config.resolved.toml")):  # 50 features make a weak answer: exit 3
            name = "plain again" if "--config" in arguments else "plain"
            self.assertEqual(self.choir("fit", "consensus-kpca", *arguments, "--out", name).returncode, 3)
            self.assertNotIn("privacy", self.result(name))

    def test_is_on_the_page(self):
        page = (self.folder / "run/report.html").read_text()
        document = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.S)[1])
        self.assertEqual(document["result"]["privacy"], self.result("run")["privacy"])


class Refusals(PrivacyTest):
    def test_options_that_would_show_samples(self):
        common = (*FIT, "--privacy", 1, "--out", "run")
        for option, words in ((("--lost-peers", "continue"), "--lost-peers continue"), (("--yardsticks",), "--yardsticks"),
                              (("--keep-samples",), "--keep-samples"), (("--by", "label:2"), "--by label")):
            self.refused(*common, *option, words=[words, "cannot be combined with --privacy", "leave it out"])

    def test_options_without_privacy(self):
        for option in (("--delta", 1e-5), BUDGET, ("--privacy-limit", 4)):
            self.refused(*FIT, *option, "--out", "run", words=[option[0], "add --privacy EPSILON"])
        self.refused(*FIT, "--privacy", 1, "--privacy-limit", 4, "--out", "run", words=["--privacy-budget FILE"])

    def test_values_that_are_none(self):
        for option in (("--privacy", 0), ("--privacy", -1), ("--privacy", "nan"), ("--privacy", 1, "--delta", 1),
                       ("--privacy", 1, "--clip", 0)):
            self.refused(*FIT, *option, "--out", "run", words=[option[-2]])

    def test_methods_that_have_none_say_which_do(self):
        for method in ("central-kpca", "local-kpca", "oneshot-kpca"):
            self.refused("fit", method, "--data", DIGITS, "--privacy", 1, "--out", "run",
                         words=["--privacy is not an option", "(choir fit consensus-kpca, ", "have it)"])


class Budget(PrivacyTest):
    def test_adds_up_over_runs_until_a_run_is_refused(self):
        run = (*FIT, *BUDGET, "--privacy", 1)
        self.ok(*run, "--privacy-limit", 1.5, "--out", "a")
        self.ok(*run, "--out", "b")
        rho = self.total() / 2
        before = self.charges()
        said = self.refused(*run, "--out", "c", words=["digits.budget", "too little left", "the limit is 1.5"])
        self.assertEqual(self.charges(), before)
        fits = re.search(r"ask for --privacy ([0-9.]+) or less", said)[1]
        self.ok(*FIT, *BUDGET, "--privacy", fits, "--out", "c")
        self.assertGreater(self.total(), 2 * rho)
        self.refused(*run, "--out", "d", words=["too little left", "1.5 spent so far"])
        self.assertTrue(self.is_private("digits.budget"))
        self.assertAlmostEqual(rho, self.result("a")["privacy"]["rho"])

    def test_a_run_that_is_refused_first_leaves_no_file(self):
        self.refused(*FIT, *BUDGET, "--privacy", 4, "--privacy-limit", 1, "--out", "run", words=["too little left"])
        self.refused(*FIT, *BUDGET, "--privacy", 1, "--out", "run", words=["there is no privacy budget digits.budget yet",
                                                                          "--privacy-limit"])
        self.refused(*FIT, *BUDGET, "--privacy", 1, "--privacy-limit", 2, "--gamma", "scale", "--out", "run", words=["gamma"])

    def test_a_crash_gives_nothing_back(self):
        crashing = (*FIT, *BUDGET, "--privacy", 1, "--engine", "sim", "--sim-crash", "1@0ms", "--out", "run")
        done = self.choir(*crashing, "--privacy-limit", 4)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(len(self.charges()), 1)
        self.assertFalse((self.folder / "run").exists())
        self.ok(*FIT, *BUDGET, "--privacy", 1, "--out", "run")
        self.assertEqual(len(self.charges()), 2)

    def test_a_plan_shows_it_and_charges_nothing(self):
        plan = (*FIT, *BUDGET, "--privacy", 1, "--plan")
        said = self.ok(*plan, "--privacy-limit", 1.2)
        for words in ("epsilon 1, delta 1e-06 for each sample", "rho = 0.0", "digits.budget: epsilon 0 of 1.2 spent",
                      "with this run 1", "noise of standard deviation", "noise of differential privacy"):
            self.assertIn(words, said)
        self.assertEqual(self.tree(), [])
        self.ok(*FIT, *BUDGET, "--privacy", 1, "--privacy-limit", 1.2, "--out", "run")
        before = self.charges()
        self.assertIn("would be refused", self.ok(*plan))
        self.assertEqual(self.charges(), before)

    def test_without_one_a_note_says_so(self):
        done = self.choir(*FIT, "--privacy", 1, "--out", "run")
        self.assertIn("nothing adds up what this run and other runs over the same data cost together", done.stderr)


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class Processes(PrivacyTest):
    FIT = (*FIT, "--engine", "mpi", "--privacy", 1, "--privacy-limit", 2)

    def test_one_file_is_charged_once(self):
        done = mpirun(self.folder, 3, *self.FIT, *BUDGET, "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.charges()), 1)

    def test_every_owner_charges_its_own_file(self):
        own = 'exec "$0" "$@" --privacy-budget "rank-$OMPI_COMM_WORLD_RANK.budget"'
        run = ["mpirun", "--oversubscribe", "-n", "3", "sh", "-c", own, CHOIR, *map(str, self.FIT)]
        for name in ("a", "b"):
            done = subprocess.run([*run, "--out", name], cwd=self.folder, capture_output=True, text=True, timeout=600,
                                  env=UNDER_MPIRUN)
            self.assertEqual(done.returncode, 0, done.stderr)
        for rank in range(3):
            self.assertEqual(len(self.charges(f"rank-{rank}.budget")), 2)
        (self.folder / "rank-2.budget").unlink()
        refused = subprocess.run([*(word if word != "1" else "1.5" for word in run), "--out", "c"], cwd=self.folder,
                                 capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("too little left", refused.stderr)
        self.assertFalse((self.folder / "rank-2.budget").exists())
        self.assertEqual(len(self.charges("rank-0.budget")), 2)


if __name__ == "__main__":
    unittest.main()
