#include "choir/runtime/run_end.h"

#include <stdexcept>

#include "runtime/support.h"

namespace choir {
namespace {

// The cells of a line, driven by hand.
class RunEnd : public ::testing::Test {
 protected:
  RunEnd() {
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      cells_.push_back(std::make_unique<NodeCell>(node, run_));
    }
  }
  void start(NodeId node, const Program& program) {
    cell(node).start(program);
    resume(node);
  }
  void resume(NodeId node) {
    cell(node).fetch();
    cell(node).resume();
  }
  NodeCell& cell(NodeId node) { return *cells_[static_cast<std::size_t>(node)]; }
  void complete_round(NodeId node) {
    for (Index position = 0; position < graph_.degree(node); ++position) {
      Message message = testing::number_message(0);
      message.on(exchange_channel, cell(node).round());
      cell(node).mailbox().put(position, message);
    }
    resume(node);
  }

  const Program ends_ = [](Node&) -> Task<void> { co_return; };
  const Program exchanges_ = [](Node& node) -> Task<void> { co_await testing::sum_of_rounds(node, 1, 100); };
  const Program receives_ = [](Node& node) -> Task<void> {
    co_await testing::sum_of_rounds(node, 1, 1);
    co_await node.receive(9, Deadline::never());
  };

  const Graph graph_ = line_graph(4);
  const Contract contract_ = testing::test_contract();
  const RunOptions options_;
  testing::RecordingHost host_;
  RunContext run_{graph_, contract_, options_, host_};
  Cells cells_;
};

TEST_F(RunEnd, WhereAllHaveEndedNobodyIsToBlame) {
  for (NodeId node = 0; node < 4; ++node) start(node, ends_);
  EXPECT_FALSE(find_deadlock(contract_, cells_));
}

TEST_F(RunEnd, BlamesTheNodeThatDoesNotWaitInARound) {
  for (const NodeId node : {0, 1, 3}) start(node, exchanges_);
  start(2, receives_);
  complete_round(2);
  const auto deadlock = find_deadlock(contract_, cells_);
  ASSERT_TRUE(deadlock);
  EXPECT_EQ(deadlock->category(), ErrorCategory::PeerLost);
  EXPECT_THAT(deadlock->what(), HasSubstr("test: node 2 waits for a message on channel 9"));
  EXPECT_THAT(deadlock->what(), HasSubstr("4 of 4 nodes"));
}

TEST_F(RunEnd, AmongNodesInRoundsBlamesTheLowestRoundThenTheLowestId) {
  start(0, ends_);
  for (const NodeId node : {1, 2, 3}) start(node, exchanges_);
  complete_round(1);
  const auto deadlock = find_deadlock(contract_, cells_);
  ASSERT_TRUE(deadlock);
  EXPECT_THAT(deadlock->what(), HasSubstr("node 2 waits for node 1 in round 0"));
  EXPECT_THAT(deadlock->what(), HasSubstr("3 of 4 nodes"));
}

TEST_F(RunEnd, NamesTheNodeThatFailedAndKeepsTheCategory) {
  throw_failure(run_);
  const Error cause(ErrorCategory::Numerical, "the matrix is singular");
  run_.failures.add(2, 3, std::make_exception_ptr(cause));
  expect_error(ErrorCategory::Numerical, {"node 3: the matrix is singular"}, [&] { throw_failure(run_); });
}

TEST_F(RunEnd, RethrowsWhatIsNoErrorOfChoirsAsItIs) {
  run_.failures.add(2, 3, std::make_exception_ptr(std::out_of_range("index")));
  EXPECT_THROW(throw_failure(run_), std::out_of_range);
}

TEST_F(RunEnd, TheReportAddsUpTheCells) {
  for (NodeId node = 0; node < 4; ++node) start(node, exchanges_);
  complete_round(1);
  complete_round(1);
  complete_round(3);
  Message old = testing::number_message(0);
  old.on(exchange_channel, 0);
  cell(1).mailbox().put(0, old);
  cell(3).mailbox().put(0, old);
  cell(0).mailbox().put(0, old);
  cell(0).mailbox().put(0, old);
  RunReport report;
  add_to_report(cells_, report);
  EXPECT_EQ(report.rounds, 2u);
  EXPECT_EQ(report.stale_messages, 2u);
  EXPECT_EQ(report.duplicate_messages, 1u);
}

}  // namespace
}  // namespace choir
