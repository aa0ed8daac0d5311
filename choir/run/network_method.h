// A run of a method whose nodes have shards and talk to each other: what such methods have and do alike. A
// method overrides what it does differently.
//
//   class GossipRun : public NetworkMethod<GossipSettings, gossip_pca::Fit> { ... };
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "choir/run/method.h"
#include "choir/run/network.h"
#include "choir/run/node_findings.h"
#include "choir/run/node_models.h"
#include "choir/run/shards.h"
#include "choir/run/tables/table_shards.h"
#include "choir/run/words.h"

namespace choir {

template <class S, class Fit>
class NetworkMethod : public MethodOf<S> {
 public:
  void check(MethodContext& context) override {
    check_network_settings(settings_, context);
    take_shared_settings(settings_, settings_.method);
  }
  void read(MethodContext& context) override { read_data(context, {}); }
  Graph network(MethodContext& context) override { return make_network(settings_, data_.nodes, context); }

 protected:
  using MethodOf<S>::settings_;

  void read_data(MethodContext& context, Dealing dealing) {
    if constexpr (requires { settings_.method.min_count; }) dealing.min_count = settings_.method.min_count;
    data_ = read_shards(settings_, context, dealing);
    leave_indicators(context, settings_.method);
  }
  // Of the nodes of this process, for a contract.
  auto sizes() const {
    return [this](NodeId node) { return data_.size_of(node); };
  }
  // The fit takes the shards, which the yardsticks need once more.
  std::vector<Samples> take_shards() {
    if (settings_.network.yardsticks) compared_ = data_.shards;
    return std::move(data_.shards);
  }
  RunReport keep(Fit fit) {
    fit_ = std::make_shared<const Fit>(std::move(fit));
    return fit_->report;
  }

  RunData data_;
  std::vector<Samples> compared_;
  std::shared_ptr<const Fit> fit_;
};

}  // namespace choir
