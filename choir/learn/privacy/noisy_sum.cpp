#include "choir/learn/privacy/noisy_sum.h"

#include <utility>

#include "choir/crypto/random_bits.h"
#include "choir/learn/privacy/noisy_words.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

Task<std::optional<Matrix>> noisy_sum_at_root(Node& node, SecureSums& sums, Matrix mine, Release release,
                                              const PrivacyPlan& plan) {
  const NoisyWords how(release, plan.share_of_variance(), mine.size());
  Words words;
  {
    RandomBits bits;  // not kept while others are waited for
    words = how.of(mine, bits);
  }
  const std::optional<Words> total = co_await secure_words_at_root(node, sums, std::move(words));
  if (!total) co_return std::nullopt;
  co_return how.total(WordsView(total->data(), total->rows(), total->cols()), mine.rows(), mine.cols());
}

Task<Matrix> noisy_sum(Node& node, SecureSums& sums, Matrix mine, Release release, const PrivacyPlan& plan) {
  const std::optional<Matrix> total =
      co_await noisy_sum_at_root(node, sums, std::move(mine), std::move(release), plan);
  Message told(Kind::totals);
  if (total) told.array(*total);
  const Message agreed = co_await broadcast(node, node.tree(), told);
  co_return agreed.array(0).matrix();
}

}  // namespace choir
