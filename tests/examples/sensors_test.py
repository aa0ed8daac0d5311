"""The commands of examples/sensors/README.md, typed as they stand there, print what it says."""
import os
import unittest

from readme import ReadmeTest


class Sensors(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        printed = self.type_commands_of("sensors", {"build/choir": os.environ["CHOIR"]})
        largest = printed[-1].splitlines()[1].split()
        self.assertEqual(largest[0], "27", "the hour with the wrong clocks stands out")


if __name__ == "__main__":
    unittest.main()
