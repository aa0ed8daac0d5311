#include "choir/learn/consensus_kpca/resemblance.h"

#include <cmath>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::consensus_kpca {
namespace {

using ::testing::HasSubstr;

TEST(Resemblance, IsTheSumOfTheCosinesOfPairs) {
  Matrix gram(3, 3);
  gram << 4, 2, 0,  //
      2, 1, 0.5,    //
      0, 0.5, 1;
  const Resemblance resemblance = resemblance_of(gram);
  EXPECT_NEAR(resemblance.sum, 2 * (1 + 0 + 0.5), 1e-12);
  EXPECT_EQ(resemblance.pairs, 6);
}

TEST(Resemblance, OnlyKernelsThatFallWithTheDistanceCanBeTheIdentity) {
  const Resemblance none{.sum = 1e-9, .pairs = 6};
  EXPECT_TRUE(is_identity({.kind = KernelKind::rbf}, none));
  EXPECT_TRUE(is_identity({.kind = KernelKind::laplacian}, none));
  EXPECT_FALSE(is_identity({.kind = KernelKind::linear}, none));
  EXPECT_FALSE(is_identity({.kind = KernelKind::rbf}, {.sum = 1e-3, .pairs = 6}));
  EXPECT_FALSE(is_identity({.kind = KernelKind::rbf}, {.sum = 0, .pairs = 0}))
      << "single samples say nothing";
}

// Samples 0, 1, 2, ... of a line, two at each node.
void require_of_line(double gamma) {
  const Contract contract{.method = "resemblance",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  run_nodes<int>(engine, make_topology("line", 3, 0), contract, {}, [gamma](Node& node) -> Task<int> {
    const Kernel kernel{.kind = KernelKind::rbf, .gamma = gamma};
    Samples own(1, 2);
    own << 2.0 * node.id(), 2.0 * node.id() + 1;
    const Matrix own_gram = gram<double>(kernel, own, own);
    SecureSums sums = co_await open_secure_sums(node);
    co_await require_resemblance(node, sums, kernel, map_of(own), own_gram);
    co_return 0;
  });
}

TEST(Resemblance, AGammaThatIsFarTooLargeIsRefusedWithOneThatIsNot) {
  EXPECT_NO_THROW(require_of_line(1));
  EXPECT_THAT(
      test::message_of(ErrorCategory::InvalidArgument, [] { require_of_line(1000); }),
      ::testing::AllOf(HasSubstr("gamma 1000 is so large"), HasSubstr("the median distance suggests")));
}

}  // namespace
}  // namespace choir::consensus_kpca
