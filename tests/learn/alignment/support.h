// What the tests of alignment share: engines, keys that are recognised in bytes, and an auditor of messages.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/expect_error.h"

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing {

using Keys = std::vector<std::string>;

inline Keys patients(Index count) {
  Keys keys;
  for (Index n = 0; n < count; ++n) keys.push_back(fmt::format("patient {:04}", (n * 37) % 1000));
  return keys;
}

// Threads, and a simulated network that delays and loses.
inline std::vector<std::unique_ptr<Engine>> engines() {
  SimOptions faults;
  faults.latency = parse_latency("1ms..9ms");
  faults.loss = 0.2;
  std::vector<std::unique_ptr<Engine>> all;
  all.push_back(std::make_unique<SimEngine>(faults));
  all.push_back(std::make_unique<LocalEngine>(LocalOptions{.threads = 2}));
  return all;
}

inline const Contract alignment_contract{.method = "alignment", .kinds = {Kind::control, Kind::identifiers}};

// Everything that left a node, as it would travel between processes.
class Auditor {
 public:
  RunOptions options() {
    RunOptions run;
    run.audit = [this](NodeId, NodeId, const Message& message) { note(message); };
    return run;
  }
  bool saw(const std::string& text) const { return sent_.find(text) != std::string::npos; }
  bool saw(Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  std::size_t bytes() const { return sent_.size(); }

 private:
  void note(const Message& message) {
    auto buffer = std::make_shared<ByteBuffer>();
    encode(message, *buffer);
    decode(buffer, 0, buffer->size());  // what is not fit for another process throws
    const std::lock_guard lock(mutex_);
    kinds_[static_cast<std::size_t>(message.kind())] = true;
    sent_.append(reinterpret_cast<const char*>(buffer->data()), buffer->size());
  }

  std::mutex mutex_;
  std::string sent_;
  std::array<bool, kind_count> kinds_ = {};
};

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir {

using testing::alignment_contract;
using testing::Auditor;
using testing::expect_error;
using testing::Keys;
using testing::patients;

}  // namespace choir
