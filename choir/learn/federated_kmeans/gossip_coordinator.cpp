#include <utility>

#include "choir/learn/federated_kmeans/coordinator.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::federated_kmeans {
namespace {

constexpr double agreement = 1e-9;  // how far apart averages may be, relative to the largest entry
constexpr Index rounds_of_estimate = 20;

// Every node asks itself and averages its answer with its neighbours': the mean times J is the sum.
class GossipCoordinator final : public Coordinator {
 public:
  GossipCoordinator(Node& node, Worker& own, const Options& options)
      : node_(node), own_(own), options_(options) {}

  Task<void> open() override {
    if (options_.messages_per_node == 0) mixing_ = co_await estimate_mixing(node_, rounds_of_estimate);
    const Matrix mine = Matrix::Constant(1, 1, static_cast<double>(own_.samples()));
    const Matrix total = co_await tree_sum(node_, node_.tree(), mine, Kind::control);
    samples_ = total(0, 0);
  }

  Task<Total> sum(Message question, AnswerShape shape) override {
    const bool silent = own_.refuses_sums() || own_.is_absent(question);
    Matrix answer = Matrix::Zero(shape.rows + 1, shape.cols);  // and below it, the samples behind it
    if (!silent) {
      answer.topRows(shape.rows) = own_.sums(question);
      answer(shape.rows, 0) = static_cast<double>(own_.samples());
    }
    const Matrix mean = co_await mean_over_nodes(std::move(answer));
    const Matrix sum = static_cast<double>(devices()) * mean;
    Total total{.sum = sum.topRows(shape.rows), .samples = sum(shape.rows, 0)};
    co_return total;
  }

  Task<CountedCentroids> collect(Message request, Index length) override {
    const bool silent = word_of(request) == Word::draw && own_.refuses_sums();
    const Message mine = silent ? nothing_like(request, length) : own_.publication_for(request);
    const Combine combine = [this, length](const Message& a, const Message& b) {
      const CountedCentroids both =
          beside(published_in(a, node_.id(), length), published_in(b, node_.id(), length));
      return publication(both, a.kind());
    };
    const Message all = co_await tree_fold(node_, node_.tree(), mine, combine);
    co_return published_in(all, node_.id(), length);
  }

  Task<Matrix> settle(Matrix mine, Kind kind) override {
    Message message(kind);
    message.array(std::move(mine));
    const Message decided = co_await broadcast(node_, node_.tree(), message);
    co_return Matrix(decided.array(0).matrix());
  }

  void tell(const Message& statement) override { own_.hear(statement); }
  void close() override {}
  double samples() const override { return samples_; }
  Index devices() const override { return node_.network_size(); }
  const Worker& listener() const override { return own_; }

 private:
  Message nothing_like(const Message& request, Index length) const {
    return publication({.points = Matrix(length, 0), .counts = Vector(0)}, request.kind());
  }

  Task<Matrix> mean_over_nodes(Matrix mine) {
    if (options_.messages_per_node > 0) {
      GossipOptions options;
      options.messages = options_.messages_per_node;
      options.more_follows = true;
      const Gossiped gossiped = co_await gossip_average(node_, std::move(mine), options);
      co_return Matrix(gossiped.sum / gossiped.weight);
    }
    AverageOptions options;
    options.tol = agreement;
    options.mixing = mixing_;
    const Average averaged = co_await average(node_, std::move(mine), options);
    co_return averaged.mean;
  }

  Node& node_;
  Worker& own_;
  const Options options_;
  std::optional<double> mixing_;
  double samples_ = 0;
};

}  // namespace

std::unique_ptr<Coordinator> gossip_coordinator(Node& node, Worker& own, const Options& options) {
  return std::make_unique<GossipCoordinator>(node, own, options);
}

}  // namespace choir::federated_kmeans
