#include "choir/runtime/blocks/gossip.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/gossiper.h"

namespace choir {
namespace {

void require_positive(Duration duration, const char* what) {
  if (duration > Duration::zero()) return;
  fail(ErrorCategory::InvalidArgument, "gossip's {} is {} ns; it must be positive", what, duration.count());
}

void validate(const GossipOptions& options) {
  require_positive(options.mean_interval, "mean_interval");
  require_positive(options.resend_after, "resend_after");
  require_positive(options.give_up_after, "give_up_after");
  require_positive(options.linger, "linger");
  if (options.messages < 0) {
    fail(ErrorCategory::InvalidArgument,
         "gossip cannot send {} messages per node; the number must be 0 or more", options.messages);
  }
}

class SumAndWeight final : public GossipValue {
 public:
  SumAndWeight(Matrix sum, Kind kind) : sum_(std::move(sum)), kind_(kind) {}

  Message give(double share) override {
    Message message(kind_);
    message.number(weight_ * share).array(Array(Matrix(sum_ * share)));
    sum_ *= 1 - share;
    weight_ *= 1 - share;
    return message;
  }

  void take(NodeId from, const Message& share) override {
    const auto sum = share.array(0).matrix();
    if (sum.rows() != sum_.rows() || sum.cols() != sum_.cols()) {
      fail(ErrorCategory::BadData, "node {} sent {} x {} values to a node that has {} x {}", from, sum.rows(),
           sum.cols(), sum_.rows(), sum_.cols());
    }
    sum_ += sum;
    weight_ += share.number(0);
  }

  const Matrix& sum() const { return sum_; }
  double weight() const { return weight_; }

 private:
  Matrix sum_;
  double weight_ = 1;
  Kind kind_;
};

}  // namespace

Task<Gossiped> gossip_average(Node& node, Matrix value, GossipOptions options) {
  SumAndWeight mine(std::move(value), options.kind);
  const GossipCounts counts = co_await gossip(node, mine, options);
  Gossiped result;
  static_cast<GossipCounts&>(result) = counts;
  result.sum = mine.sum();
  result.weight = mine.weight();
  co_return result;
}

Task<GossipCounts> gossip(Node& node, GossipValue& value, GossipOptions options) {
  validate(options);
  if (options.only_to) node.position_of(*options.only_to);
  const Channel channel = node.open_channel();
  Gossiper gossiper(node, value, options, channel);
  while (!gossiper.may_leave()) {
    const std::optional<Received> mail = co_await node.receive(channel, Deadline::at(gossiper.next_event()));
    if (mail) gossiper.handle(*mail);
    gossiper.advance(!mail);
  }
  co_return gossiper.counts();
}

}  // namespace choir
