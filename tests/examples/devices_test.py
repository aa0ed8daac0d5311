"""The commands of examples/devices/README.md, typed as they stand there, print what it says."""
import os
import unittest

from readme import ReadmeTest


class Devices(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        self.type_commands_of("devices", {"build/choir": os.environ["CHOIR"]})


if __name__ == "__main__":
    unittest.main()
