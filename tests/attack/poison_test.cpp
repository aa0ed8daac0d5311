// One changed number: a neighbour whose statistics no samples have. Each lie first shows that it works on
// whoever believes it, then that choir does not, and names the liar. gossip_pca and oneshot_kpca hear their
// neighbours one by one; of sums over all nodes only the total is seen, and then nobody can be named.
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

// The attack that was found: 3000 added to one product of features.
TEST(Poison, ASumOfFeaturesThatNoSamplesHaveIsRefused) {
  using consensus_kpca::FeatureMoments;
  const Matrix psi = testing::spread_samples(6, 50, 1).colwise().normalized();
  FeatureMoments moments = FeatureMoments::of(psi, Vector::Ones(50));
  const auto explained = [&](const consensus_kpca::BasisWish& wish) {
    const consensus_kpca::FeatureBasis basis = consensus_kpca::basis_of(moments, wish, 50);
    return basis.eigenvalues.sum() / basis.trace;
  };
  const consensus_kpca::BasisWish wish{.components = {.count = 2}};
  const consensus_kpca::BasisWish believing{.components = {.count = 2}, .inner_product = false};
  EXPECT_LE(explained(wish), 1);
  moments.products(0, 0) += 3000;
  EXPECT_GT(explained(believing), 3.03);
  EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { explained(wish); }),
              HasSubstr("such as no samples have"));
  moments.products(0, 0) -= 3000;
  moments.count = -50;
  EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { explained(wish); }),
              HasSubstr("such as no samples have"));
}

}  // namespace
}  // namespace choir
