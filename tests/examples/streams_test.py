"""The commands of examples/streams/README.md, typed as they stand there, print what it says."""
import os
import unittest

from readme import ReadmeTest


class Streams(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        printed = self.type_commands_of("streams", {"build/choir": os.environ["CHOIR"]})
        wrong = [float(line.split()[-1].rstrip("%")) for line in printed[1].splitlines()[1:]]
        self.assertGreater(wrong[4], 5 * wrong[3], "the sensors were turned")
        self.assertLess(wrong[-1], wrong[4] / 5, "and that was learned")


if __name__ == "__main__":
    unittest.main()
