"""tools/reference-filter hands plain comments to Doxygen where they document something, and nowhere else."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

HEADER = """\
// Sums <x, y>.
//
//   int s = sum(1, 2);
//
//  s = x + y
#pragma once

struct Other;  // other.h

// Two numbers.
struct Pair {
  int x = 0;  // the first,
              // as given
  int sum() const {
    return x;  // inside
  }
};

// ---- the end

"""

EXPECTED = """\
/**
@file
Sums &lt;x, y&gt;.

@code{.cpp}
int s = sum(1, 2);
@endcode
@verbatim
 s = x + y
@endverbatim
*/
#pragma once

struct Other;  // other.h

/// Two numbers.
struct Pair {
  int x = 0;  ///< the first,
              ///< as given
  int sum() const {
    return x;  // inside
  }
};

// ---- the end

"""


class ReferenceFilter(unittest.TestCase):
    def test_comments_become_doxygens(self):
        with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
            header.write(HEADER)
            header.flush()
            filtered = subprocess.run([ROOT / "tools" / "reference-filter", header.name], capture_output=True, text=True)
        self.assertEqual(filtered.stdout, EXPECTED)


if __name__ == "__main__":
    unittest.main()
