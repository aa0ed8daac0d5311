#include "choir/run/parts/part_files.h"

#include "message_of.h"
#include <gmock/gmock.h>

#include "choir/runtime/statement.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Of linear components, with files of a run of three nodes.
std::vector<PartFacts> two_parts() {
  std::vector<PartFacts> parts(2);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = {.kind = "a part of linear components",
                .size = "2 components",
                .training_samples = 50,
                .features = 4,
                .has_answer = true,
                .model = "model-" + std::to_string(i),
                .data = "part-" + std::to_string(i),
                .nodes = 3,
                .samples = 10};
  }
  return parts;
}

std::string refusal(const std::vector<PartFacts>& parts, const std::vector<Index>& numbers) {
  return test::message_of(ErrorCategory::InvalidArgument, [&] { check_parts(parts, numbers); });
}

TEST(PartFiles, SayWhichAreMissing) {
  EXPECT_THAT(check_parts(two_parts(), {0, 2}).missing, ElementsAre(1));
  std::vector<PartFacts> parts = two_parts();
  for (PartFacts& part : parts) part.needs_all = true;
  EXPECT_THAT(refusal(parts, {0, 2}), HasSubstr("there is no part of node 1, and a kernel's model"));
}

TEST(PartFiles, RefusePartsThatDoNotBelongTogether) {
  std::vector<PartFacts> parts = two_parts();
  parts[1].training_samples = 60;
  EXPECT_THAT(refusal(parts, {0, 1}), HasSubstr("model-1 has 60 training samples but model-0 has 50 training "
                                                "samples; give parts of one run"));
  parts = two_parts();
  parts[1].samples = 11;
  EXPECT_THAT(refusal(parts, {0, 1}), HasSubstr("part-1 has 11 samples but part-0 has 10 samples"));
  parts = two_parts();
  for (PartFacts& part : parts) part.has_answer = false;
  EXPECT_THAT(refusal(parts, {0, 1}), HasSubstr("no part has the answer: model-0"));
}

TEST(PartFiles, WithAllPartsEveryColumnIsSomebodys) {
  std::vector<PartFacts> parts = two_parts();
  for (PartFacts& part : parts) {
    part.nodes = 2;
    part.data_columns = 9;
  }
  EXPECT_THAT(refusal(parts, {0, 1}), HasSubstr("has 9 features but the parts were fitted to 8 together"));
  for (PartFacts& part : parts) part.data_columns = 8;
  EXPECT_EQ(refusal(parts, {0, 1}), "");
}

TEST(PartFiles, FactsCanBeToldToOthers) {
  const PartFacts told = two_parts().front();
  const auto heard = read_statement<PartFacts>(statement(Kind::facts, told));
  EXPECT_EQ(heard.model, told.model);
  EXPECT_EQ(heard.has_answer, told.has_answer);
  EXPECT_EQ(heard.samples, told.samples);
}

TEST(PartFiles, APatternHasAPlaceForTheNode) {
  EXPECT_TRUE(names_parts("runs/a/model-{node}.npz"));
  EXPECT_FALSE(names_parts("runs/a/model-0.npz"));
}

}  // namespace
}  // namespace choir
