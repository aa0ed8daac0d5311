// Whatever a method forgets to leave out is found before anybody sees it.
#include "choir/run/private_result.h"

#include <functional>
#include <utility>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const PrivacyOptions asked{.epsilon = 1.0};
const MethodInfo method{.name = "some-method", .private_facts = {"share"}};
const PrivacyCharge charge{.rho = largest_rho(1, 1e-6)};

Result private_result() {
  PrivacyPlan plan(asked, 10);
  plan.release("sums of features", 2, 0.75);
  plan.release("counts", 1, 0.25);
  Result result;
  result.method = "some-method";
  result.nodes = 10;
  result.eigenvalues = Vector::Ones(2);
  result.facts.set("share", "random-features");
  result.text = "the table";
  result.privacy = report_of(asked, plan);
  result.privacy->left_out = {"captured variance"};
  result.privacy->limitations = {"something of this method"};
  return result;
}

TEST(PrivateResult, SaysWhatItPromisesAndWhatNot) {
  Result result = private_result();
  PrivacyCharge uncounted = charge;
  uncounted.uncounted = "nothing adds up";
  complete_privacy(asked, uncounted, result);
  EXPECT_THAT(result.text,
              HasSubstr("the table\ndifferential privacy: epsilon 1, delta 1e-06 for each sample"));
  EXPECT_THAT(result.text, HasSubstr("sums of features"));
  EXPECT_THAT(result.text, HasSubstr("left out:\n  captured variance"));
  for (const char* words : {"k^2 times", "count as public", "up to 2 of 10 nodes", "nothing adds up",
                            "something of this method"}) {
    EXPECT_THAT(result.privacy->limitations, Contains(HasSubstr(words)));
  }
  EXPECT_NO_THROW(require_private(result, method));
}

TEST(PrivateResult, KeepsThePromiseThatWasAskedForAndCharged) {
  const auto refused = [](const std::function<void(Result&)>& change, const std::string& words) {
    Result result = private_result();
    change(result);
    EXPECT_THAT(test::message_of(ErrorCategory::Internal, [&] { complete_privacy(asked, charge, result); }),
                AllOf(HasSubstr("some-method"), HasSubstr(words)));
  };
  refused([](Result& result) { result.privacy.reset(); }, "does not say what it has released");
  refused([](Result& result) { result.privacy->asked.epsilon = 2; }, "another promise");
  refused([](Result& result) { result.privacy->asked.delta = 1e-5; }, "another promise");
  refused([](Result& result) { result.privacy->releases.clear(); }, "names nothing");
  refused([](Result& result) { result.privacy->releases.front().rho *= 1.01; }, "more than was charged");
}

TEST(PrivateResult, HoldsNoFigureThatWasNotCharged) {
  const std::pair<const char*, std::function<void(Result&)>> leaks[] = {
      {"residual", [](Result& result) { result.residual = 0.1; }},
      {"change", [](Result& result) { result.change = 0.1; }},
      {"consensus_gap", [](Result& result) { result.consensus_gap = {0.1}; }},
      {"between_node_variance", [](Result& result) { result.between_node_variance = 0.1; }},
      {"assessment", [](Result& result) { result.assessment.emplace(); }},
      {"quality", [](Result& result) { result.quality["accuracy"] = Matrix::Ones(1, 1); }},
      {"quality_numbers", [](Result& result) { result.quality_numbers["nmi"] = 1; }},
      {"embedding", [](Result& result) { result.embedding.emplace(); }},
      {"decision", [](Result& result) { result.decision.emplace(); }},
      {"confusion", [](Result& result) { result.confusion.emplace(); }},
      {"metrics", [](Result& result) { result.metrics.emplace_back(); }},
      {"kernel_error", [](Result& result) { result.facts.set("kernel_error", 0.1); }},
      {"numbers", [](Result& result) { result.numbers.emplace_back(); }}};
  for (const auto& [name, leak] : leaks) {
    Result result = private_result();
    EXPECT_NO_THROW(require_private(result, method));
    leak(result);
    EXPECT_THAT(
        test::message_of(ErrorCategory::Internal, [&] { require_private(result, method); }),
        AllOf(HasSubstr("some-method"), HasSubstr(fmt::format("'{}'", name)), HasSubstr("was not charged")));
  }
}

TEST(PrivateContract, SendsNoSamplesAndNoSumsOfOneNode) {
  const auto contract = [](KindSet kinds) { return Contract{.method = "some-method", .kinds = kinds}; };
  EXPECT_NO_THROW(require_private(contract({Kind::masked, Kind::totals, Kind::control})));
  for (const Kind kind :
       {Kind::raw_samples, Kind::centroids, Kind::features, Kind::own_statistics, Kind::identifiers}) {
    EXPECT_THAT(test::message_of(ErrorCategory::Internal,
                                 [&] {
                                   require_private(contract({Kind::masked, kind}));
                                 }),
                AllOf(HasSubstr("some-method"), HasSubstr(std::string(to_string(kind)))));
  }
}

}  // namespace
}  // namespace choir
