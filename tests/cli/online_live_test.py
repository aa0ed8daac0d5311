"""Streams that live: bad records, words as labels, kills and restarts, pipes that continue, saves on demand."""
import csv
import os
import signal
import time

from online_streams_test import METHOD, StreamTest, mixture, rows

NAMES = ("cat", "dog", "emu")
STATES = ("--checkpoint", "states")


def with_bad_lines(lines, every=1000):
    """A bad line in so many, of several kinds."""
    kinds = ("1,2", "0.5,cow,1", "nan,0.5,1", "0.5,0.5,9", "0.5,,1")
    found = []
    for number, line in enumerate(lines):
        if number % every == every // 2:
            found.append(kinds[number // every % len(kinds)])
        found.append(line)
    return found


class LiveTest(StreamTest):
    def wait_for(self, what, condition, process):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, f"no {what}")
            self.assertIsNone(process.poll(), f"it ended before there was {what}")
            time.sleep(0.005)

    def taken(self):
        """Records that processes have read from standard input so far."""
        path = self.folder / "states" / "node-0-taken.txt"
        return int(path.read_text().split()[0]) if path.exists() and path.stat().st_size else -1

    def has_states(self, at):
        return all((self.folder / "states" / f"node-{node}-round-{at}.npz").exists() for node in range(2))

    def feed(self, process, lines):
        process.stdin.write("".join(line + "\n" for line in lines).encode())
        process.stdin.flush()

    def finish(self, process):
        process.stdin.close()
        process.stdin = None
        errors = process.communicate(timeout=600)[1].decode()
        return process.returncode, errors

    def predictions(self, name="predictions.csv"):
        with open(self.folder / name) as file:
            return list(csv.DictReader(file))


class BadRecords(LiveTest):
    def setUp(self):
        super().setUp()
        lines = self.csv.splitlines()
        self.bad = [lines[0], *with_bad_lines(lines[1:], 100)]  # 6 of them, at rows 51, 152, 253, 354, 455, 556
        (self.folder / "bad.csv").write_text("\n".join(self.bad) + "\n")

    def test_end_a_run_with_their_line_unless_they_are_to_be_skipped(self):
        for options in ((), ("--on-bad-record", "error")):
            self.refused(*self.common, "--data", "bad.csv", "--nodes", 1, *options, "--out", "run",
                         words=["bad.csv: row 51 (line 52) has 2 columns"])

    def test_are_skipped_with_a_count_and_the_first_are_quoted(self):
        done = self.choir(*self.common, "--data", "bad.csv", "--nodes", 1, "--on-bad-record", "skip", "--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result("run")
        self.assertEqual((result["samples"], result["bad_records"]), (600, [6]))
        for text in (done.stderr, " ".join(result["notes"])):
            self.assertIn("6 bad records were skipped", text)
            self.assertIn("bad.csv: row 51 (line 52) has 2 columns", text)
            self.assertIn("row 152 (line 153), column 2 (b): 'cow' is not a number", text)
            self.assertIn("row 253 (line 254), column 1 (a) is NaN", text)
        self.ok(*self.common, "--data", "all.csv", "--nodes", 1, "--out", "clean")
        self.assertEqual(self.models("run", 1), self.models("clean", 1))

    def test_count_for_the_node_whose_turn_it_was(self):
        self.ok(*self.common, "--data", "bad.csv", "--nodes", 3, "--on-bad-record", "skip", "--out", "run")
        result = self.result("run")
        self.assertEqual(result["samples"], 600)
        self.assertEqual(result["bad_records"], [sum(row % 3 == node for row in (50, 151, 252, 353, 454, 555)) for node in range(3)])

    def test_of_a_pipe(self):
        code, errors = self.piped("\n".join(self.bad) + "\n", *self.common, "--data", "-", "--nodes", 3,
                                  "--on-bad-record", "skip", "--out", "run")
        self.assertEqual(code, 0, errors)
        self.assertEqual((self.result("run")["samples"], sum(self.result("run")["bad_records"])), (600, 6))
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "clean")
        self.assertEqual(self.models("run", 3), self.models("clean", 3))

    def test_do_not_become_classes(self):
        common = tuple(word for word in self.common if word not in ("--classes", "0,1,2"))
        (self.folder / "word.csv").write_text(self.csv + "0.5,0.5,cow\n0.5,0.5,0.5\n")
        self.refused(*common, "--data", "word.csv", "--nodes", 1, "--out", "run", words=["row 601 (line 602), column 3 (label): 'cow'"])
        self.ok(*common, "--data", "word.csv", "--nodes", 1, "--on-bad-record", "skip", "--out", "run")
        self.assertEqual((self.result("run")["classes"], self.result("run")["bad_records"]), ([0, 1, 2], [2]))

    def test_that_are_all_there_is(self):
        (self.folder / "none.csv").write_text("a,b,label\n" + "1,2\n" * 5)
        self.refused(*self.common, "--data", "none.csv", "--nodes", 1, "--on-bad-record", "skip", "--out", "run",
                     words=["none of the 5 records that", "row 1 (line 2) has 2 columns"])

    def test_from_memory_cannot_be_skipped(self):
        self.refused(*self.common, "--data", "bad.csv", "--nodes", 2, "--by", "iid", "--on-bad-record", "skip", "--out", "run",
                     words=["--by iid", "--on-bad-record"])


class Words(LiveTest):
    def setUp(self):
        super().setUp()
        self.words = [f"{p!r},{q!r},{NAMES[label]}" for (p, q), label in zip(self.x.tolist(), self.y.tolist())]
        (self.folder / "pets.csv").write_text("a,b,kind\n" + "\n".join(self.words) + "\n")
        self.fit = (*METHOD, "--labels", "kind", "--nodes", 2)

    def test_of_files_are_found_and_are_in_the_model(self):
        self.ok(*self.fit, "--data", "pets.csv", "--test", "pets.csv", "--out", "words")
        self.ok(*self.common, "--nodes", 2, "--data", "all.csv", "--test", "all.csv", "--out", "numbers")
        self.assertEqual(self.models("words", 2), self.models("numbers", 2))
        result = self.result("words")
        self.assertEqual(result["class_names"], list(NAMES))
        self.assertEqual(result["quality"]["accuracy"], self.result("numbers")["quality"]["accuracy"])
        self.assertIn("predicts labels cat, dog and emu", self.ok("inspect", "words/model-0.npz"))

    def test_are_what_predict_writes(self):
        self.ok(*self.fit, "--data", "pets.csv", "--out", "run")
        shown = self.ok("predict", "--model", "run/model-0.npz", "--data", "pets.csv", "--labels", "kind", "--out", "out.csv")
        predicted = (self.folder / "out.csv").read_text().split()
        accuracy = sum(p == NAMES[y] for p, y in zip(predicted, self.y)) / 600
        self.assertGreater(accuracy, 0.9)
        self.assertIn(f"accuracy {accuracy:.4g} over 600 samples", shown.replace("0.9950", "0.995"))
        self.refused("predict", "--model", "run/model-0.npz", "--data", "pets.csv", "--labels", "kind", "--out", "out.npy",
                     words=["words cannot be written", ".csv"])

    def test_of_pipes_are_named(self):
        text = "a,b,kind\n" + "\n".join(self.words + ["0.5,0.5,cow"]) + "\n"
        code, errors = self.piped(text, *self.fit, "--data", "-", "--classes", "dog,cat,emu", "--out", "run")
        self.assertEqual(code, 2)
        self.assertIn("row 601 (line 602), column 3 (kind): 'cow' is not one of the classes cat, dog, emu", errors)
        code, errors = self.piped(text, *self.fit, "--data", "-", "--classes", "dog,cat,emu", "--on-bad-record", "skip", "--out", "run")
        self.assertEqual(code, 0, errors)
        self.assertEqual(self.result("run")["bad_records"], [1, 0])
        self.ok(*self.fit, "--data", "pets.csv", "--out", "file")
        self.assertEqual(self.models("run", 2), self.models("file", 2))

    def test_of_ndjson(self):
        lines = ['{"x": [%s, %s], "y": "%s"}' % tuple(line.split(",")) for line in self.words]
        (self.folder / "pets.ndjson").write_text("\n".join(lines) + "\n")
        self.ok(*METHOD, "--nodes", 2, "--data", "pets.ndjson", "--out", "run")
        self.assertEqual(self.result("run")["class_names"], list(NAMES))


class Killed(LiveTest):
    """kill -9 at several moments, and a supervisor that always passes --resume."""

    def newest(self):
        return max((int(path.stem.split("-")[-1]) for path in self.folder.glob("states/node-0-round-*.npz")), default=0)

    def test_files_lose_nothing_and_learn_nothing_twice(self):
        for node in range(2):
            lines = rows(*mixture(4000, node)).splitlines()
            (self.folder / f"s-{node}.csv").write_text("a,b,label\n" + "\n".join(with_bad_lines(lines)) + "\n")
        common = (*self.common, "--data", "s-{node}.csv", "--nodes", 2, "--passes", 4, "--on-bad-record", "skip")
        self.ok(*common, "--predictions", "whole.csv", "--out", "whole")
        self.assertEqual((self.result("whole")["samples"], self.result("whole")["bad_records"]), (32000, [16, 16]))
        restarted = (*common, *STATES, "--checkpoint-every", 96, "--predictions", "predictions.csv", "--resume", "--out", "run")
        for moment in (9, 60, 61, 200, 330):
            process = self.start(*restarted)
            self.wait_for("checkpoint", lambda: self.newest() >= moment, process)
            process.kill()
            process.communicate()
        self.ok(*restarted, "--force")
        self.assertEqual(self.models("run", 2), self.models("whole", 2))
        for key in ("samples", "bad_records"):
            self.assertEqual(self.result("run")[key], self.result("whole")[key])
        self.assertEqual(self.result("run")["lost_samples"], [0, 0])
        order = lambda line: (int(line["node"]), int(line["sample"]))
        self.assertEqual(sorted(self.predictions(), key=order), sorted(self.predictions("whole.csv"), key=order))

    def test_pipes_say_what_was_lost(self):
        lines = rows(*mixture(600)).splitlines()
        # 5 rounds of 2 x 32 samples and 10 more, which wait for their batch; the last checkpoint is after round 4.
        common = (*self.common, "--data", "-", "--nodes", 2, *STATES, "--checkpoint-every", 64, "--resume", "--out", "run")
        process = self.start(*common, stdin=-1)
        self.feed(process, ["a,b,label", *lines[:330]])
        self.wait_for("fourth round", lambda: self.taken() == 330 and self.has_states(at=4), process)
        process.kill()
        process.communicate()
        process = self.start(*common, stdin=-1)
        self.feed(process, ["a,b,label", *lines[330:]])
        code, errors = self.finish(process)
        self.assertEqual(code, 0, errors)
        self.assertIn("continues after round 4", errors)
        self.assertIn("74 records that were received from pipes after the last checkpoints of earlier processes are lost", errors)
        result = self.result("run")
        self.assertEqual((result["samples"], result["lost_samples"]), (256 + 270, [74, 0]))
        text = "a,b,label\n" + "\n".join(lines[:256] + lines[330:]) + "\n"
        code, errors = self.piped(text, *self.common, "--data", "-", "--nodes", 2, "--out", "whole")
        self.assertEqual(code, 0, errors)
        self.assertEqual(self.models("run", 2), self.models("whole", 2))

    def test_losses_of_several_kills_add_up(self):
        lines = rows(*mixture(600)).splitlines()
        common = (*METHOD, "--labels", 3, "--classes", "0,1,2", "--data", "-", "--nodes", 2, *STATES, "--checkpoint-every", 64,
                  "--resume", "--out", "run")
        for turn, taken in enumerate((192, 192 + 1 + 64)):
            process = self.start(*common, stdin=-1)
            # Without a header the first line may be the rest of one that the process before has begun to read.
            self.feed(process, lines[:192] if turn == 0 else ["25,0.5,1", *lines[192:256]])
            self.wait_for("second round", lambda: self.taken() == taken and self.has_states(at=2), process)
            process.kill()
            process.communicate()
        process = self.start(*common, stdin=-1)
        self.feed(process, ["5,1", *lines[256:]])
        code, errors = self.finish(process)
        self.assertEqual(code, 0, errors)
        self.assertIn("the first line of standard input was passed over", errors)
        result = self.result("run")
        # and two lines that two processes had in part
        self.assertEqual((result["samples"], result["lost_samples"]), (128 + 344, [128 + 2, 0]))

    def test_every_line_of_a_pipe_is_learned_from_or_bad_or_lost(self):
        lines = with_bad_lines(rows(*mixture(600)).splitlines(), 100)
        common = (*METHOD, "--labels", 3, "--classes", "0,1,2", "--data", "-", "--nodes", 2, *STATES, "--checkpoint-every", 64,
                  "--on-bad-record", "skip", "--resume", "--out", "run")
        taken = self.folder / "states" / "node-0-taken.txt"
        process = self.start(*common, stdin=-1)
        self.feed(process, lines[:330])
        process.stdin.write(lines[330][:4].encode())
        process.stdin.flush()
        # All of it was received, and the last line in part.
        self.wait_for("fourth round", lambda: self.taken() == 330 and taken.read_text().endswith(" 1\n") and self.has_states(at=4), process)
        process.kill()
        process.communicate()
        process = self.start(*common, stdin=-1)
        self.feed(process, [lines[330][4:], *lines[331:]])
        code, errors = self.finish(process)
        self.assertEqual(code, 0, errors)
        result = self.result("run")
        self.assertGreater(result["lost_samples"][0], 0)
        self.assertEqual(result["samples"] + sum(result["bad_records"]) + sum(result["lost_samples"]), len(lines))

    def test_a_pipe_that_ended_goes_on_where_it_was(self):
        lines = rows(*mixture(600)).splitlines()
        for consensus in ("diffusion", "symmetric", "none"):
            common = (*self.common, "--consensus", consensus, "--data", "-", "--nodes", 2, "--checkpoint", consensus, "--resume")
            for turn, (first, last) in enumerate(((0, 330), (330, 330 + 7), (330 + 7, 600))):
                code, errors = self.piped("a,b,label\n" + "\n".join(lines[first:last]) + "\n", *common, "--out", f"{consensus}-{turn}")
                self.assertEqual(code, 0, errors)
            result = self.result(f"{consensus}-2")
            self.assertEqual((result["samples"], result["lost_samples"]), (600, [0, 0]), consensus)

    def test_sums_of_features_go_on_after_the_end_of_a_pipe(self):
        lines = rows(*mixture(600)).splitlines()
        features = tuple("random-features" if word == "dictionary" else word for word in self.common)
        common = (*features, "--n-features", 20, "--data", "-", "--nodes", 2, *STATES, "--resume", "--predictions", "predictions.csv")
        for turn, (first, last) in enumerate(((0, 330), (330, 337), (337, 600))):
            code, errors = self.piped("a,b,label\n" + "\n".join(lines[first:last]) + "\n", *common, "--out", f"run-{turn}")
            self.assertEqual(code, 0, errors)
            self.assertEqual("the last 7 samples are kept but not in the answer" in errors, turn == 1, errors)
        self.assertEqual(self.models("run-1", 2), self.models("run-0", 2))
        self.assertEqual((self.result("run-2")["samples"], self.result("run-2")["lost_samples"]), (600, [0, 0]))
        self.assertNotEqual(self.models("run-2", 2), self.models("run-1", 2))
        found = self.predictions()
        counts = (301, 299)  # every process begins with node 0, and 7 are odd
        self.assertEqual(sorted((int(line["node"]), int(line["sample"])) for line in found),
                         [(node, sample) for node in range(2) for sample in range(1, counts[node] + 1)])
        late = [line["target"] == line["prediction"] for line in found if int(line["sample"]) > 200]
        self.assertGreater(sum(late) / len(late), 0.9)

    def test_an_empty_folder_is_a_beginning(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 3, "--out", "whole")
        for turn, prepare in enumerate((lambda: None, lambda: os.mkdir(self.folder / "empty"))):
            prepare()
            done = self.choir(*self.common, "--data", "all.csv", "--nodes", 3, "--checkpoint", "empty" if turn else "missing",
                              "--resume", "--out", f"run-{turn}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("has no checkpoint of all nodes: the run begins", done.stderr)
            self.assertEqual(self.models(f"run-{turn}", 3), self.models("whole", 3))

    def test_states_of_some_nodes_are_a_beginning(self):
        common = (*self.common, "--data", "all.csv", "--nodes", 3, *STATES, "--checkpoint-every", 160)
        self.ok(*common, "--out", "whole")
        for path in self.folder.glob("states/node-[12]-*"):
            path.unlink()
        self.ok(*common, "--resume", "--out", "run")
        self.assertEqual(self.models("run", 3), self.models("whole", 3))


class Saved(LiveTest):
    def setUp(self):
        super().setUp()
        self.lines = rows(*mixture(600)).splitlines()
        self.fit = (*self.common, "--data", "-", "--nodes", 2, *STATES, "--out", "run")

    def model_samples(self):
        if not (self.folder / "states" / "model-1.npz").exists():
            return 0
        shown = self.ok("inspect", "states/model-1.npz", "--json")
        return int(shown[shown.index('"training_samples"') :].split(":")[1].split(",")[0])

    def test_models_appear_while_a_run_learns(self):
        process = self.start(*self.fit, "--save-every", 64, stdin=-1)
        self.feed(process, ["a,b,label", *self.lines[:320]])
        self.wait_for("second model", lambda: self.model_samples() == 128, process)
        self.ok("predict", "--model", "states/model-0.npz", "--data", "all.csv", "--labels", "label", "--out", "out.csv")
        self.feed(process, self.lines[320:])
        code, errors = self.finish(process)
        self.assertEqual(code, 0, errors)
        self.assertEqual(self.model_samples(), 300)

    def test_a_signal_asks_for_a_checkpoint_and_models(self):
        process = self.start(*self.fit, stdin=-1)
        self.feed(process, ["a,b,label", *self.lines[:128]])
        self.wait_for("second round", lambda: self.taken() == 128, process)
        process.send_signal(signal.SIGUSR1)
        saved = lambda node: {int(path.stem.split("-")[-1]) for path in self.folder.glob(f"states/node-{node}-round-*.npz")}
        for first in range(128, 576, 64):  # a round each; the signal is seen after one of them
            self.feed(process, self.lines[first : first + 64])
            self.wait_for("round", lambda: self.taken() == first + 64, process)
        self.wait_for("checkpoint", lambda: saved(0) and saved(0) == saved(1), process)
        self.wait_for("model", lambda: self.model_samples() == 32 * max(saved(1)), process)
        self.assertEqual(len(saved(0)), 1)
        process.kill()
        process.communicate()

    def test_models_have_a_folder(self):
        self.refused(*self.common, "--data", "all.csv", "--nodes", 2, "--save-every", "30s", "--out", "run",
                     words=["--save-every", "--checkpoint FOLDER"])
        self.refused(*self.common, "--data", "all.csv", "--nodes", 2, *STATES, "--save-every", "often", "--out", "run",
                     words=["--save-every"])


class Predictions(LiveTest):
    def test_are_made_before_a_sample_is_learned(self):
        self.ok(*self.common, "--data", "all.csv", "--nodes", 1, "--batch", 1, "--predictions", "predictions.csv", "--out", "run")
        found = self.predictions()
        self.assertEqual([int(line["sample"]) for line in found], list(range(1, 601)))
        self.assertEqual([int(line["target"]) for line in found], self.y.tolist())
        self.assertEqual(found[0]["prediction"], "0")  # of a model that has learned nothing
        late = [line["target"] == line["prediction"] for line in found[100:]]
        self.assertGreater(sum(late) / len(late), 0.9)
        # The prediction of a sample depends on those before it alone.
        (self.folder / "half.csv").write_text("a,b,label\n" + rows(self.x[:300], self.y[:300]))
        self.ok(*self.common, "--data", "half.csv", "--nodes", 1, "--batch", 1, "--predictions", "half-predictions.csv", "--out", "half")
        self.assertEqual(self.predictions("half-predictions.csv"), found[:300])

    def test_of_values(self):
        lines = [f"{p!r},{q!r},{2 * p!r}" for p, q in self.x.tolist()]
        (self.folder / "values.csv").write_text("a,b,v\n" + "\n".join(lines) + "\n")
        self.ok(*METHOD, "--loss", "squared", "--labels", "v", "--data", "values.csv", "--nodes", 2, "--predictions", "predictions.csv",
                "--out", "run")
        errors = [abs(float(line["target"]) - float(line["prediction"])) for line in self.predictions() if int(line["sample"]) > 200]
        self.assertLess(sum(errors) / len(errors), 0.5 * abs(2 * self.x[:, 0]).mean())
