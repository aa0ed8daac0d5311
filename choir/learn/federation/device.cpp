#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <utility>

#include "choir/base/error.h"
#include "choir/crypto/fingerprint.h"
#include "choir/crypto/random_bits.h"
#include "choir/learn/federation/correspondence.h"
#include "choir/learn/federation/envelope.h"
#include "choir/learn/federation/federation.h"
#include "choir/learn/federation/masks.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/message_codec.h"

namespace choir {
namespace {

Hash fingerprint_of(const Message& content) {
  ByteBuffer bytes;
  encode(content, bytes);
  return fingerprint("federation: question", bytes);
}

}  // namespace

struct FederationDevice::State {
  State(Node& the_node, const FederationOptions& the_options, Index the_samples)
      : node(the_node),
        options(the_options),
        samples(the_samples),
        channel(the_node.open_reliable_channel()) {
    if (options.masked) masks.emplace(node.id());
  }

  Task<void> open();
  Task<std::optional<Message>> next();
  Task<void> hear();
  void heed(Letter letter);
  void give(Matrix value);
  void give_noisy(const Matrix& value, const NoisyWords& noise);
  void give_count(std::uint64_t number, const Envelope& attempt);
  void give_plain(const Matrix& value, std::uint64_t number);
  void give_masked(std::uint64_t number, const Envelope& attempt);
  void hide_and_send(Words words, std::uint64_t number, const Envelope& attempt);
  void give_again(const Letter& attempt);
  void learn(const Message& directory);
  void agree(const Letter& request);
  void unmask(const Letter& request);
  void reveal(std::uint64_t number);
  void give_shares(const Letter& request);
  void require_new(const Message& content) const;
  void send(Message content, Note note, std::uint64_t number);
  // The question that a reply is to, which must have been put like that; it is answered then.
  const Letter& take_question(std::optional<Note> expected);
  void take_question_of(const Matrix& value);  // which must have the shape that was asked for

  Node& node;
  const FederationOptions options;
  const Index samples;
  const Channel channel;
  std::optional<DeviceMasks> masks;

  std::optional<Letter> question;  // the last
  bool replied = true;
  bool unmasked = false;            // the answer to it, in a total
  std::set<Hash> in_totals;         // fingerprints of questions whose answers are
  std::uint64_t proven = 0;         // the last attempt whose survivors were seen to have signed
  std::optional<Matrix> answer;     // to it, for the next attempt
  double limit = 0;                 // no entry of it is larger
  std::optional<Words> noisy;       // the answer instead, under noise
  std::deque<Message> waiting;      // for the program
  std::uint64_t count = 0;          // the number of the last request for one, which may come amid a question
  std::uint64_t count_attempt = 0;  // the last attempt at it
  bool counted = false;
  bool closed = false;
};

Task<void> FederationDevice::State::open() {
  Message hello(Kind::control);
  if (masks) hello.array(Array(signed_record(node.identity(), masks->introduction(), device_key_purpose)));
  send(std::move(hello), Note::hello, 0);
  while (!counted && !closed && waiting.empty()) co_await hear();
}

Task<std::optional<Message>> FederationDevice::State::next() {
  while (!closed && waiting.empty()) co_await hear();
  std::optional<Message> message;
  if (!waiting.empty()) {
    message = std::move(waiting.front());
    waiting.pop_front();
  }
  co_return message;
}

// Waits as long as it takes: how long a server may compute, or wait for others, is not for a device to know.
// If the server crashed the engine finds out.
Task<void> FederationDevice::State::hear() {
  const std::optional<Received> mail = co_await node.receive_from(options.server, channel, Deadline::never());
  if (!mail) {
    fail(ErrorCategory::PeerLost, "node {} waits for the server, node {}, which ended without closing",
         node.id(), options.server);
  }
  heed(opened(mail->message));
}

void FederationDevice::State::heed(Letter letter) {
  switch (letter.envelope.note) {
    case Note::directory:
      return learn(letter.content);
    case Note::count:
      count = letter.number;
      return give_count(letter.number, letter.envelope);
    case Note::question:
    case Note::request:
      require_new(letter.content);
      waiting.push_back(letter.content);
      question = std::move(letter);
      replied = false;
      unmasked = false;
      answer.reset();
      noisy.reset();
      return;
    case Note::statement:
      waiting.push_back(std::move(letter.content));
      return;
    case Note::attempt:
      return give_again(letter);
    case Note::survivors:
      return agree(letter);
    case Note::unmask:
      return unmask(letter);
    case Note::reveal:
      return reveal(letter.number);
    case Note::lost:
      return give_shares(letter);
    case Note::close:
      closed = true;
      return;
    case Note::hello:
    case Note::answer:
    case Note::magnitude:
    case Note::signature:
    case Note::seeds:
    case Note::own_seed:
    case Note::shares:
    case Note::published:
    case Note::refusal:
      break;
  }
  fail(ErrorCategory::BadData,
       "node {} received a device's message from the server; check that all nodes run the same choir",
       node.id());
}

void FederationDevice::State::send(Message content, Note note, std::uint64_t number) {
  const Envelope envelope{.note = note};
  node.send(options.server, sealed(std::move(content), envelope, channel, number));
}

const Letter& FederationDevice::State::take_question(std::optional<Note> expected) {
  if (replied || (expected && question->envelope.note != *expected)) {
    fail(
        ErrorCategory::InvalidArgument,
        "node {} replies to a question that was not asked, was asked in another form, or already has a reply",
        node.id());
  }
  replied = true;
  return *question;
}

void FederationDevice::State::take_question_of(const Matrix& value) {
  const Envelope& asked = take_question(Note::question).envelope;
  if (value.rows() == asked.rows && value.cols() == asked.cols) return;
  fail(ErrorCategory::InvalidArgument, "node {} answers with {} x {} numbers where {} x {} were asked for",
       node.id(), value.rows(), value.cols(), asked.rows, asked.cols);
}

void FederationDevice::State::give(Matrix value) {
  answer = std::move(value);
  const Envelope& asked = question->envelope;
  if (!masks) return give_plain(*answer, question->number);
  if (asked.bound >= 0) {
    limit = asked.bound * static_cast<double>(samples);
    return give_masked(question->number, asked);
  }
  const int power = power_of_two_above(*answer);
  limit = std::ldexp(1.0, power);
  Message message(Kind::own_statistics);
  message.integer(power);
  send(std::move(message), Note::magnitude, question->number);
}

void FederationDevice::State::give_noisy(const Matrix& value, const NoisyWords& noise) {
  if (!masks) {
    fail(ErrorCategory::InvalidArgument,
         "node {} has no masks: the noise of one device alone hides no sample; turn masks on", node.id());
  }
  {
    RandomBits bits;  // not kept while others are waited for
    noisy = noise.of(value, bits);
  }
  give_masked(question->number, question->envelope);
}

// A question with no entries.
void FederationDevice::State::give_count(std::uint64_t number, const Envelope& attempt) {
  if (!masks) {
    counted = true;
    return give_plain(Matrix(0, 0), number);
  }
  count_attempt = number;
  hide_and_send(Words(0, 1), number, attempt);
}

void FederationDevice::State::give_plain(const Matrix& value, std::uint64_t number) {
  Message message(Kind::own_statistics);
  message.number(static_cast<double>(samples)).array(Array(value));
  send(std::move(message), Note::answer, number);
}

void FederationDevice::State::give_masked(std::uint64_t number, const Envelope& attempt) {
  if (noisy) return hide_and_send(*noisy, number, attempt);
  const AnswerFormat format = format_of(attempt);
  Words words(format.words(answer->size()), 1);
  format.encode(*answer, limit, span_of(words));
  hide_and_send(std::move(words), number, attempt);
}

void FederationDevice::State::hide_and_send(Words words, std::uint64_t number, const Envelope& attempt) {
  words.conservativeResize(words.rows() + 1, Eigen::NoChange);
  const std::span<std::int64_t> all = span_of(words);
  all.back() = samples;
  masks->hide(all, number, attempt.devices);
  Message message(Kind::masked);
  message.array(Array(std::move(words)));
  if (deals_shares(options, node)) message.array(Array(masks->dealt()));
  send(std::move(message), Note::answer, number);
}

// An attempt at a question to which there is no answer is none of ours.
void FederationDevice::State::give_again(const Letter& attempt) {
  if (!masks) return;
  const std::uint64_t asked = attempt.envelope.question;
  if (asked == count) return give_count(attempt.number, attempt.envelope);
  if ((answer || noisy) && !unmasked && asked == question->number)
    give_masked(attempt.number, attempt.envelope);
}

// A second total of it, over a few devices more or less, would show what these have.
void FederationDevice::State::require_new(const Message& content) const {
  if (!in_totals.contains(fingerprint_of(content))) return;
  fail(
      ErrorCategory::BadData,
      "node {} was asked again for a total that it has been part of: two totals over different devices would "
      "show what one of them has; nothing was answered",
      node.id());
}

void FederationDevice::State::learn(const Message& directory) {
  if (!masks) return;
  const WordsView table = table_of(directory, key_record + signature_words);
  const SignedRoster roster = SignedRoster::of_some(table, node.identity(), device_key_purpose);
  if (std::ranges::binary_search(roster.nodes(), options.server)) {
    fail(ErrorCategory::BadData,
         "the server, node {}, passes a key on as that of a device; it must not mask among devices",
         options.server);
  }
  masks->learn(roster);
}

void FederationDevice::State::agree(const Letter& request) {
  if (!masks) return;
  const std::optional<Survivors> survivors =
      masks->agree(request.number, request.envelope.devices, options.min_devices);
  if (!survivors) return;
  send(table_message(signed_record(node.identity(), node.id(), *survivors)), Note::signature, request.number);
}

void FederationDevice::State::unmask(const Letter& request) {
  const Survivors* survivors = masks ? masks->agreed(request.number) : nullptr;
  if (!survivors || proven == request.number) return;
  require_signed(table_of(request.content, survivors_record), *survivors, node.identity(),
                 masks->roster_size());
  proven = request.number;
  if (survivors->answered == survivors->asked) return reveal(request.number);
  send(table_message(masks->reveal_shared()), Note::seeds, request.number);
}

// From here on its answer is in a total, and in no other one.
void FederationDevice::State::reveal(std::uint64_t number) {
  if (!masks || proven != number || !masks->agreed(number)) return;
  if (number == count_attempt) {
    counted = true;
  } else {
    unmasked = true;
    in_totals.insert(fingerprint_of(question->content));
  }
  send(table_message(masks->reveal_own()), Note::own_seed, number);
}

void FederationDevice::State::give_shares(const Letter& request) {
  if (!masks) return;
  std::optional<Words> shares = masks->shares_for(request.number, table_of(request.content, key_record));
  if (shares) send(table_message(std::move(*shares)), Note::shares, request.number);
}

FederationDevice::FederationDevice(Node& node, FederationOptions options, Index samples)
    : state_(std::make_unique<State>(node, options, samples)) {}
FederationDevice::~FederationDevice() = default;
FederationDevice::FederationDevice(FederationDevice&&) noexcept = default;

Task<void> FederationDevice::open() { return state_->open(); }
Task<std::optional<Message>> FederationDevice::next() { return state_->next(); }

void FederationDevice::answer(const Matrix& value) {
  state_->take_question_of(value);
  state_->give(value);
}

void FederationDevice::answer(const Matrix& value, const NoisyWords& noise) {
  state_->take_question_of(value);
  state_->give_noisy(value, noise);
}

void FederationDevice::publish(Message message) {
  const std::uint64_t number = state_->take_question(Note::request).number;
  state_->send(std::move(message), Note::published, number);
}

void FederationDevice::refuse() {
  const std::uint64_t number = state_->take_question(std::nullopt).number;
  state_->send(Message(Kind::control), Note::refusal, number);
}

void FederationDevice::keep_silent() { state_->take_question(std::nullopt); }

}  // namespace choir
