"""The commands of examples/streams/README.md, typed as they stand there, print what it says."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from readme import ReadmeTest


class Streams(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        printed = self.type_commands_of("streams", {"build/choir": os.environ["CHOIR"]})
        wrong = [float(line.split()[-1].rstrip("%")) for line in printed[1].splitlines()[1:]]
        self.assertGreater(wrong[4], 5 * wrong[3], "the sensors were turned")
        self.assertLess(wrong[-1], wrong[4] / 5, "and that was learned")

    def test_few_readings_fill_fewer_windows(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "examples/streams/mistakes.py"
        with tempfile.TemporaryDirectory() as folder:
            metrics = pathlib.Path(folder) / "metrics.jsonl"
            metrics.write_text("".join(json.dumps({"samples": at, "mistakes": wrong}) + "\n" for at, wrong in ((32, 0.5), (100, 0.25))))
            shown = subprocess.run([sys.executable, script, metrics], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split()[-1] for line in shown.splitlines()[1:]], ["50%", "25%"])


if __name__ == "__main__":
    unittest.main()
