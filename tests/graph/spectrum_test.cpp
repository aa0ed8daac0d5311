#include "choir/graph/spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/expect_error.h"

#include "choir/graph/topology.h"

namespace choir {
namespace {

using std::numbers::pi;

void expect_spectrum(const char* spec, std::vector<double> truth) {
  SCOPED_TRACE(spec);
  std::sort(truth.begin(), truth.end());
  const Vector values = laplacian_spectrum(make_topology(spec, static_cast<Index>(truth.size()), 0));
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(values[static_cast<Index>(i)], truth[i], 1e-11);
}

double ring_value(int index, int nodes) { return 2 - 2 * std::cos(2 * pi * index / nodes); }
double path_value(int index, int nodes) { return 2 - 2 * std::cos(pi * index / nodes); }

TEST(LaplacianSpectrum, HasTheKnownClosedForms) {
  std::vector<double> ring2, ring4, path, grid, torus;
  for (int i = 0; i < 17; ++i) {
    ring2.push_back(ring_value(i, 17));
    ring4.push_back(ring_value(i, 17) + 2 - 2 * std::cos(4 * pi * i / 17));
    path.push_back(path_value(i, 17));
  }
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 5; ++column) {
      grid.push_back(path_value(row, 4) + path_value(column, 5));
      torus.push_back(ring_value(row, 4) + ring_value(column, 5));
    }
  }
  expect_spectrum("ring:2", ring2);
  expect_spectrum("ring:4", ring4);
  expect_spectrum("line", path);
  expect_spectrum("grid", grid);
  expect_spectrum("torus", torus);
  expect_spectrum("star", {0, 1, 1, 1, 1, 1, 7});
  expect_spectrum("complete", {0, 7, 7, 7, 7, 7, 7});
}

TEST(LaplacianSpectrum, SumsToTheDegreesAndCountsTheParts) {
  const Graph graph = make_topology("erdos:0.2", 50, 3);
  EXPECT_NEAR(laplacian_spectrum(graph).sum(), 2.0 * static_cast<double>(graph.edges()), 1e-9);
  const Vector parts = laplacian_spectrum(Graph::from_edges(6, std::vector<Edge>{{0, 1}, {2, 3}}));
  EXPECT_NEAR(parts[3], 0, 1e-12);
  EXPECT_NEAR(parts[4], 2, 1e-12);
}

TEST(MetropolisMatrix, IsDoublyStochasticWithAUnitEigenvalue) {
  const Matrix w = metropolis_matrix(make_topology("barabasi:2", 40, 1));
  EXPECT_LT((w - w.transpose()).norm(), 1e-15);
  EXPECT_LT((w.rowwise().sum() - Vector::Ones(40)).norm(), 1e-14);
}

TEST(SpectralSummary, OfKnownShapes) {
  const auto ring = spectral_summary(make_topology("ring:2", 20, 0));  // W = I - L / 3
  EXPECT_NEAR(*ring.algebraic_connectivity, ring_value(1, 20), 1e-12);
  EXPECT_NEAR(*ring.lambda_max, 4, 1e-12);
  EXPECT_NEAR(*ring.spectral_gap, ring_value(1, 20) / 3, 1e-12);
  EXPECT_NEAR(*ring.mixing + *ring.spectral_gap, 1, 1e-15);
  const auto complete = spectral_summary(make_topology("complete", 10, 0));  // W = 11' / J
  EXPECT_NEAR(*complete.spectral_gap, 1, 1e-12);
  const auto pair = spectral_summary(make_topology("line", 2, 0));
  EXPECT_NEAR(*pair.algebraic_connectivity, 2, 1e-12);
}

TEST(SpectralSummary, SeesANegativeEigenvalueOfW) {
  // K_{5,5} as a matrix of links: W = I - L / 6 has the eigenvalue 1 - 10/6 = -2/3, and 1/6 otherwise.
  std::vector<Edge> links;
  for (NodeId a = 0; a < 5; ++a) {
    for (NodeId b = 5; b < 10; ++b) links.push_back({a, b});
  }
  const Graph graph = Graph::from_edges(10, links);
  EXPECT_NEAR(*spectral_summary(graph).mixing, 2.0 / 3, 1e-12);
  EXPECT_NEAR(*spectral_summary(graph, {.max_dense = 0}).mixing, 2.0 / 3, 1e-6);
}

TEST(SpectralSummary, IteratedEqualsDense) {
  for (const char* spec : {"erdos:0.05", "barabasi:2", "torus", "star", "ring:8", "tree:3"}) {
    SCOPED_TRACE(spec);
    const Graph graph = make_topology(spec, 200, 4);
    const auto exact = spectral_summary(graph);
    const auto iterated = spectral_summary(graph, {.max_dense = 0});
    ASSERT_TRUE(iterated.algebraic_connectivity && iterated.lambda_max && iterated.spectral_gap);
    EXPECT_NEAR(*iterated.algebraic_connectivity / *exact.algebraic_connectivity, 1, 1e-3);
    EXPECT_NEAR(*iterated.lambda_max / *exact.lambda_max, 1, 1e-4);
    EXPECT_NEAR(*iterated.spectral_gap / *exact.spectral_gap, 1, 1e-3);
  }
}

TEST(SpectralSummary, OfALargeGraphByProductsOnly) {
  const auto torus = spectral_summary(make_topology("torus", 900, 0), {.max_dense = 0});  // W = I - L / 5
  ASSERT_TRUE(torus.algebraic_connectivity && torus.spectral_gap);
  EXPECT_NEAR(*torus.algebraic_connectivity / ring_value(1, 30), 1, 1e-3);
  EXPECT_NEAR(*torus.spectral_gap * 5 / ring_value(1, 30), 1, 1e-3);
}

TEST(SpectralSummary, LeavesOutWhatItCannotKnow) {
  // lambda_2 of this line is 1e-5: never a wrong number, either right or absent.
  const auto line = spectral_summary(make_topology("line", 1000, 0), {.max_dense = 0});
  if (line.algebraic_connectivity) {
    EXPECT_NEAR(*line.algebraic_connectivity / path_value(1, 1000), 1, 1e-2);
  }
  const auto vast = spectral_summary(make_topology("line", 10'001, 0));
  EXPECT_FALSE(vast.algebraic_connectivity || vast.lambda_max || vast.spectral_gap || vast.mixing);
  EXPECT_FALSE(spectral_summary(make_topology("line", 1, 0)).spectral_gap);
}

TEST(LaplacianSpectrum, SaysWhatItWouldNeed) {
  testing::expect_error(ErrorCategory::OutOfMemory, {"1000000 nodes", "TiB", "summary"},
                        [] { laplacian_spectrum(make_topology("line", 1'000'000, 0)); });
}

}  // namespace
}  // namespace choir
