"""Streams as they come: pipes that stay open, producers that die, what is known to fail before a run begins."""
import gzip
import json
import os
import shutil
import signal
import subprocess
import threading
import time

import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import CHOIR, ProgramTest

METHOD = ("fit", "online-kernel", "--representation", "dictionary", "--gamma", 1.4)
CENTRES = np.array([[0, 0], [2, 0], [0, 2]])


def mixture(count, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(3, size=count)
    return CENTRES[y] + 0.3 * random.normal(size=(count, 2)), y


def rows(x, y):
    return "".join(f"{p!r},{q!r},{label}\n" for (p, q), label in zip(x.tolist(), y.tolist()))


def ndjson(x, y):
    return "".join(json.dumps({"x": row, "y": label}) + "\n" for row, label in zip(x.tolist(), y.tolist()))


class StreamTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x, self.y = mixture(600)
        self.csv = "a,b,label\n" + rows(self.x, self.y)
        (self.folder / "all.csv").write_text(self.csv)
        self.common = (*METHOD, "--labels", "label", "--classes", "0,1,2")

    def start(self, *arguments, **pipes):
        return subprocess.Popen([CHOIR, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **pipes)

    def piped(self, text, *arguments):
        data = text if isinstance(text, bytes) else text.encode()
        done = subprocess.run([CHOIR, *map(str, arguments)], cwd=self.folder, input=data, capture_output=True, timeout=600)
        return done.returncode, done.stderr.decode()

    def models(self, run, nodes):
        found = []
        for node in range(nodes):
            with np.load(self.folder / run / f"model-{node}.npz") as model:
                found.append({name: model[name].tolist() for name in model.files if name != "manifest.json"})
        return found

    def nothing_was_written(self, run="run"):
        self.assertFalse((self.folder / run).exists())


class Interrupted(StreamTest):
    STATES = ("--checkpoint", "states", "--checkpoint-every", 32)

    def wait_until_all_is_read(self):
        """States tell of the last whole batch, 6 x 32 samples a node; what is left is in the one that is waited for."""
        end = time.monotonic() + 60
        while not any(self.folder.glob("states/node-*-round-6.npz")):
            self.assertLess(time.monotonic(), end, "it does not read")
            time.sleep(0.01)
        time.sleep(0.5)

    def interrupted(self, run, with_signal, *options):
        """Its input stays open and silent; it is interrupted once all that was sent has been read."""
        process = self.start(*self.common, "--data", "-", "--nodes", 3, *self.STATES, *options, "--out", run, stdin=subprocess.PIPE)
        process.stdin.write(self.csv.encode() + b"0.5,0.5")  # the line that comes is cut
        process.stdin.flush()
        self.wait_until_all_is_read()
        self.assertIsNone(process.poll(), "it did not wait for more")
        process.send_signal(with_signal)
        errors = self.ended(process)
        shutil.rmtree(self.folder / "states")
        return process.returncode, errors

    @staticmethod
    def ended(process):
        """What it said; its input is closed only then."""
        process.wait(timeout=600)
        return process.communicate()[1].decode()

    def test_it_is_the_end_of_standard_input(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "whole")
        for turn, with_signal in enumerate((signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGINT)):
            code, errors = self.interrupted(f"run-{turn}", with_signal)
            self.assertEqual(code, 0, errors)
            self.assertIn("the stream was ended by an interrupt", errors)
            self.assertNotIn("warning", errors)
            self.assertEqual(self.models(f"run-{turn}", 3), self.models("whole", 3))

    def test_it_is_the_end_on_a_simulated_network(self):
        code, errors = self.interrupted("run", signal.SIGINT, "--engine", "sim")
        self.assertEqual(code, 0, errors)
        self.assertEqual(self.result("run")["samples"], 600)

    def test_a_producer_that_dies_of_it_too_changes_nothing(self):
        for turn in range(5):
            command = " ".join(map(str, (CHOIR, *self.common, "--data", "-", "--nodes", 3, *self.STATES, "--out", f"run-{turn}")))
            process = subprocess.Popen(["sh", "-c", f"tail -n +1 -f all.csv | {command}"], cwd=self.folder,
                                       stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
            self.wait_until_all_is_read()
            os.killpg(process.pid, signal.SIGINT)
            errors = process.communicate(timeout=600)[1].decode()
            shutil.rmtree(self.folder / "states")
            self.assertEqual(self.result(f"run-{turn}")["samples"], 600, errors)

    def test_a_producer_that_never_pauses_is_left(self):
        producer = subprocess.Popen(["yes", "0.5,0.5,1"], stdout=subprocess.PIPE)
        process = self.start(*METHOD, "--labels", 3, "--classes", "0,1", "--data", "-", "--nodes", 2, "--out", "run",
                             stdin=producer.stdout)
        self.wait_until_begun(process)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=600)[1]
        producer.kill()
        producer.communicate()
        self.assertEqual(process.returncode, 0, errors)
        self.assertGreater(self.result("run")["samples"], 0)

    def test_before_the_first_sample_there_is_nothing_to_write(self):
        for data in ("-", "pipe"):
            if data == "pipe":
                os.mkfifo(self.folder / "pipe")  # nobody ever writes to it
            process = self.start(*self.common, "--data", data, "--nodes", 2, "--out", "run", stdin=subprocess.PIPE)
            self.wait_until_begun(process)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertIn("nothing was written", self.ended(process))
            self.assertEqual(process.returncode, 130)
            self.nothing_was_written()

    def test_the_second_one_kills(self):
        x, y = mixture(2_000_000)  # it takes seconds to test with these, after the first one has ended the stream
        self.save("x.npy", x)
        self.save("y.npy", y)
        process = self.start(*self.common, "--data", "-", "--nodes", 3, *self.STATES, "--epsilon", 0, "--test", "x.npy",
                             "--test-labels", "y.npy", "--out", "run", stdin=subprocess.PIPE)
        process.stdin.write(self.csv.encode())
        process.stdin.flush()
        self.wait_until_all_is_read()
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "it was done before the second one came")
        process.send_signal(signal.SIGINT)
        self.ended(process)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.nothing_was_written()

    def test_files_are_not_ended_by_it(self):
        x, y = mixture(60000)
        (self.folder / "long.csv").write_text("a,b,label\n" + rows(x, y))
        process = self.start(*self.common, "--data", "long.csv", "--nodes", 2, "--passes", 50, "--out", "run")
        self.assertIn(b"interrupted; nothing was written", self.interrupt(process)[1])
        self.assertEqual(process.returncode, 130)
        self.nothing_was_written()


class KnownBefore(StreamTest):
    def test_a_test_that_cannot_be_is_refused_before_the_run(self):
        (self.folder / "wide.csv").write_text("a,b,c,label\n1,2,3,0\n")
        (self.folder / "unnamed.csv").write_text("a,b,kind\n1,2,0\n")
        for test, words in (("none.csv", "none.csv"), ("wide.csv", "3 features but the streams have 2"),
                            ("unnamed.csv", "'label'")):
            # Standard input that never ends: only a check before the run can see it.
            process = self.start(*self.common, "--data", "-", "--nodes", 2, "--test", test, "--out", "run", stdin=subprocess.PIPE)
            process.stdin.write(self.csv.encode())
            process.stdin.flush()
            process.wait(timeout=600)
            errors = process.communicate()[1].decode()
            self.assertEqual(process.returncode, 2)
            self.assertIn(words, errors)
            self.nothing_was_written()

    def test_a_line_that_was_never_finished_is_the_end(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "whole")
        for name, tail in (("columns", "0.5,0.25"), ("number", "0.5,0.25e,1"), ("sign", "-")):
            code, errors = self.piped(self.csv + tail, *self.common, "--data", "-", "--nodes", 3, "--out", name)
            self.assertEqual(code, 0, errors)
            self.assertIn("warning: standard input ended within row 601; the stream ends before that row", errors)
            self.assertEqual(self.models(name, 3), self.models("whole", 3))
        code, errors = self.piped(ndjson(self.x, self.y) + '{"x": [0.5, 0.', *METHOD, "--classes", "0,1,2", "--data", "-",
                                  "--nodes", 3, "--out", "json")
        self.assertEqual(code, 0, errors)
        self.assertIn("ended within row 601", errors)
        self.assertEqual(self.models("json", 3), self.models("whole", 3))

    def test_a_finished_line_that_is_wrong_and_a_last_one_that_is_right(self):
        code, errors = self.piped(self.csv + "0.5,0.25\n", *self.common, "--data", "-", "--nodes", 3, "--out", "run")
        self.assertEqual(code, 2)
        self.assertIn("row 601", errors)
        self.nothing_was_written()
        code, errors = self.piped(self.csv[:-1], *self.common, "--data", "-", "--nodes", 3, "--out", "run")
        self.assertEqual(code, 0, errors)
        self.assertNotIn("ended within row", errors)
        self.assertEqual(self.result("run")["samples"], 600)


class NamedPipes(StreamTest):
    def test_one_is_dealt_out_as_standard_input_is(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "whole")
        code, errors = self.piped(self.csv, *self.common, "--data", "/dev/stdin", "--nodes", 3, "--out", "run")
        self.assertEqual(code, 0, errors)
        self.assertEqual(self.result("run")["samples"], 600)
        self.assertEqual(self.models("run", 3), self.models("whole", 3))

    def test_nobody_knows_which_labels_they_will_bring(self):
        for node in range(2):
            os.mkfifo(self.folder / f"pipe-{node}")
        for data, name in (("-", "standard input"), ("/dev/stdin", "/dev/stdin"), ("pipe-{node}", "pipe-0"), ("pipe-1", "pipe-1")):
            code, errors = self.piped(self.csv, *METHOD, "--labels", "label", "--data", data, "--nodes", 2, "--out", "run")
            self.assertEqual(code, 2, data)
            self.assertIn(f"the labels that {name} will bring are not known; name them with --classes", errors)
            self.nothing_was_written()

    def test_every_node_may_have_its_own(self):
        for node in range(2):
            (self.folder / f"file-{node}.csv").write_text("a,b,label\n" + rows(*mixture(200, node)))
            os.mkfifo(self.folder / f"pipe-{node}")
        self.ok(*self.common, "--data", "file-{node}.csv", "--nodes", 2, "--out", "files")
        engines = [("local", None)] + ([("mpi", 2)] if MPI_AVAILABLE else [])
        for engine, ranks in engines:
            writers = [threading.Thread(target=(self.folder / f"pipe-{node}").write_bytes,
                                        args=((self.folder / f"file-{node}.csv").read_bytes(),)) for node in range(2)]
            for writer in writers:
                writer.start()
            command = (*self.common, "--data", "pipe-{node}", "--nodes", 2, "--engine", engine, "--out", engine)
            done = mpirun(self.folder, ranks, *command) if ranks else self.choir(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            for writer in writers:
                writer.join()
            self.assertEqual(self.models(engine, 2), self.models("files", 2))

    def test_what_pipes_cannot(self):
        for options, words in ((("--passes", 2), "/dev/stdin can be read once"), (("--by", "iid"), "--by iid")):
            code, errors = self.piped(self.csv, *self.common, "--data", "/dev/stdin", "--nodes", 2, *options, "--out", "run")
            self.assertEqual(code, 2)
            self.assertIn(words, errors)


class Formats(StreamTest):
    def test_packed_texts_are_read_as_they_go(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "whole")
        (self.folder / "all.csv.gz").write_bytes(gzip.compress(self.csv.encode()))
        (self.folder / "all.ndjson.gz").write_bytes(gzip.compress(ndjson(self.x, self.y).encode()))
        self.ok(*METHOD, "--labels", "label", "--data", "all.csv.gz", "--nodes", 3, "--out", "csv")
        self.ok(*METHOD, "--data", "all.ndjson.gz", "--nodes", 3, "--out", "ndjson")
        code, errors = self.piped(gzip.compress(self.csv.encode()), *self.common, "--data", "-", "--nodes", 3, "--out", "piped")
        self.assertEqual(code, 0, errors)
        for run in ("csv", "ndjson", "piped"):
            self.assertEqual(self.models(run, 3), self.models("whole", 3), run)

    def test_packed_values_from_memory(self):
        values = np.sin(2 * self.x[:, 0])
        np.savez(self.folder / "all.npz", x=self.x, v=values)
        packed = (*METHOD, "--loss", "squared", "--data", "all.npz:x", "--labels", "all.npz:v", "--nodes", 2, "--test", "all.npz:x")
        self.refused(*packed, "--out", "run", words=["--by iid"])
        self.ok(*packed, "--by", "iid", "--passes", 3, "--out", "run")
        self.assertLess(self.result("run")["quality"]["rmse"][0], 0.5 * values.std())

    def test_a_pattern_is_dealt_out_already(self):
        (self.folder / "part-0.csv").write_text(self.csv)
        self.refused(*self.common, "--data", "part-{node}.csv", "--nodes", 1, "--by", "iid", "--out", "run",
                     words=["--by iid", "part-{node}.csv"])

    def test_ndjson_everywhere(self):
        for name in ("all.ndjson", "all.txt"):
            (self.folder / name).write_text(ndjson(self.x, self.y))
        self.ok(*self.common, "--data", "all.csv", "--nodes", 2, "--test", "all.csv", "--out", "csv")
        accuracy = self.result("csv")["quality"]["accuracy"]
        for name in ("all.ndjson", "all.txt"):
            self.ok(*METHOD, "--data", name, "--nodes", 2, "--test", name, "--out", f"run-{name}")
            self.assertEqual(self.models(f"run-{name}", 2), self.models("csv", 2))
            self.assertEqual(self.result(f"run-{name}")["quality"]["accuracy"], accuracy)
        self.ok(*METHOD, "--data", "all.ndjson", "--by", "iid", "--nodes", 2, "--out", "memory")
        self.assertEqual(self.result("memory")["samples"], 600)
        predicted = {}
        for name, labels in (("all.csv", ("--labels", "label")), ("all.ndjson", ())):
            shown = self.ok("predict", "--model", "csv/model-0.npz", "--data", name, *labels, "--out", f"{name}.npy")
            self.assertIn("accuracy", shown)
            predicted[name] = np.load(self.folder / f"{name}.npy").tolist()
        self.assertEqual(predicted["all.csv"], predicted["all.ndjson"])
        self.assertIn("600", self.ok("data", "info", "all.ndjson"))

    def test_nothing_to_learn(self):
        self.refused(*METHOD, "--data", "all.csv", "--nodes", 2, "--out", "run",
                     words=["all.csv has no labels or values to learn", "--labels"])

    def test_numbers_that_are_too_large_are_named(self):
        for large in ("1e200", "-1e308"):
            (self.folder / "large.csv").write_text(self.csv + f"{large},0,1\n")
            self.refused(*self.common, "--data", "large.csv", "--nodes", 2, "--out", "run",
                         words=["row 601, column 1", "square overflows"])
