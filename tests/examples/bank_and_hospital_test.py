"""The commands of examples/bank_and_hospital/README.md, typed as they stand there, print what it says."""
import os
import unittest

from readme import ReadmeTest


class BankAndHospital(ReadmeTest):
    def test_the_readme_tells_what_happens(self):
        printed = self.type_commands_of("bank_and_hospital", {"build/choir": os.environ["CHOIR"]})
        self.assertTrue(any("--assume-same-order" in text for text in printed), "rows that nothing holds together are refused")
        together, alone = (text.splitlines() for text in printed[-2:])
        self.assertGreater(max(share(line) for line in together), max(share(line) for line in alone))


def share(line):
    """Of "component 2 tells 97% of the pairs apart"."""
    return float(line.split()[3].rstrip("%"))


if __name__ == "__main__":
    unittest.main()
