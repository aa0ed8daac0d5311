// Which methods send sums over one node's samples that others see in clear, and why. Everything else that is
// summed is summed under masks.
#include <map>
#include <string>

#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/run/method.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using testing::Named;

// A method that is not here may not declare the kind at all.
const std::map<std::string, std::string> reasons = {
    {"consensus-kpca", "the smallest rank and the largest bound of a node's kernel matrix are no sums"},
    {"federated-kmeans", "plain answers of --aggregation plain, and counts of swaps without a server"},
    {"gossip-pca", "summaries that are halved and merged pairwise, and questions about them"},
    {"oneshot-kpca", "merges of directions along the tree"},
    {"online-kernel", "the largest number of samples and features that any stream begins with"},
};

TEST(ClearSums, AreDeclaredByNoMethodWithoutAReason) {
  for (const MethodInfo* info : all_methods())
    EXPECT_EQ(info->kinds.has(Kind::own_statistics), reasons.contains(info->name)) << info->name;
}

Traffic in_clear(const std::string& method, const Samples& samples, const Named& options) {
  Job job = testing::make_job(method, {samples}, {{"nodes", 4}, {"engine", "sim"}}, options);
  const Result result = choir::Run(std::move(job)).execute();
  const auto found = result.ledger.find(Kind::own_statistics);
  EXPECT_TRUE(result.ledger.contains(Kind::masked)) << method;
  return found == result.ledger.end() ? Traffic() : found->second;
}

TEST(ClearSums, AreSentByNoRunThatAgreesByMaskedSums) {
  const Samples samples = testing::blobs(4, 120);
  for (const Named& options : {Named{{"gamma", "scale"}}, Named{{"gamma", "median"}},
                               Named{{"gamma", 0.1}, {"standardize", "zscore"}}})
    EXPECT_EQ(in_clear("local-kpca", samples, options).messages, 0u);
}

}  // namespace
}  // namespace choir
