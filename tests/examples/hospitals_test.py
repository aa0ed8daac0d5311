"""The commands of examples/hospitals/README.md, typed as they stand there, print what it says."""
import os
import unittest

from readme import ReadmeTest


class Hospitals(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        printed = self.type_commands_of("hospitals", {"build/choir": os.environ["CHOIR"]})
        self.assertEqual(len(printed), 5)


if __name__ == "__main__":
    unittest.main()
