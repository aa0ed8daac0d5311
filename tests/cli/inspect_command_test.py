import json
import zipfile

from program import ProgramTest, ROOT

TWO_ANSWERS = ROOT / "tests/fixtures/model/golden-format-2.npz"
PARTS = ROOT / "tests/fixtures/model/golden-format-3.npz"
MACHINES = ROOT / "tests/fixtures/model/golden-format-3-machine.npz"
KERNEL_PARTS = ROOT / "tests/fixtures/model/golden-format-3-kernel.npz"


class Inspect(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs())

    def test_tells_that_a_kernel_model_carries_samples_and_a_linear_one_does_not(self):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "rbf")
        self.assertIn("the training samples themselves", self.ok("inspect", "rbf/model-0.npz"))
        self.ok("fit", "central-kpca", "--data", "x.npy", "--kernel", "linear", "--out", "linear")
        self.assertIn("carries no sample", self.ok("inspect", "linear/model-0.npz"))
        self.ok("fit", "central-kpca", "--data", "x.npy", "--n-landmarks", 40, "--out", "landmarks")
        self.assertNotIn("themselves", self.ok("inspect", "landmarks/model-0.npz"))

    def tells(self, what, *sentences):
        words = self.ok("inspect", what)
        for sentence in sentences:
            self.assertIn(sentence, words)
        return words

    def test_describes_a_run(self):
        self.ok("fit", "local-kpca", "--data", "x.npy", "--nodes", 4, "--topology", "ring:2", "--yardsticks", "--out", "run")
        self.tells("run", "a run of local-kpca over 4 nodes", "oracle")

    def test_json_has_the_parameters(self):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", "median", "--out", "run")
        about = json.loads(self.ok("inspect", "run/model-0.npz", "--json"))
        self.assertGreater(float(about["parameters"]["gamma"]), 0)
        self.assertEqual(about["answers"]["shared"]["n_components"], 2)

    def with_parameters(self, **parameters):
        """The golden model with other parameters."""
        with zipfile.ZipFile(TWO_ANSWERS) as old, zipfile.ZipFile(self.folder / "edited.npz", "w") as new:
            manifest = json.loads(old.read("manifest.json"))
            manifest["parameters"] = parameters
            new.writestr("manifest.json", json.dumps(manifest))
            for name in manifest["entries"]:
                new.writestr(name, old.read(name))
        return "edited.npz"

    def test_tells_which_answers_there_are_and_whose_samples_they_carry(self):
        self.tells(TWO_ANSWERS,
                   "a model of consensus-kpca (node 0)",
                   "2 answers; 'own' is used unless --use names another",
                   "carries 6 points of 2 numbers each: 3 training samples of node 0 and 3 landmarks, so share",
                   "scores of new points are shrunk: ||w||^2 = 0.81 0.5 per component",
                   "5 random features drawn from seed 18446744073709551557; carries no sample")

    def test_json_has_what_the_words_say(self):
        answers = json.loads(self.ok("inspect", TWO_ANSWERS, "--json"))["answers"]
        self.assertEqual(answers["own"]["samples_of"], [{"node": 0, "samples": 3}])
        self.assertEqual(answers["own"]["raw_samples"], 3)
        self.assertAlmostEqual(answers["own"]["squared_lengths"][1], 0.5)
        self.assertEqual(answers["shared"]["seed"], 2**64 - 59)

    def test_believes_only_what_can_be(self):
        for parameters in ({}, {"neighborhood": "0,1", "samples": "3"}, {"neighborhood": "0", "samples": "7"},
                           {"neighborhood": "0", "samples": "-3"}, {"neighborhood": "", "samples": "x"}):
            words = self.ok("inspect", self.with_parameters(**parameters))
            self.assertIn("6 points of 2 numbers each: the training samples themselves", words)

    def test_tells_what_a_part_is_and_that_it_needs_the_others(self):
        self.tells(PARTS,
                   "a model of gossip-pca (node 1)",
                   "one party's part: its own coordinates alone (columns 0, 2 of the whole data); carries no sample",
                   "which columns of the whole data they are the file does not say",
                   "choir transform --model 'model-{node}.npz'")
        answers = json.loads(self.ok("inspect", PARTS, "--json"))["answers"]
        self.assertEqual(answers["shared"]["kind"], "linear-part")
        self.assertEqual(answers["shared"]["columns"], [0, 2])
        self.assertEqual(answers["own"]["columns"], [])

    def test_tells_which_part_of_a_kernel_has_the_components(self):
        words = self.tells(KERNEL_PARTS,
                           "one party's part of kernel poly (gamma 0.3, degree 2, coef0 1, normalized)",
                           "its own features alone (columns 0, 2 of the whole data) of 6 training samples, so share this")
        own, shared = words[words.index("answer 'own'"):].split("answer 'shared'")
        self.assertIn("2 components of 2 features, values divided by 10, fitted to 6 samples; they explain", shared)
        self.assertIn("has the components: scores are computed here", shared)
        self.assertIn("1 feature, values divided by 10, fitted to 6 samples\n", own)
        self.assertIn("without the components", own)
        answers = json.loads(self.ok("inspect", KERNEL_PARTS, "--json"))["answers"]
        self.assertEqual(answers["shared"]["kind"], "kernel-part")
        self.assertEqual([answers[name]["has_answer"] for name in ("shared", "own")], [True, False])
        self.assertEqual(answers["own"]["n_components"], 0)

    def test_refuses_what_it_does_not_know(self):
        (self.folder / "empty").mkdir()
        self.refused("inspect", "empty", words=["result.json"])
        self.refused("inspect", "nowhere", words=["nowhere"])
        self.refused("inspect", "x.npy", words=["x.npy"])
        (self.folder / "broken").mkdir()
        (self.folder / "broken/result.json").write_text("{")
        self.refused("inspect", "broken", words=["JSON"])
        (self.folder / "broken/result.json").write_text('{"method": 5}')
        self.refused("inspect", "broken", words=["result"])

    def test_tells_what_a_kernel_machine_predicts_and_that_it_carries_samples(self):
        self.tells(MACHINES,
                   "a model of online-kernel (node 1)",
                   "answer 'shared': 2 features, values divided by 2, standardized by zscore, fitted to 6000000000 samples",
                   "kernel rbf (gamma 0.3), logistic loss; carries 4 training samples of 2 numbers each, so share",
                   "predicts labels -1, 2 and 5, and how likely each is: choir predict",
                   "predicts values: choir predict")
        shared = json.loads(self.ok("inspect", MACHINES, "--json"))["answers"]["shared"]
        self.assertEqual(shared["classes"], [-1, 2, 5])
        self.assertEqual(shared["raw_samples"], 4)
