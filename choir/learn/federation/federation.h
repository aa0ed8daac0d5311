// A server that asks and devices that answer with sums, over a star. The server sees the total of all answers
// and, with masks, no single answer.
//
//   FederationServer server(node, options);                       // at node options.server
//   co_await server.open();                                       // public keys go round
//   Message question(Kind::coefficients);
//   question.integer(words::lloyd).array(centroids);
//   const Total total = co_await server.ask(question, {.rows = k, .cols = r + 1, .bound = 1});
//   server.tell(statement);                                       // no answer is expected
//   server.close();
//
//   FederationDevice device(node, options, samples);              // everywhere else
//   co_await device.open();
//   for (;;) {
//     const std::optional<Message> question = co_await device.next();
//     if (!question) break;                                       // the server has closed
//     ...
//     device.answer(sums);  or  device.publish(message);  or  device.refuse(code);
//   }
//
// Masked rounds (README.md has the protocol and what it protects against): a device adds to its fixed-point
// answer a mask of its own and one for each of its partners among the devices that were asked (all others, if
// these are no more than 63), which the two of them draw from a key they agreed on (X25519, a stream cipher)
// and which cancel. When the answers are in, the server lists the devices that answered, and most of these
// must sign that list. Then each reveals the seeds of the masks it shares with silent devices, and of its own
// mask, for this round only; the own seed of a device that is lost then comes from shares that the others
// have. A late answer is never usable: its own mask stays unknown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/learn/privacy/noisy_words.h"
#include "choir/linalg/types.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct FederationOptions {
  NodeId server = 0;  // all other nodes are devices
  bool masked = true;
  Index min_devices = 2;  // a total of fewer answers is not asked for: it would show too much
  std::optional<Duration> patience =
      {};  // how long the server waits for an answer; nothing: the run's deadline
};

// What an answer looks like.
struct AnswerShape {
  Index rows = 0;
  Index cols = 0;
  // No entry of a device's answer is larger than this for each of its samples; nothing: unknown, and every
  // device first tells the power of two above its largest entry (kind own_statistics).
  std::optional<double> bound = {};
  // Devices answer under noise of their own, in these words, which have a bound of their own; with masks
  // only.
  std::optional<NoisyWords> noise = {};
  // A total over fewer samples shows too much: it is not unmasked, and the run ends.
  Index least_samples = 0;
  // Goes on with the question before, and is asked of those who answered that: they are to be the same.
  bool same_round = false;
};

struct Total {
  Matrix sum;          // over the devices that answered
  double samples = 0;  // that these have
  std::vector<NodeId> answered = {};
  std::vector<NodeId> silent = {};   // no answer in time, or not asked as it had been silent before
  std::vector<NodeId> refused = {};  // said that they do not answer this
  Index attempts = 1;                // how often answers were asked for
  // No entry of the sum is off by more, from the fixed point, beside its own last place; noise apart.
  double rounding = 0;
};

// What a device published, in the open.
struct Published {
  NodeId device = 0;
  Message message;
};

class FederationServer {
 public:
  FederationServer(Node& node, FederationOptions options);
  ~FederationServer();
  FederationServer(FederationServer&&) noexcept;

  // Learns who is there, how many samples they have in all, and passes the devices' public keys on.
  Task<void> open();
  double samples() const;               // of all devices that opened, N
  std::vector<NodeId> devices() const;  // that are not gone for good, ascending
  // Devices that were silent are asked again after 1, 2, 4, ... questions, or at once if those that
  // answer are too few.
  // Throws Error(PeerLost) if fewer than min_devices answer, or devices with fewer than least_samples.
  Task<Total> ask(Message question, AnswerShape shape);
  // Every device's own message: for what it publishes with its name on it. Ascending; the silent and those
  // who refused are left out.
  Task<std::vector<Published>> collect(Message question);
  // A device that comes later hears it before it is asked anything, and after close(), too.
  void tell(const Message& statement);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class FederationDevice {
 public:
  FederationDevice(Node& node, FederationOptions options, Index samples);
  ~FederationDevice();
  FederationDevice(FederationDevice&&) noexcept;

  Task<void> open();
  // The next question or statement, in the order in which the server sent them; unmasking goes on in here.
  // Nothing: the server has closed. Throws Error(PeerLost) if the server is gone.
  Task<std::optional<Message>> next();
  void answer(const Matrix& value);  // to the last question that ask() put
  // The same under this device's share of the noise, whatever words the question asks for: drawn once, as
  // several attempts with noise of their own would average it out. Throws Error(InvalidArgument) without
  // masks, which a total needs all the same: a share is less noise than one sample takes to hide.
  void answer(const Matrix& value, const NoisyWords& noise);
  void publish(Message message);  // to the last question that collect() put
  void refuse();
  void keep_silent();  // as if the answer were lost: for experiments on drop-out

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace choir
