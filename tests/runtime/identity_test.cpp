#include "choir/runtime/identity.h"

#include <set>

#include "graph/expect_error.h"
#include "runtime/support.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::expect_error;

const Contract masking{.method = "test", .kinds = {Kind::masked}};

// Two processes that publish what they have know the same in the end.
TEST(Identities, OfSeveralProcessesMakeOneTable) {
  Identities first = Identities::for_run(masking, 0, 2, 5);
  Identities second = Identities::for_run(masking, 2, 5, 5);
  first.learn(2, second.published());
  second.learn(0, first.published());
  const std::span<const IdentityKey> here = first.of(1).everybody;
  const std::span<const IdentityKey> there = second.of(4).everybody;
  ASSERT_EQ(here.size(), 5u);
  EXPECT_TRUE(std::equal(here.begin(), here.end(), there.begin(), there.end()));
  EXPECT_EQ(std::set<IdentityKey>(here.begin(), here.end()).size(), 5u);
  const Signature signature = second.of(3).key.sign("test", {});
  EXPECT_TRUE(first.of(0).has_signed(3, "test", {}, signature));
  EXPECT_FALSE(first.of(0).has_signed(2, "test", {}, signature));
}

TEST(Identities, RefuseKeysOfNodesThatDoNotExist) {
  Identities three = Identities::for_run(masking, 0, 1, 3);
  const std::vector<std::byte> keys(64);
  three.learn(1, keys);
  for (const NodeId from : {2, 4, -1}) {
    expect_error(ErrorCategory::BadData, {"64 bytes", "network of 3 nodes"},
                 [&] { three.learn(from, keys); });
  }
  expect_error(ErrorCategory::BadData, {"33 bytes"}, [&] { three.learn(1, std::vector<std::byte>(33)); });
}

TEST(Identities, ComeWithTheNodeWhereWordsAreMasked) {
  LocalEngine local({.threads = 1});
  SimEngine sim;
  for (Engine* const engine : {static_cast<Engine*>(&local), static_cast<Engine*>(&sim)}) {
    std::vector<Signature> signatures(4);
    const auto outcome =
        run_nodes<bool>(*engine, make_topology("line", 4, 0), masking, {}, [&](Node& node) -> Task<bool> {
          signatures[static_cast<std::size_t>(node.id())] = node.identity().key.sign("test", {});
          co_await node.exchange(Message(Kind::masked), node.deadline());
          const NodeId next = (node.id() + 1) % 4;
          const bool linked = next != 0;
          co_return !linked ||
              node.identity().has_signed(next, "test", {}, signatures[static_cast<std::size_t>(next)]);
        });
    for (const auto& knows : outcome.results) EXPECT_TRUE(*knows);
    expect_error(ErrorCategory::InvalidArgument, {"asked for its identity", "masked"}, [&] {
      const Contract plain{.method = "test", .kinds = {Kind::control}};
      run_nodes<bool>(*engine, make_topology("line", 2, 0), plain, {}, [](Node& node) -> Task<bool> {
        (void)node.identity();
        co_return true;
      });
    });
  }
}

}  // namespace
}  // namespace choir
