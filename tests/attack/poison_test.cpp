// One changed number: a neighbour whose statistics no samples have. Each lie first shows that it works on
// whoever believes it, then that choir does not, and names the liar. gossip_pca and oneshot_kpca hear their
// neighbours one by one; of sums over all nodes only the total is seen, and then nobody can be named.
#include <cmath>

#include "learn/gossip_pca/toy.h"
#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/learn/consensus_kpca/feature_moments.h"
#include "choir/learn/gossip_pca/summary_message.h"
#include "choir/learn/oneshot_kpca/factor_message.h"
#include "choir/learn/plausibility.h"

namespace choir {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr NodeId liar = 5;
const gossip_pca::SummaryRule rule{.carry = 4};

gossip_pca::Summary summary_of(std::uint64_t seed) {
  return gossip_pca::summary_of_samples(testing::spread_samples(8, 40, seed), rule);
}

double explained_after(gossip_pca::Summary mine, const gossip_pca::Summary& theirs) {
  Rng random(1, Purpose("test"));
  gossip_pca::merge(mine, theirs, rule, random);
  return gossip_pca::principal_of(mine, rule, 3).variances.sum() * mine.weight / mine.trace;
}

std::string refusal_of(const gossip_pca::Summary& summary, double largest_square = 1e300) {
  const gossip_pca::SummaryShape shape{
      .rule = rule, .dimension = 8, .nodes = 6, .largest_square = largest_square};
  const auto sent =
      gossip_pca::pack(summary, gossip_pca::Participants(6, liar).words(), Kind::own_statistics);
  return message_of(ErrorCategory::PeerLost, [&] { gossip_pca::unpack(sent, shape, liar); });
}

TEST(Poison, VariancesAboveTheirTotalExplainMoreThanThereIs) {
  gossip_pca::Summary lie = summary_of(2);
  EXPECT_LT(explained_after(summary_of(1), lie), 1);
  EXPECT_EQ(refusal_of(lie), "");
  lie.values *= 30;
  EXPECT_GT(explained_after(summary_of(1), lie), 3.03);
  EXPECT_THAT(refusal_of(lie),
              AllOf(HasSubstr("node 5 sent a summary"), HasSubstr("variances exceed their total")));
}

TEST(Poison, DirectionsThatAreTooLongExplainMoreThanThereIs) {
  gossip_pca::Summary lie = summary_of(2);
  lie.basis = Array(Matrix(lie.basis.matrix() * 6));
  EXPECT_GT(explained_after(summary_of(1), lie), 3.03);
  EXPECT_THAT(refusal_of(lie), AllOf(HasSubstr("node 5"), HasSubstr("unit length")));
}

// Of features of a kernel whose samples all have length 1, or less.
TEST(Poison, FeaturesAreNotLongerThanTheKernelsSamples) {
  gossip_pca::Summary lie = summary_of(2);
  const double squares = lie.trace + lie.sum.squaredNorm() / lie.weight;
  const double longest = squares / lie.weight;
  EXPECT_EQ(refusal_of(lie, longest), "");
  lie.sum *= 2;  // the mean somewhere else: no variance is too large
  EXPECT_EQ(refusal_of(lie), "");
  EXPECT_THAT(refusal_of(lie, longest), AllOf(HasSubstr("node 5"), HasSubstr("longer than the kernel's")));
}

std::string refusal_of(const oneshot_kpca::KernelFactor& factor) {
  const Message sent = oneshot_kpca::pack(factor, Kind::features);
  return message_of(ErrorCategory::PeerLost, [&] { oneshot_kpca::unpack_kernel_factor(sent, 30, 1, liar); });
}

TEST(Poison, FactorsKeepToTheirKernel) {
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.1};
  const auto good = oneshot_kpca::kernel_factor(rbf, testing::spread_samples(8, 30, 1), {.count = 4});
  EXPECT_EQ(refusal_of(good), "");
  oneshot_kpca::KernelFactor lie = good;
  lie.values(0) += 40;
  EXPECT_THAT(refusal_of(lie), AllOf(HasSubstr("node 5 sent a factor"), HasSubstr("exceed its trace")));
  lie.trace += 40;  // so that they fit: 30 samples of length 1 have no trace of 70
  EXPECT_THAT(refusal_of(lie), AllOf(HasSubstr("node 5"), HasSubstr("exceeds that of the kernel")));
  lie = good;
  lie.vectors *= 3;
  EXPECT_THAT(refusal_of(lie), AllOf(HasSubstr("node 5"), HasSubstr("longer than 1")));
}

// The attack that was found: 3000 added to one product of features, in the column of sums as it is sent. The
// share of the variance that a believer reports stays below 1, as kernels that are no inner products may have
// any k(x, x); so it is the sums that have to be looked at.
TEST(Poison, ASumOfFeaturesThatNoSamplesHaveIsRefused) {
  using consensus_kpca::FeatureBasis;
  using consensus_kpca::FeatureMoments;
  constexpr Index features = 6, samples = 50;
  const Matrix psi = testing::spread_samples(features, samples, 1).colwise().normalized();
  const Matrix sums = FeatureMoments::of(psi, Vector::Ones(samples)).packed();
  const auto basis_of = [&](const Matrix& sent, bool inner_product) {
    return consensus_kpca::basis_of(FeatureMoments::unpacked(sent),
                                    {.components = {.count = 2}, .inner_product = inner_product}, samples);
  };
  const auto refusal_of = [&](const Matrix& sent) {
    return message_of(ErrorCategory::PeerLost, [&] { basis_of(sent, true); });
  };
  const FeatureBasis honest = basis_of(sums, true);
  EXPECT_LE(honest.eigenvalues.sum(), honest.trace);
  EXPECT_LT(std::abs(honest.directions(1, 0)), 0.9);

  Matrix lie = sums;
  constexpr Index second_square =
      2 + features + features;  // behind count, k(x, x), the sum, and a column of products
  lie(second_square) += 3000;
  const FeatureBasis believed = basis_of(lie, false);
  EXPECT_GT(believed.eigenvalues.sum(), 3.03 * honest.trace);
  EXPECT_LE(believed.eigenvalues.sum(), believed.trace);
  EXPECT_GT(std::abs(believed.directions(1, 0)), 0.999) << "the first component is the liar's choice";
  EXPECT_THAT(refusal_of(lie), HasSubstr("such as no samples have"));

  lie = sums;
  lie(0) = -samples;
  EXPECT_THAT(refusal_of(lie), HasSubstr("such as no samples have"));
}

// What samples could have is believed: nothing tells a lie from a node whose samples differ. Documented.
TEST(Poison, ASumOfFeaturesThatOtherSamplesCouldHaveTurnsTheAnswerAndIsNotNoticed) {
  using consensus_kpca::FeatureMoments;
  constexpr Index features = 6, samples = 50;
  const Matrix honest = testing::spread_samples(features, samples, 1).colwise().normalized();
  Matrix invented = Matrix::Zero(features, samples);
  invented.row(4).setLinSpaced(-1, 1);
  const auto first_direction = [&](const Matrix& sums) {
    const auto basis =
        consensus_kpca::basis_of(FeatureMoments::unpacked(sums), {.components = {.count = 1}}, 2 * samples);
    return Vector(basis.directions.col(0));
  };
  const Matrix mine = FeatureMoments::of(honest, Vector::Ones(samples)).packed();
  EXPECT_LT(std::abs(first_direction(2 * mine)(4)), 0.9);
  const Matrix lie = 20 * FeatureMoments::of(invented, Vector::Ones(samples)).packed();
  EXPECT_GT(std::abs(first_direction(mine + lie)(4)), 0.95) << "the liar's choice";
}

}  // namespace
}  // namespace choir
