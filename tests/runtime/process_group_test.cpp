#include "choir/runtime/process_group.h"

#include <atomic>
#include <stdexcept>

#include "graph/expect_error.h"
#include "runtime/process_threads.h"

#include "choir/base/error.h"

namespace choir {
namespace {

using testing::expect_error;
using testing::in_a_group_of;
using testing::Processes;
using testing::ThreadEngine;

// Whose group has lost a process.
class BrokenEngine : public ThreadEngine {
 public:
  using ThreadEngine::ThreadEngine;
  std::vector<Message> tell_all(const Message&) override {
    throw Error(ErrorCategory::PeerLost, "process 1 has died");
  }
};

struct Facts {
  Index samples = 0;
  std::string source;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(samples, source);
  }
  friend bool operator==(const Facts&, const Facts&) = default;
};

TEST(ProcessGroup, GoesOnIfAllSucceed) {
  std::vector<int> doubled(3);
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    EXPECT_EQ(group.size(), 3);
    EXPECT_EQ(group.own(), static_cast<Index>(process));
    doubled[process] = group.together([&] { return 2 * static_cast<int>(process); });
    EXPECT_FALSE(group.failed_together());
  });
  EXPECT_EQ(doubled, (std::vector<int>{0, 2, 4}));
}

TEST(ProcessGroup, AllThrowWhatTheFirstFailingProcessThrew) {
  std::vector<std::string> sentences(4);
  std::vector<ErrorCategory> categories(4);
  in_a_group_of(4, [&](std::size_t process, ProcessGroup& group) {
    try {
      group.together([&] {
        if (process == 2) fail(ErrorCategory::PeerLost, "node 7 is gone");
        if (process == 3) throw std::runtime_error("later");
      });
    } catch (const Error& error) {
      sentences[process] = error.what();
      categories[process] = error.category();
      EXPECT_TRUE(group.failed_together());
    }
  });
  EXPECT_EQ(sentences, std::vector<std::string>(4, "node 7 is gone"));
  EXPECT_EQ(categories, std::vector<ErrorCategory>(4, ErrorCategory::PeerLost));
}

TEST(ProcessGroup, StatementsOfAllComeInTheOrderOfTheProcesses) {
  const std::vector<Facts> expected = {{0, "part-0.csv"}, {10, "part-1.csv"}, {20, "part-2.csv"}};
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    EXPECT_EQ(group.tell_all(Kind::facts, expected[process]), expected);
  });
}

TEST(ProcessGroup, OnlyTheSpeakerWorksForAll) {
  std::atomic<int> calls = 0;
  std::vector<std::string> heard(3);
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    heard[process] = group.from_speaker<std::string>(Kind::options, [&] {
      ++calls;
      return std::string("the folder");
    });
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(heard, std::vector<std::string>(3, "the folder"));
}

TEST(ProcessGroup, WhatTheSpeakerFailsAtAllThrow) {
  in_a_group_of(2, [&](std::size_t, ProcessGroup& group) {
    expect_error(ErrorCategory::Io, {"the disk is full"}, [&] {
      group.from_speaker<std::string>(Kind::options,
                                      [&]() -> std::string { fail(ErrorCategory::Io, "the disk is full"); });
    });
    EXPECT_TRUE(group.failed_together());
  });
}

TEST(ProcessGroup, CountsAMessageForEveryOtherProcessWithItsEncodedSize) {
  in_a_group_of(3, [&](std::size_t, ProcessGroup& group) {
    const Facts facts{5, "a.csv"};
    group.tell_all(Kind::facts, facts);
    group.tell_all(Kind::facts, facts);
    group.together([] {});
    const std::uint64_t size = encoded_size(statement(Kind::facts, facts));
    const std::map<Kind, Traffic> expected = {{Kind::facts, {.messages = 4, .bytes = 4 * size}},
                                              {Kind::failures, {.messages = 2, .bytes = 2 * 24}}};
    EXPECT_EQ(group.told(), expected);
  });
}

TEST(ProcessGroup, RefusesAKindThatTheContractDoesNotNameBeforeAnythingIsSent) {
  Processes two(2);
  // One process alone: had it sent anything, it would wait for the other.
  ThreadEngine engine(two, 0);
  ProcessGroup group(engine, {Kind::facts});
  bool worked = false;
  expect_error(ErrorCategory::Internal, {"summaries", "allows facts"},
               [&] { group.tell_all(Kind::summaries, 1.0); });
  expect_error(ErrorCategory::Internal, {"options"},
               [&] { group.from_speaker<double>(Kind::options, [] { return 1.0; }); });
  expect_error(ErrorCategory::Internal, {"failures"}, [&] { group.together([&] { worked = true; }); });
  EXPECT_FALSE(worked);
  EXPECT_TRUE(group.told().empty());
}

TEST(ProcessGroup, ByDefaultNothingOfASampleMayBeTold) {
  Processes alone(1);
  ThreadEngine engine(alone, 0);
  ProcessGroup group(engine);
  for (const Kind kind : all_kinds) {
    if (process_kinds.has(kind)) {
      EXPECT_EQ(group.tell_all(kind, 1.5), std::vector<double>{1.5});
    } else {
      EXPECT_THROW(group.tell_all(kind, 1.5), Error) << to_string(kind);
    }
  }
}

TEST(ProcessGroup, ProcessesThatAreOutOfStepAllLearnIt) {
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    expect_error(ErrorCategory::Internal,
                 {"out of step", "process 2 tells summaries", "process 0 tells facts"},
                 [&] { group.tell_all(process == 2 ? Kind::summaries : Kind::facts, 1.0); });
    EXPECT_TRUE(group.failed_together());
  });
}

TEST(ProcessGroup, WhatNobodyCanReadAllThrow) {
  in_a_group_of(2, [&](std::size_t process, ProcessGroup& group) {
    expect_error(ErrorCategory::BadData, {"damaged"}, [&] {
      if (process == 0) group.tell_all(Kind::facts, std::string("a text"));
      if (process == 1) group.tell_all(Kind::facts, std::vector<std::string>{"a", "list"});
    });
    EXPECT_TRUE(group.failed_together());
  });
}

TEST(ProcessGroup, WithoutCompanyAnErrorKeepsItsCategoryAndWholeSentence) {
  Processes alone(1);
  ThreadEngine engine(alone, 0);
  ProcessGroup group(engine);
  const Error cause(ErrorCategory::Io, "no such file");
  expect_error(ErrorCategory::BadData, {"cannot read: no such file"},
               [&] { group.together([&] { throw Error(ErrorCategory::BadData, "cannot read", cause); }); });
}

TEST(ProcessGroup, WithoutCompanyNothingIsCounted) {
  Processes alone(1);
  ThreadEngine engine(alone, 0);
  ProcessGroup group(engine);
  EXPECT_EQ(group.tell_all(Kind::facts, Facts{3, "x"}), (std::vector<Facts>{{3, "x"}}));
  EXPECT_EQ(group.from_speaker<double>(Kind::options, [] { return 2.5; }), 2.5);
  EXPECT_EQ(group.together([] { return 4; }), 4);
  EXPECT_TRUE(group.told().empty());
}

TEST(ProcessGroup, ALossThatBreaksTheGroupIsToldByThoseWhoKnowOfNothingElse) {
  Processes two(2);
  BrokenEngine engine(two, 0);
  ProcessGroup innocent(engine);
  expect_error(ErrorCategory::PeerLost, {"process 1 has died"}, [&] { innocent.together([] {}); });
  EXPECT_TRUE(innocent.failed_together());
  ProcessGroup failing(engine);
  expect_error(ErrorCategory::Numerical, {"no pivot"},
               [&] { failing.together([] { fail(ErrorCategory::Numerical, "no pivot is left"); }); });
  EXPECT_TRUE(failing.failed_together());
}

}  // namespace
}  // namespace choir
