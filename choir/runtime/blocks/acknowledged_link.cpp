#include "choir/runtime/blocks/acknowledged_link.h"

#include <algorithm>
#include <utility>

namespace choir {

Message AcknowledgedSender::wrap(Message message, Time now) {
  const std::uint64_t number = next_++;
  message.on(message.channel(), number);
  pending_.emplace(number, Pending{.message = message, .due = now + resend_after_, .wait = resend_after_});
  return message;
}

void AcknowledgedSender::acknowledge(std::uint64_t number) {
  const auto found = pending_.find(number);
  // An answer to something that needs none any more: the neighbour is slow, and was sent copies of what it
  // had yet to read.
  prompt_ = found != pending_.end() && (prompt_ || !found->second.sent_again);
  if (found == pending_.end()) return;
  pending_.erase(found);
  acknowledged_below_ = std::max(acknowledged_below_, number + 1);
}

void AcknowledgedSender::acknowledge_below(std::uint64_t number) {
  while (!pending_.empty() && pending_.begin()->first < number) acknowledge(pending_.begin()->first);
}

std::vector<Message> AcknowledgedSender::overdue(Time now) {
  const int most_times_longer = prompt_ ? 2 : 16;
  std::vector<Message> again;
  for (auto& [number, pending] : pending_) {
    if (!presumed_lost(number)) break;
    if (pending.due > now) continue;
    pending.wait = std::min(2 * pending.wait, most_times_longer * resend_after_);
    pending.due = now + pending.wait;
    pending.sent_again = true;
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

bool AcknowledgedSender::only_control_is_pending() const {
  return std::all_of(pending_.begin(), pending_.end(),
                     [](const auto& entry) { return entry.second.message.kind() == Kind::control; });
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
