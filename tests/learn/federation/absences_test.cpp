#include "choir/learn/federation/absences.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Absences, DevicesThatStaySilentAreAskedLessAndLess) {
  Absences absences;
  std::vector<int> asked;
  for (int round = 1; round <= 32; ++round) {
    absences.begin_round();
    EXPECT_FALSE(absences.rests(1));
    if (absences.rests(2)) {
      absences.note({1}, {});
      continue;
    }
    asked.push_back(round);
    absences.note({1}, {2});
  }
  EXPECT_EQ(asked, (std::vector<int>{1, 2, 4, 8, 16, 32}));
}

TEST(Absences, AnAnswerEndsThem) {
  Absences absences;
  for (const bool answers : {false, false, true, false}) {
    absences.begin_round();
    while (absences.rests(2)) absences.begin_round();
    absences.note(answers ? std::vector<NodeId>{2} : std::vector<NodeId>{},
                  answers ? std::vector<NodeId>{} : std::vector<NodeId>{2});
  }
  absences.begin_round();
  EXPECT_FALSE(absences.rests(2)) << "the first silence after an answer";
}

}  // namespace
}  // namespace choir
