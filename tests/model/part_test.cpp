#include "choir/model/part.h"

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

const std::vector<Columns> two_parties = {{0, 2}, {1, 3, 4}};

TEST(Part, SaysOfEitherKindWhatAnAdderNeedsToKnow) {
  const Samples samples = normal_samples(5, 9, 1);
  const Part linear = cut_into_parts(fit_pca(samples, 2), two_parties)[1];
  const auto kernels = cut_into_parts(fit_kpca({.gamma = 0.4}, samples, 2).model, two_parties);
  const Part answers = kernels[0], adds = kernels[1];
  for (const Part& part : {linear, adds}) {
    EXPECT_EQ(features(part), 3);
    EXPECT_EQ(columns_of(part), two_parties[1]);
    EXPECT_EQ(contribution(part, rows_of(samples, two_parties[1])).size(), contribution_size(part, 9));
  }
  EXPECT_TRUE(has_answer(linear));
  EXPECT_TRUE(has_answer(answers));
  EXPECT_FALSE(has_answer(adds));
  EXPECT_FALSE(needs_all_parts(linear));
  EXPECT_TRUE(needs_all_parts(adds));
}

TEST(Part, AnswersIfItCan) {
  const Samples samples = normal_samples(5, 9, 1), fresh = normal_samples(5, 4, 2);
  const auto sum = [&](const auto& parts) {
    return Matrix(contribution(parts[0], rows_of(fresh, two_parties[0])) +
                  contribution(parts[1], rows_of(fresh, two_parties[1])));
  };
  const LinearModel pca = fit_pca(samples, 2);
  const auto linear = cut_into_parts(pca, two_parties);
  const KernelModel kpca = fit_kpca({.kind = KernelKind::cosine}, samples, 2).model;
  const auto kernel = cut_into_parts(kpca, two_parties);
  EXPECT_LT(largest(answer_of(Part(linear[1]), sum(linear)).value().scores - pca.transform(fresh)), 1e-12);
  EXPECT_LT(largest(answer_of(Part(kernel[0]), sum(kernel)).value().errors - kpca.score(fresh)), 1e-12);
  EXPECT_FALSE(answer_of(Part(kernel[1]), sum(kernel)));
}

}  // namespace
}  // namespace choir
