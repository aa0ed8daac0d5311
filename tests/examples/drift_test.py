"""examples/drift prints what its README says: nodes with a half-life follow, those without do not."""
import os
import unittest

from readme import ReadmeTest


class Drift(ReadmeTest):
    def test_nodes_with_a_half_life_follow(self):
        printed = self.type_commands_of("drift", {"build-drift/drift": os.environ["DRIFT"]})
        last = printed[0].splitlines()[-1].split()
        following, remembering = float(last[3]), float(last[4])
        self.assertLess(following, 0.1)
        self.assertGreater(remembering, 3 * following)


if __name__ == "__main__":
    unittest.main()
