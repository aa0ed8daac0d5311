#include "choir/runtime/blocks/acknowledged_link.h"

#include <algorithm>
#include <utility>

namespace choir {

Message AcknowledgedSender::wrap(Message message, Time now) {
  const std::uint64_t number = next_++;
  message.on(message.channel(), number);
  pending_.emplace(number, Pending{message, now + resend_after_, resend_after_});
  return message;
}

void AcknowledgedSender::acknowledge(std::uint64_t number) {
  if (pending_.erase(number) > 0) acknowledged_below_ = std::max(acknowledged_below_, number + 1);
}

void AcknowledgedSender::acknowledge_below(std::uint64_t number) {
  while (!pending_.empty() && pending_.begin()->first < number) acknowledge(pending_.begin()->first);
}

std::vector<Message> AcknowledgedSender::overdue(Time now) {
  constexpr int most_times_longer = 16;
  std::vector<Message> again;
  for (auto& [number, pending] : pending_) {
    if (!presumed_lost(number)) break;
    if (pending.due > now) continue;
    pending.wait = std::min(2 * pending.wait, most_times_longer * resend_after_);
    pending.due = now + pending.wait;
    again.push_back(pending.message);
  }
  return again;
}

Time AcknowledgedSender::next_due() const {
  Time next = Time::max();
  for (const auto& [number, pending] : pending_) {
    if (!presumed_lost(number)) break;
    next = std::min(next, pending.due);
  }
  return next;
}

std::vector<Message> AcknowledgedSender::abandon() {
  std::vector<Message> abandoned;
  for (auto& [number, pending] : pending_) abandoned.push_back(std::move(pending.message));
  if (!pending_.empty()) void_below_ = next_;
  pending_.clear();
  return abandoned;
}

bool AcknowledgedReceiver::is_new(std::uint64_t number) {
  if (number < all_below_ || !above_.insert(number).second) return false;
  close_gaps();
  return true;
}

void AcknowledgedReceiver::skip_below(std::uint64_t number) {
  if (number <= all_below_) return;
  all_below_ = number;
  above_.erase(above_.begin(), above_.lower_bound(number));
  close_gaps();
}

void AcknowledgedReceiver::close_gaps() {
  while (!above_.empty() && *above_.begin() == all_below_) {
    above_.erase(above_.begin());
    ++all_below_;
  }
}

}  // namespace choir
