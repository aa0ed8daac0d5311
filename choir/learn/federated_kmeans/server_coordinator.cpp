#include <utility>

#include "choir/learn/federated_kmeans/coordinator.h"

namespace choir::federated_kmeans {
namespace {

class ServerCoordinator final : public Coordinator {
 public:
  ServerCoordinator(Node& node, const Options& options, const Circumstances& circumstances)
      : server_(node, federation_options(options, node.id())),
        listener_(node.id(), Shard(Samples(circumstances.features, 0)), options, circumstances) {}

  Task<void> open() override { co_await server_.open(); }

  Task<Total> sum(Message question, AnswerShape shape) override {
    Total total = co_await server_.ask(question, shape);
    co_return total;
  }

  Task<CountedCentroids> collect(Message request, Index length) override {
    const std::vector<Published> all = co_await server_.collect(request);
    CountedCentroids together{.points = Matrix(length, 0), .counts = Vector(0)};
    for (const Published& one : all) {
      together = beside(together, published_in(one.message, one.device, length));
    }
    co_return together;
  }

  Task<Matrix> settle(Matrix mine, Kind) override { co_return mine; }

  void tell(const Message& statement) override {
    server_.tell(statement);
    listener_.hear(statement);
  }

  void close() override { server_.close(); }
  double samples() const override { return server_.samples(); }
  Index devices() const override { return static_cast<Index>(server_.devices().size()); }
  const Worker& listener() const override { return listener_; }

 private:
  FederationServer server_;
  Worker listener_;
};

}  // namespace

FederationOptions federation_options(const Options& options, NodeId server) {
  return {.server = server,
          .masked = uses_masks(options),
          .min_devices = options.privacy.wanted() ? server : options.min_devices,
          .patience = options.patience};
}

std::unique_ptr<Coordinator> server_coordinator(Node& node, const Options& options,
                                                const Circumstances& circumstances) {
  return std::make_unique<ServerCoordinator>(node, options, circumstances);
}

}  // namespace choir::federated_kmeans
