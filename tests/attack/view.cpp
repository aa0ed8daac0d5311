#include "attack/view.h"

#include <memory>

#include "choir/runtime/message_codec.h"

namespace choir::testing_attack {

RunOptions View::of(RunOptions run) {
  run.audit = [this](NodeId from, NodeId to, const Message& message) { see(from, to, message); };
  return run;
}

void View::see(NodeId from, NodeId to, const Message& message) {
  if (!curious_.contains(to)) return;
  const auto bytes = std::make_shared<ByteBuffer>();
  encode(message, *bytes);
  const Message arrived = decode(bytes, 0, bytes->size());
  const std::lock_guard lock(mutex_);
  sights_.push_back({from, to, arrived});
}

std::vector<Sight> View::sights(Kind kind) const {
  std::vector<Sight> some;
  for (const Sight& sight : sights_) {
    if (sight.message.kind() == kind) some.push_back(sight);
  }
  return some;
}

std::vector<Sight> View::sights(Kind kind, NodeId from) const {
  std::vector<Sight> some = sights(kind);
  std::erase_if(some, [&](const Sight& sight) { return sight.from != from; });
  return some;
}

Index recovered(const Samples& truth, const Samples& guesses, double tolerance) {
  Index found = 0;
  for (const auto& sample : truth.colwise()) {
    bool near = false;
    for (Index n = 0; n < guesses.cols() && !near; ++n) {
      near = (guesses.col(n) - sample).cwiseAbs().maxCoeff() < tolerance;
    }
    found += near ? 1 : 0;
  }
  return found;
}

}  // namespace choir::testing_attack
