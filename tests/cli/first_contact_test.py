"""What somebody meets who types choir for the first time: an overview, help that fits the terminal, words that are nearly right."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import time
import tomllib
import unittest

import numpy as np
from network import MPI_AVAILABLE, UNDER_MPIRUN, mpirun
from program import CHOIR, DIGITS, ROOT, ProgramTest

METHODS = ("central-kpca", "local-kpca", "consensus-kpca", "gossip-pca", "oneshot-kpca", "online-kernel", "federated-kmeans")


class Overview(ProgramTest):
    def test_choir_alone_shows_what_one_can_do(self):
        words = self.ok()
        self.assertEqual(words, self.ok("--help"))
        for word in ("fit", "transform", "report", "inspect", *METHODS, "--help"):
            self.assertIn(word, words)

    def test_the_commands_it_begins_with_are_understood(self):
        lines = [line.split()[1:] for line in self.ok().splitlines() if line.startswith("  choir ")]
        self.assertEqual(len(lines), 3)
        os.symlink(ROOT / "datasets", self.folder / "datasets")
        for line in lines:
            self.ok(*line)

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^choir \d+\.\d+\.\d+\n$")


class NearlyRight(ProgramTest):
    def test_commands_methods_and_options(self):
        self.refused("fti", words=["'fti'", "did you mean 'fit'?", "--help"])
        self.refused("fit", "consensus-pca", words=["consensus-pca", "did you mean 'consensus-kpca'?"])
        self.refused("data", "spilt", words=["did you mean 'split'?", "choir data --help"])
        for method in METHODS:
            self.refused("fit", method, "--randomstate", 3, words=["--randomstate", "did you mean '--random-state'?"])
        self.refused("fit", "central-kpca", "--n-component", 3, words=["--n-component", "did you mean '--n-components'?"])
        self.refused("fit", "central-kpca", "--n-component=3", words=["did you mean '--n-components'?"])
        self.refused("topology", "ring:2", "--node", 4, words=["did you mean '--nodes'?"])

    def test_underscores_are_read_as_dashes(self):
        self.save("x.npy", self.blobs())
        self.ok("fit", "central-kpca", "--data", "x.npy", "--n_components", 3, "--random_state", 1, "--out", "run")
        self.assertEqual(self.result("run")["n_components"], 3)

    def test_words_that_are_too_many_or_missing(self):
        self.refused("topology", words=["SPEC is missing", "--help"])
        self.refused("topology", "ring:2", "line", words=["'line'", "too many"])
        self.refused("fit", words=["needs a method", "choir fit --help"])
        self.refused("completion", "tcsh", words=["bash, zsh, fish"])
        self.refused("fit", "central-kpca", "--n-components", "--out", "run", words=["--n-components needs a value", "--out"])
        self.refused("fit", "central-kpca", "--out", "run", "--n-components", words=["--n-components needs a value"])
        self.refused("fit", "central-kpca", "--out", "run", "--out", "other", words=["--out is given more than once"])
        self.refused("fit", "central-kpca", "--config", "none.toml", words=["cannot read none.toml: there is no such file"])
        self.refused("fit", "central-kpca", "--data", DIGITS, "--out", "run", "--n-components", 0, words=["--n-components is '0'"])


class Help(ProgramTest):
    def lines_on_a_terminal(self, columns, *arguments):
        primary, secondary = pty.openpty()
        fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        run = subprocess.Popen([CHOIR, *arguments], stdout=secondary)
        os.close(secondary)
        return self.drawn(primary, run).replace("\r\n", "\n").splitlines()

    def test_fits_the_terminal(self):
        for columns in (60, 100):
            for method in METHODS:
                lines = self.lines_on_a_terminal(columns, "fit", method, "--help-all")
                example = lines.index("Example:")
                self.assertLessEqual(max(map(len, lines[:example])), columns, method)

    def test_the_common_dozen_comes_first_and_the_rest_on_request(self):
        for method in METHODS:
            short, full = (re.findall(r"^  (?:-\w, )?--([\w-]+)", self.ok("fit", method, option), re.M)
                           for option in ("--help", "--help-all"))
            self.assertLessEqual(len(short), 24, method)
            self.assertTrue(set(short) < set(full), method)
            for name in ("data", "out", "n-components") if method not in ("online-kernel", "federated-kmeans") else ("data", "out"):
                self.assertIn(name, short, method)

    def test_required_options_are_marked(self):
        words = self.ok("fit", "central-kpca", "--help")
        self.assertIn("\nUsage: choir fit central-kpca --data FILE --out FOLDER [options]", words)
        self.assertEqual(words.count("required"), 2)

    def test_every_option_is_a_key_of_toml_and_of_result_json(self):
        self.save("x.npy", self.blobs(60, 4))
        self.ok("fit", "consensus-kpca", "--data", "x.npy", "--nodes", 3, "--gamma", 0.1, "--out", "run", "--report")
        names = re.findall(r"^  (?:-\w, )?--([\w-]+)", self.ok("fit", "consensus-kpca", "--help-all"), re.M)
        of_the_call = {"force", "config", "plan", "quiet", "json", "help", "help-all"}
        without_value = {"labels", "id", "columns", "drop", "categorical", "na", "landmarks", "privacy-budget", "select-labels", "sim-latency",
                         "sim-crash", "sim-join", "sim-partition", "sim-slow", "sim-trace"}
        keys = {name.replace("-", "_") for name in names if name not in of_the_call | without_value}
        self.assertEqual(set(self.result("run")["options"]), keys)
        with open(self.folder / "run/config.resolved.toml", "rb") as file:
            self.assertEqual(set(tomllib.load(file)), keys)


class Generated(ProgramTest):
    def test_completion_scripts_are_scripts_and_complete(self):
        script = self.folder / "choir.bash"
        script.write_text(self.ok("completion", "bash"))
        ask = f"source {script}; COMP_WORDS=(choir fit consensus-kpca --sha); COMP_CWORD=3; _choir; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["--share"], done.stderr)
        ask = f"source {script}; COMP_WORDS=(choir fit consensus-kpca --share r); COMP_CWORD=4; _choir; echo ${{COMPREPLY[@]}}"
        self.assertEqual(subprocess.run(["bash", "-c", ask], capture_output=True, text=True).stdout.split(), ["random-features"])
        ask = f"source {script}; COMP_WORDS=(choir fit g); COMP_CWORD=2; _choir; echo ${{COMPREPLY[@]}}"
        self.assertEqual(subprocess.run(["bash", "-c", ask], capture_output=True, text=True).stdout.split(), ["gossip-pca"])
        self.assertTrue(self.ok("completion", "zsh").startswith("#compdef choir"))
        self.assertIn("-l n-components", self.ok("completion", "fish"))

    def test_the_manual_has_every_method_and_option(self):
        page = self.ok("man")
        self.assertTrue(page.startswith(".TH CHOIR 1"))
        for method in METHODS:
            self.assertIn(f".SS choir fit {method}".replace("-", "\\-"), page)
        self.assertIn("\\fB\\-\\-n\\-landmarks\\fR", page)

    def test_the_tables_in_the_docs_are_those_of_the_program(self):
        self.assertEqual((ROOT / "docs/options.md").read_text(), self.ok("options"),
                         "docs/options.md is not what the program says; write it anew with: build/choir options > docs/options.md")


class Runs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs(60, 4))

    def test_a_plan_says_who_talks_to_whom_and_leaves_nothing(self):
        before = self.tree()
        words = self.ok("fit", "consensus-kpca", "--data", "x.npy", "--nodes", 6, "--share", "landmarks", "--plan")
        for word in ("ring:4", "4 to 4 neighbours", "centroids", "memory"):
            self.assertIn(word, words)
        self.assertNotIn("raw_samples", words)
        self.assertEqual(self.tree(), before)

    def test_the_page_is_named(self):
        done = self.choir("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.1, "--out", "run", "--report")
        self.assertIn("run/report.html", done.stderr)
        self.assertTrue((self.folder / "run/report.html").exists())

    def test_two_runs_into_one_folder_cannot_both_succeed(self):
        slow = [CHOIR, "fit", "online-kernel", "--data", "-", "--labels", "5", "--classes", "0,1", "--nodes", "2", "--gamma", "1",
                "--representation", "dictionary", "--out", "run", "--quiet"]
        first = subprocess.Popen(slow, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not any(name.startswith(".run.partial") for name in os.listdir(self.folder)):
            self.assertIsNone(first.poll())
            time.sleep(0.01)
        for force in ([], ["--force"]):
            done = self.choir("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.1, "--out", "run", *force)
            self.assertEqual(done.returncode, 2)
            self.assertIn("another run is writing into run", done.stderr)
        lines = "".join(f"{a},{b},{c},{d},{int(a > 0)}\n" for a, b, c, d in self.blobs(60, 4))
        _, errors = first.communicate(lines.encode(), timeout=600)
        self.assertEqual(first.returncode, 0, errors)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])

    def test_a_lock_of_a_dead_run_is_no_lock(self):
        (self.folder / ".run.lock").write_text("")
        self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.1, "--out", "run")
        self.assertFalse((self.folder / ".run.lock").exists())


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class Processes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs(60, 4))

    def different(self, *ranks):
        """One command line for each rank."""
        words = ["mpirun", "--oversubscribe"]
        for place, (folder, arguments) in enumerate(ranks):
            words += [":"] * (place > 0) + ["-n", "1", "--wdir", str(folder), CHOIR, *map(str, arguments)]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)

    def test_mpirun_without_its_engine_is_noticed(self):
        done = mpirun(self.folder, 2, "fit", "central-kpca", "--data", "x.npy", "--gamma", 0.1, "--out", "run")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("mpirun started 2 processes, but --engine is local"), 1, done.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_options_that_differ_are_named_with_both_values(self):
        fit = ("fit", "local-kpca", "--data", "x.npy", "--nodes", 4, "--engine", "mpi", "--out", "run")
        done = self.different((self.folder, (*fit, "--gamma", "0.2")), (self.folder, (*fit, "--gamma", "0.3")))
        self.assertEqual(done.returncode, 2, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("choir: ")]
        self.assertEqual(len(said), 1, done.stderr)
        for word in ("--gamma", "0.2", "0.3"):
            self.assertIn(word, said[0])
        self.assertFalse((self.folder / "run").exists())

    def test_what_is_a_partys_own_affair_may_differ(self):
        fit = ("fit", "local-kpca", "--nodes", 4, "--gamma", "0.2", "--engine", "mpi", "--out", "run")
        self.save("y.npy", np.load(self.folder / "x.npy"))
        done = self.different((self.folder, (*fit, "--data", "x.npy", "--threads", 1)),
                              (self.folder, (*fit, "--data", "y.npy", "--threads", 2)))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_where_file_systems_are_not_shared_every_party_has_a_whole_folder(self):
        places = [self.folder / name for name in "ab"]
        for place in places:
            place.mkdir()
            np.save(place / "x.npy", np.load(self.folder / "x.npy"))
        fit = ("fit", "local-kpca", "--data", "x.npy", "--nodes", 4, "--gamma", "0.2", "--engine", "mpi", "--out", "run")
        done = self.different(*((place, fit) for place in places))
        self.assertEqual(done.returncode, 0, done.stderr)
        files = [sorted(path.name for path in (place / "run").iterdir()) for place in places]
        summary = ["config.resolved.toml", "metrics.jsonl"]
        self.assertEqual(files[0], [*summary, "model-0.npz", "model-1.npz", "result.json"])
        self.assertEqual(files[1], [*summary, "model-2.npz", "model-3.npz", "result.json"])
        one, two = (json.loads((place / "run/result.json").read_text()) for place in places)
        for result in (one, two):
            del result["time"], result["started"]  # each has its own clock
        self.assertEqual(one, two)

    def test_what_processes_told_each_other_is_in_the_ledger(self):
        fit = ("fit", "local-kpca", "--data", "x.npy", "--nodes", 4, "--gamma", "0.2")
        self.ok(*fit, "--out", "alone")
        self.assertEqual(self.result("alone")["between_processes"]["messages"], 0)
        done = mpirun(self.folder, 2, *fit, "--engine", "mpi", "--out", "two")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = self.result("two")["between_processes"]
        self.assertEqual(set(told["by_kind"]), {"options", "facts", "summaries", "failures"})
        self.assertGreater(told["by_kind"]["summaries"]["bytes"], 100)
        self.assertEqual(self.result("two")["ledger"], self.result("alone")["ledger"])


if __name__ == "__main__":
    unittest.main()
