// MPI's life when the engine owns it. One test: MPI can be started only once in a process.
#include "choir/runtime/mpi/world.h"

#include <optional>

#include <gtest/gtest.h>
#include <mpi.h>

#include "choir/graph/topology.h"
#include "choir/runtime/mpi/mpi_engine.h"

namespace choir {
namespace {

bool mpi_says(int (*question)(int*)) {
  int answer = 0;
  question(&answer);
  return answer != 0;
}

Task<void> ten_rounds(Node& node) {
  for (int round = 0; round < 10; ++round) {
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
}

TEST(World, TheFirstEngineStartsMpiAndTheLastOneEndsIt) {
  ASSERT_FALSE(mpi_says(MPI_Initialized)) << "run it with --init=no";
  std::optional<MpiEngine> first(std::in_place);
  EXPECT_TRUE(mpi_says(MPI_Initialized));
  {
    MpiEngine second;
    first.reset();
    EXPECT_FALSE(mpi_says(MPI_Finalized));
    const Contract contract{.method = "test", .kinds = {Kind::control}};
    const RunReport report = second.run(make_topology("ring:2", 8, 0), contract, ten_rounds, {});
    EXPECT_EQ(report.ledger.total().messages, 160u);
  }
  EXPECT_TRUE(mpi_says(MPI_Finalized));
  try {
    const MpiEngine third;
    ADD_FAILURE() << "MPI was started twice";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::Unavailable);
    EXPECT_NE(std::string(error.what()).find("keep one MpiEngine"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace choir
