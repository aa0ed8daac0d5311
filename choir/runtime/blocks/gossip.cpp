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
    fail(ErrorCategory::InvalidArgument, "gossip cannot send {} messages a node; it is 0 or more",
         options.messages);
  }
}

}  // namespace

Task<Gossiped> gossip_average(Node& node, Matrix value, GossipOptions options) {
  validate(options);
  const Channel channel = node.open_channel();
  Gossiper gossiper(node, std::move(value), options, channel);
  while (!gossiper.may_leave()) {
    const std::optional<Received> mail = co_await node.receive(channel, Deadline::at(gossiper.next_event()));
    if (mail) gossiper.handle(*mail);
    gossiper.advance(!mail);
  }
  co_return gossiper.result();
}

}  // namespace choir
