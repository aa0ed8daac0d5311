#include "choir/run/inspect_run.h"

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "choir/run/result_json.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

Result example() {
  Result result;
  result.method = "gossip-pca";
  result.nodes = 1;
  result.converged = true;
  result.notes = {"something to know"};
  return result;
}

TEST(InspectRun, SaysWhatTheRunWas) {
  const std::string words = describe_run("runs/a", to_json(example()));
  EXPECT_THAT(words,
              HasSubstr("runs/a: a run of gossip-pca over 1 node, 0 samples of 0 features\nconverged"));
  EXPECT_THAT(words, HasSubstr("note: something to know"));
  EXPECT_THAT(words, ::testing::Not(HasSubstr("privacy")));
}

TEST(InspectRun, SaysWhatDifferentialPrivacyPromised) {
  Result result = example();
  result.privacy =
      PrivacyReport{.asked = {.epsilon = 0.5}, .releases = {{.what = "sums", .sensitivity = 1, .rho = 0.25}}};
  EXPECT_THAT(describe_run("a", to_json(result)),
              HasSubstr("epsilon 0.5, delta 1e-06 for each sample (replace one sample); rho 0.25"));
}

TEST(InspectRun, RefusesWhatIsNoResult) {
  EXPECT_THAT(test::message_of(ErrorCategory::BadData,
                               [] {
                                 static_cast<void>(describe_run("runs/a", {{"nodes", 3}}));
                               }),
              HasSubstr("runs/a/result.json is not a result"));
}

}  // namespace
}  // namespace choir
