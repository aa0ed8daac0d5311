#include <utility>

#include "choir/learn/oneshot_kpca/at_center.h"
#include "choir/learn/oneshot_kpca/everywhere.h"
#include "choir/learn/oneshot_kpca/fused_kernel.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

Task<NodeResult> node_program(Node& node, Shard shard, SampleOrder order, Options options) {
  NodeResult result;
  result.node = node.id();
  if (options.match_keys) {
    Samples ordered = std::move(shard).take();
    result.left_out = co_await restore_order(node, ordered, order, options.max_keys);
    shard = Shard(std::move(ordered));
  }
  co_await require_same_order(node, std::move(order));
  result.preprocessing = options.preprocessing;
  if (options.preprocessing.standardize == Standardize::zscore) {  // a party has all there is of its features
    result.preprocessing = fit_zscore(options.preprocessing, feature_moments(shard.samples()));
  }
  shard.preprocess(result.preprocessing);
  result.features = std::move(shard).share();
  result.kernel = options.kernel;
  result.centred_by_parties = centred_by_parties(options.kernel);
  if (options.fusion == Fusion::center) {
    co_await fuse_at_center(node, std::move(options), result);
  } else {
    co_await fuse_everywhere(node, std::move(options), result);
  }
  co_return result;
}

}  // namespace choir::oneshot_kpca
