#include "choir/cli/process_group.h"

#include <barrier>
#include <thread>

#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/cli/exit_code.h"

namespace choir::cli {
namespace {

// Ranks as threads: gather() waits for all of them, as processes would.
class Ranks {
 public:
  explicit Ranks(std::ptrdiff_t count) : texts_(static_cast<std::size_t>(count)), barrier_(count) {}

  std::vector<std::string> gather(std::size_t rank, const std::string& text) {
    texts_[rank] = text;
    barrier_.arrive_and_wait();
    std::vector<std::string> all = texts_;
    barrier_.arrive_and_wait();
    return all;
  }

  template <class Body>
  void run(Body body) {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < texts_.size(); ++rank) threads.emplace_back([=] { body(rank); });
  }

 private:
  std::vector<std::string> texts_;
  std::barrier<> barrier_;
};

class RankEngine : public Engine {
 public:
  RankEngine(Ranks& ranks, std::size_t rank) : ranks_(ranks), rank_(rank) {}
  std::string_view name() const override { return "ranks"; }
  RunReport run(const Graph&, const Contract&, const Program&, const RunOptions&) override { return {}; }
  bool is_speaker() const override { return rank_ == 0; }
  std::vector<std::string> gather(const std::string& text) override { return ranks_.gather(rank_, text); }

 private:
  Ranks& ranks_;
  std::size_t rank_;
};

TEST(ProcessGroup, GoesOnIfAllSucceed) {
  Ranks ranks(3);
  std::vector<int> doubled(3);
  ranks.run([&](std::size_t rank) {
    RankEngine engine(ranks, rank);
    ProcessGroup processes(engine);
    EXPECT_EQ(processes.size(), 3);
    doubled[rank] = processes.together([&] { return 2 * static_cast<int>(rank); });
    EXPECT_FALSE(processes.failed_together());
  });
  EXPECT_EQ(doubled, (std::vector<int>{0, 2, 4}));
}

TEST(ProcessGroup, AllThrowWhatTheFirstFailingProcessThrew) {
  Ranks ranks(4);
  std::vector<std::string> sentences(4);
  std::vector<int> exit_codes(4);
  ranks.run([&](std::size_t rank) {
    RankEngine engine(ranks, rank);
    ProcessGroup processes(engine);
    try {
      processes.together([&] {
        if (rank == 2) fail(ErrorCategory::PeerLost, "node 7 is gone");
        if (rank == 3) throw std::runtime_error("later");
      });
    } catch (const Error& error) {
      sentences[rank] = error.what();
      exit_codes[rank] = exit_code_of(error);
      EXPECT_TRUE(processes.failed_together());
    }
  });
  EXPECT_EQ(sentences, std::vector<std::string>(4, "node 7 is gone"));
  EXPECT_EQ(exit_codes, std::vector<int>(4, peers_lost));
}

TEST(ProcessGroup, OnlyTheSpeakerWorksForAll) {
  Ranks ranks(3);
  std::atomic<int> calls = 0;
  std::vector<std::string> heard(3);
  ranks.run([&](std::size_t rank) {
    RankEngine engine(ranks, rank);
    ProcessGroup processes(engine);
    heard[rank] = processes.from_speaker([&] {
      ++calls;
      return std::string("the folder");
    });
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(heard, std::vector<std::string>(3, "the folder"));
}

TEST(ProcessGroup, WithoutCompanyAnErrorKeepsItsCategoryAndWholeSentence) {
  Ranks alone(1);
  RankEngine engine(alone, 0);
  ProcessGroup processes(engine);
  const Error cause(ErrorCategory::Io, "no such file");
  try {
    processes.together([&] { throw Error(ErrorCategory::BadData, "cannot read", cause); });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::BadData);
    EXPECT_STREQ(error.what(), "cannot read: no such file");
  }
}

}  // namespace
}  // namespace choir::cli
