#include "choir/learn/oneshot_kpca/at_center.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/oneshot_kpca/claims.h"
#include "choir/learn/oneshot_kpca/factor_message.h"
#include "choir/learn/oneshot_kpca/party.h"
#include "choir/learn/oneshot_kpca/sending_plan.h"
#include "choir/learn/plausibility.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::oneshot_kpca {
namespace {

// All parties' messages at the centre, its own among them, by node; nothing at the others. The one message.
Task<std::vector<Message>> gather_at_center(Node& node, NodeId center, Message mine) {
  const Channel channel = node.open_reliable_channel();
  std::vector<Message> all;
  if (node.id() != center) {
    mine.on(channel, 0);
    node.send(center, std::move(mine));
    co_return all;
  }
  for (NodeId party = 0; party < node.network_size(); ++party) {
    if (party == center) {
      all.push_back(mine);
      continue;
    }
    const std::optional<Received> mail = co_await node.receive_from(party, channel, node.deadline());
    if (!mail) {
      fail(
          ErrorCategory::PeerLost,
          "the centre, node {}, waits for the factor of node {}, which has ended or did not send it in time; "
          "without its features there is no result",
          center, party);
    }
    all.push_back(mail->message);
  }
  co_return all;
}

template <class Factor, class Unpack>
std::vector<Factor> factors_in(const std::vector<Message>& messages, Index samples, const Unpack& unpack) {
  std::vector<Factor> factors;
  for (std::size_t from = 0; from < messages.size(); ++from)
    factors.push_back(unpack(messages[from], samples, static_cast<NodeId>(from)));
  return factors;
}

// estimator = product, eqs. 2 and 3.
Task<void> send_product(Node& node, const Options& options, const KernelFactor& mine, NodeResult& result) {
  note_size(mine.values.size(), options, result);
  Message message = pack(mine, kind_of(result));
  const std::vector<Message> all = co_await gather_at_center(node, options.center, std::move(message));
  if (all.empty()) co_return;
  const auto unpack = [square = largest_square(result.kernel)](const Message& sent, Index samples,
                                                               NodeId from) {
    return unpack_kernel_factor(sent, samples, square, from);
  };
  const auto factors = factors_in<KernelFactor>(all, result.features.columns(), unpack);
  result.answer = answer_from_products(node, factors, options, result);
}

Task<void> send_distances(Node& node, const Options& options, const DistanceFactor& mine,
                          NodeResult& result) {
  note_size(mine.coordinates.cols(), options, result);
  Message message = pack(mine, kind_of(result));
  const std::vector<Message> all = co_await gather_at_center(node, options.center, std::move(message));
  if (all.empty()) co_return;
  const auto factors = factors_in<DistanceFactor>(all, result.features.columns(), unpack_distance_factor);
  const std::uint64_t seed = node.rng(Purpose("oneshot-kpca-gamma"), 0).bits();
  result.answer = answer_from_distances(node, factors, compared_parts(factors), seed, options, result);
}

// The centre chose gamma after it had the factors; a party needs it for its model.
Task<void> tell_gamma(Node& node, NodeId center, NodeResult& result) {
  if (!uses_gamma(result.kernel.kind)) co_return;
  const Channel channel = node.open_reliable_channel();
  if (node.id() == center) {
    for (const NodeId party : node.neighbors()) {
      Message word(Kind::control);
      word.number(result.kernel.gamma).on(channel, 0);
      node.send(party, std::move(word));
    }
    co_return;
  }
  const std::optional<Received> mail = co_await node.receive_from(center, channel, node.deadline());
  if (!mail) {
    fail(ErrorCategory::PeerLost,
         "node {} waits for a message from the centre, node {}, which has ended or is silent", node.id(),
         center);
  }
  result.kernel.gamma = mail->message.number(0);
}

KernelFactor product_of(const Node& node, const Options& options, const NodeResult& result) {
  return kernel_factor(result.kernel, result.features.matrix(), size_for(Estimator::product, node, options));
}

// Both factors are made, what they would cost is added up over the parties, and one of them is sent.
Task<void> send_the_cheaper(Node& node, const Options& options, NodeResult& result) {
  const Stopwatch clock;
  const KernelFactor product = product_of(node, options, result);
  const DistanceFactor distances =
      distance_factor(result.features.matrix(),
                      size_like_product(result.kernel.gamma, node, options, result.features.columns()));
  result.local_seconds = clock.seconds();
  Matrix need = packed(need_of(product, distances, result.kernel.gamma, result.features.rows()));
  const Matrix sum = co_await secure_sum(node, std::move(need));
  const SendingNeed all = unpacked_need(sum);
  result.estimator = options.local_components ? better_estimator(all) : cheaper_estimator(all);
  if (result.estimator == Estimator::product) {
    co_await send_product(node, options, product, result);
  } else {
    co_await send_distances(node, options, distances, result);
  }
}

}  // namespace

Task<double> gamma_of_parties(Node& node, GammaSpec spec, NodeResult& result) {
  if (spec.rule == GammaRule::number) co_return spec.value;
  const SamplesMap features = result.features.matrix();
  const auto samples = static_cast<double>(features.cols());
  if (spec.rule == GammaRule::scale) {
    Moments mine = entry_moments(features);
    const Moments entries = co_await agreed_moments(node, std::move(mine));
    const double gamma = gamma_scale(static_cast<Index>(std::llround(entries.count / samples)), entries);
    co_return gamma;
  }
  result.notes.emplace_back(median_stand_in_note);
  Matrix variance(1, 1);
  variance(0, 0) = feature_moments(features).variance().sum();
  const Matrix total = co_await secure_sum(node, std::move(variance));
  if (!(total(0, 0) > 0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "the data do not vary, so gamma cannot be computed from them; give gamma as a number");
  }
  co_return 1 / (4 * total(0, 0));
}

Task<void> fuse_at_center(Node& node, Options options, NodeResult& result) {
  result.estimator = decided_estimator(options);
  const bool knows_gamma_first =
      uses_gamma(result.kernel.kind) && result.estimator != Estimator::distances;  // the product needs it
  if (knows_gamma_first) {
    result.kernel.gamma = co_await gamma_of_parties(node, options.gamma, result);
    options.gamma = {.rule = GammaRule::number, .value = result.kernel.gamma};
  }
  if (result.estimator == Estimator::automatic) {
    co_await send_the_cheaper(node, options, result);
    co_return;
  }
  const Stopwatch clock;
  if (result.estimator == Estimator::product) {
    const KernelFactor mine = product_of(node, options, result);
    result.local_seconds = clock.seconds();
    co_await send_product(node, options, mine, result);
    co_return;
  }
  const DistanceFactor mine =
      distance_factor(result.features.matrix(), size_for(Estimator::distances, node, options));
  result.local_seconds = clock.seconds();
  co_await send_distances(node, options, mine, result);
  co_await tell_gamma(node, options.center, result);
}

}  // namespace choir::oneshot_kpca
