// What several tests of the runtime share: a contract, a host that only writes down what nodes ask of it, and
// counters of living objects.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/expect_error.h"

#include "choir/graph/regular.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/host.h"

namespace choir::testing {

inline Contract test_contract(KindSet kinds = {Kind::own_statistics}) {
  Contract contract;
  contract.method = "test";
  contract.kinds = kinds;
  return contract;
}

inline Contract raw_contract() {
  Contract contract = test_contract();
  contract.links = Links::raw;
  return contract;
}

inline Message number_message(double value, Kind kind = Kind::own_statistics) {
  Message message(kind);
  message.number(value);
  return message;
}

inline Message message_on(Channel channel, double value) {
  Message message = number_message(value);
  message.on(channel, 0);
  return message;
}

// Every node sends its value for some rounds and keeps the sum of what it got.
inline Task<double> sum_of_rounds(Node& node, double value, int rounds) {
  double sum = value;
  for (int round = 0; round < rounds; ++round) {
    const Inbox inbox = co_await node.exchange(number_message(sum), node.deadline());
    for (const Received& received : inbox) sum += received.message.number(0) / (2 + received.from);
  }
  co_return sum;
}

// Delivers nothing by itself; a test moves what was posted where it likes.
class RecordingHost : public Host {
 public:
  Time now(NodeId) const override { return time; }
  void post(const Link& link, Message message) override { messages.emplace_back(link, std::move(message)); }
  void post(const Link& link, const Goodbye& goodbye) override { goodbyes.emplace_back(link, goodbye); }

  Time time{};
  std::vector<std::pair<Link, Message>> messages;
  std::vector<std::pair<Link, Goodbye>> goodbyes;
};

// Says in a log when it is destroyed.
class Witness {
 public:
  Witness(std::vector<std::string>& log, std::string name) : log_(&log), name_(std::move(name)) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { log_->push_back(name_); }

 private:
  std::vector<std::string>* log_;
  std::string name_;
};

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir {

using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_on;
using testing::number_message;
using testing::raw_contract;
using testing::RecordingHost;
using testing::sum_of_rounds;
using testing::test_contract;
using testing::Witness;

}  // namespace choir
