// What a user of the installed library writes: the lines that README.md shows, word for word, and a look at
// what they computed.
#include <cstdio>

#include <choir/choir.h>

int main() try {
#include "readme_lines.h"

  const choir::consensus_kpca::NodeResult& node = fit.at(7);
  const double expected = node.eigenvalues(0);
  const double found = scores.col(0).squaredNorm();
  std::printf("%td samples, first eigenvalue %.1f, squares of the scores %.1f, %td iterations\n",
              digits.size(), expected, found, node.iterations);
  return node.converged && std::abs(found - expected) < 0.1 * expected ? 0 : 1;
} catch (const choir::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
