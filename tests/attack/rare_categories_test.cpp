// Whoever reads a covariance of all samples, the root: the row of a feature is a sum of samples, weighted by
// that feature. Where one sample alone has a category, or lies far out, the row is that sample.
#include "attack/view.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/features/network_gaussian.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

constexpr Index figures = 4;     // of a patient, before the marks of categories
constexpr Index categories = 3;  // a common one, a less common one, and one that a single patient has
constexpr Index clinics = 3;
constexpr Index of_a_clinic = 60;
constexpr double close = 0.05;  // where figures have a deviation of 1

std::vector<Samples> tables_of_clinics() {
  std::vector<Samples> tables;
  for (std::uint64_t clinic = 0; clinic < clinics; ++clinic) {
    Rng random(clinic, Purpose("patients"));
    Samples table = Samples::Zero(figures + categories, of_a_clinic);
    for (Index n = 0; n < of_a_clinic; ++n) {
      for (Index figure = 0; figure < figures; ++figure) table(figure, n) = random.normal();
      table(figures + (n % 3 == 0 ? 1 : 0), n) = 1;
    }
    tables.push_back(std::move(table));
  }
  tables[1].col(7).tail(categories) << 0, 0, 1;
  tables[2](0, 5) = 1e4;
  return tables;
}

Samples lone_patients(const std::vector<Samples>& tables) {
  Samples both(figures + categories, 2);
  both << tables[1].col(7), tables[2].col(5);
  return both;
}

// A guess for every feature c, as if one sample had a there and all others 0: then N C_c = a (x - mean), and
// N C_cc = a^2 (1 - 1 / N).
Samples guesses_from(const Matrix& covariance, const Vector& mean, Index samples) {
  const auto n = static_cast<double>(samples);
  const Matrix sums = n * covariance;
  const Vector values = (sums.diagonal() / (1 - 1 / n)).cwiseMax(1e-300).cwiseSqrt();
  return (sums * values.cwiseInverse().asDiagonal()).colwise() + mean;
}

Matrix covariance_of_all(const Samples& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols());
}

// What the root knows when landmarks, or random features, begin.
NetworkGaussian known_to_the_root(const std::vector<Samples>& tables) {
  const Contract contract{.method = "gaussian",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const auto outcome =
      run_nodes<NetworkGaussian>(*make_engine("sim"), make_topology("line", clinics, 0), contract, {},
                                 [&](Node& node) -> Task<NetworkGaussian> {
                                   SecureSums sums = co_await open_secure_sums(node);
                                   const Array table(tables[static_cast<std::size_t>(node.id())]);
                                   const NetworkGaussian found = co_await agreed_gaussian(node, sums, table);
                                   co_return found;
                                 });
  for (const auto& found : outcome.results) {
    if (found->at_root) return *found;
  }
  return {};
}

TEST(RareCategories, AreReadFromACovarianceAndNotFromWhatLandmarksBeginWith) {
  const std::vector<Samples> tables = tables_of_clinics();
  const Samples all = side_by_side(tables);
  const Samples lone = lone_patients(tables);
  // The protection is off: the whole covariance is summed.
  const Samples read = guesses_from(covariance_of_all(all), all.rowwise().mean(), all.cols());
  EXPECT_EQ(recovered(lone, read, close), 2);

  const NetworkGaussian root = known_to_the_root(tables);
  ASSERT_TRUE(root.at_root);
  const Matrix& factor = root.at_root->factor;
  const Matrix known = factor * factor.transpose();
  EXPECT_EQ(recovered(all, guesses_from(known, root.mean, all.cols()), close), 0);
  // What many samples make is there still.
  const Matrix covariance = covariance_of_all(all);
  EXPECT_NEAR(known(figures, figures + 1), covariance(figures, figures + 1), 1e-9);
  EXPECT_NEAR(known(1, 2), covariance(1, 2), 1e-9);
}

// gossip-pca is asked for the directions of the covariance. As many of them as there are features are the
// covariance; docs/threat-model.md says so.
Index read_from_components(Index components) {
  const std::vector<Samples> tables = tables_of_clinics();
  gossip_pca::Options options;
  options.n_components.count = components;
  const auto fit =
      fit_gossip_pca(*make_engine("sim"), make_topology("complete", clinics, 0), tables, options);
  const gossip_pca::NodeResult& answer = fit.at(1);
  EXPECT_TRUE(answer.refined);
  const Matrix covariance = answer.directions * answer.variances.asDiagonal() * answer.directions.transpose();
  return recovered(lone_patients(tables), guesses_from(covariance, answer.mean, clinics * of_a_clinic),
                   close);
}

TEST(RareCategories, AreReadFromAllComponentsAndNotFromAFewButForTheOutlierThatMakesTheFirst) {
  EXPECT_EQ(read_from_components(figures + categories), 2);
  EXPECT_LE(read_from_components(2), 1);
}

}  // namespace
}  // namespace choir::testing_attack
