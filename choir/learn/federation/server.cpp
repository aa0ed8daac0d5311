#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/federation/absences.h"
#include "choir/learn/federation/correspondence.h"
#include "choir/learn/federation/federation.h"
#include "choir/learn/federation/masks.h"
#include "choir/learn/federation/totals.h"

namespace choir {
namespace {

enum class Standing : std::uint8_t {
  absent,   // has not said hello yet
  joined,   // has; its samples are not counted yet
  counted,  // is asked
};

void require_sensible(const Node& node, const FederationOptions& options) {
  const auto devices = std::ssize(node.neighbors());
  if (devices != node.network_size() - 1) {
    fail(ErrorCategory::InvalidArgument,
         "the server, node {}, has links to {} of {} devices; a federation needs a star around it", node.id(),
         devices, node.network_size() - 1);
  }
  const Index least = options.masked ? 2 : 1;
  if (devices < least) {
    fail(ErrorCategory::InvalidArgument,
         "there is {} device, and a masked total needs at least 2; use more devices, or turn masks off",
         devices);
  }
  if (options.min_devices < least || options.min_devices > devices) {
    fail(ErrorCategory::InvalidArgument,
         "min_devices, the smallest number of answers in a total, is {}; with {} devices it must be {} to {}",
         options.min_devices, devices, least, devices);
  }
}

}  // namespace

struct FederationServer::State {
  State(Node& node, const FederationOptions& options) : post(node, options) {
    require_sensible(node, options);
    for (const NodeId device : node.neighbors()) standing[device] = Standing::absent;
  }

  Task<void> open();
  Task<Total> ask(Message question, AnswerShape shape);
  Task<std::vector<Published>> collect(Message question);
  void tell(const Message& statement);
  void close();

  // Present ones of that standing, or a better one.
  std::vector<NodeId> at_least(Standing least) const;
  bool has(Standing which) const;
  Task<void> hear_greetings(Deadline deadline);
  Task<void> take_in();
  void learn_directory();
  void tell_all_so_far(const std::vector<NodeId>& devices);
  Task<Total> total_of(Question question);
  std::vector<NodeId> awake(const std::vector<NodeId>& devices, Index least_samples) const;

  Correspondence post;
  std::map<NodeId, Standing> standing;
  Words directory{key_record + signature_words, 0};
  std::vector<Message> statements;  // that everybody has who is not absent
  double samples = 0;
  MaskedGroup group;
  Absences absences;
  Total last;  // who answered and refused
};

std::vector<NodeId> FederationServer::State::at_least(Standing least) const {
  std::vector<NodeId> devices;
  for (const auto& [device, its] : standing) {
    if (its >= least && !post.is_gone(device)) devices.push_back(device);
  }
  return devices;
}

bool FederationServer::State::has(Standing which) const {
  return std::ranges::any_of(
      standing, [&](const auto& entry) { return entry.second == which && !post.is_gone(entry.first); });
}

Task<void> FederationServer::State::hear_greetings(Deadline deadline) {
  const std::vector<NodeId> devices = at_least(Standing::absent);
  for (const NodeId device : devices) {
    if (standing[device] != Standing::absent) continue;
    const std::optional<Letter> hello = co_await post.reply(device, 0, deadline);
    if (!hello) continue;
    standing[device] = Standing::joined;
    tell_all_so_far({device});
    if (!post.options().masked) continue;
    directory.conservativeResize(Eigen::NoChange, directory.cols() + 1);
    directory.rightCols(1) = table_of(hello->content, directory.rows()).leftCols(1);
    directory(0, directory.cols() - 1) = device;  // whatever it calls itself
  }
}

// Passes keys on and counts samples. A count without somebody who was counted before is worth nothing: the
// newcomers wait for the next one.
Task<void> FederationServer::State::take_in() {
  const std::vector<NodeId> before = at_least(Standing::counted);
  Question count = count_question(at_least(Standing::joined));
  if (post.options().masked) {
    const Envelope envelope{.note = Note::directory};
    post.send_to(count.asked, table_message(directory), envelope);
    learn_directory();
  }
  const Total total = co_await total_of(std::move(count));
  if (!std::ranges::includes(total.answered, post.present(before))) co_return;
  for (const NodeId device : total.answered) standing[device] = Standing::counted;
  samples = total.samples;
}

// As every device does: a key that its device has not signed ends the run here, with its name.
void FederationServer::State::learn_directory() {
  const WordsView table(directory.data(), directory.rows(), directory.cols());
  const SignedRoster roster = SignedRoster::of_some(table, post.identity(), device_key_purpose);
  const Words& keys = roster.records();
  group.partners = MaskPartners::from_keys(WordsView(keys.data(), keys.rows(), keys.cols()));
  group.devices = std::ssize(roster.nodes());
}

void FederationServer::State::tell_all_so_far(const std::vector<NodeId>& devices) {
  const Envelope envelope{.note = Note::statement};
  for (const Message& statement : statements) post.send_to(devices, statement, envelope);
}

void FederationServer::State::tell(const Message& statement) {
  const Envelope envelope{.note = Note::statement};
  post.send_to(at_least(Standing::joined), statement, envelope);
  statements.push_back(statement);
}

// Who comes after this finds what was told.
void FederationServer::State::close() {
  tell_all_so_far(without(at_least(Standing::absent), at_least(Standing::joined)));
  const Envelope envelope{.note = Note::close};
  post.send_to(at_least(Standing::absent), Message(Kind::control), envelope);
}

Task<void> FederationServer::State::open() {
  co_await hear_greetings(post.deadline());
  co_await take_in();
}

Task<Total> FederationServer::State::total_of(Question question) {
  if (post.options().masked) {
    Total total = co_await masked_total(post, group, std::move(question));
    co_return total;
  }
  if (question.shape.noise) {
    throw Error(ErrorCategory::InvalidArgument,
                "without masks the server would see answers under the noise of one device, which hides no "
                "sample; turn masks on");
  }
  Total total = co_await plain_total(post, std::move(question));
  group.counts.note(total.answered, total.samples);
  co_return total;
}

// All but those that rest, as long as the others are enough.
std::vector<NodeId> FederationServer::State::awake(const std::vector<NodeId>& devices,
                                                   Index least_samples) const {
  std::vector<NodeId> some = devices;
  std::erase_if(some, [this](NodeId device) { return absences.rests(device); });
  const bool enough = std::ssize(some) >= post.options().min_devices &&
                      group.counts.have(some, static_cast<double>(least_samples));
  return enough ? some : devices;
}

Task<Total> FederationServer::State::ask(Message content, AnswerShape shape) {
  if (!shape.same_round) {
    if (has(Standing::absent)) co_await hear_greetings(post.at_once());
    if (has(Standing::joined)) co_await take_in();
    absences.begin_round();
    last = {};
  }
  const std::vector<NodeId> all = at_least(Standing::counted);
  Question question{.content = std::move(content),
                    .shape = shape,
                    .asked = shape.same_round ? post.present(last.answered) : awake(all, shape.least_samples),
                    .samples = samples};
  const bool some_rest = !shape.same_round && question.asked.size() < all.size();
  Question of_all = question;
  of_all.asked = all;
  Total total;
  bool enough = true;
  try {
    total = co_await total_of(std::move(question));
  } catch (const TooFewAnswers&) {
    if (!some_rest) throw;
    enough = false;  // nothing was unmasked, and those who rested may be back
  }
  if (!enough) total = co_await total_of(std::move(of_all));
  absences.note(total.answered, total.silent);
  std::ranges::copy(last.refused, std::back_inserter(total.refused));
  std::ranges::sort(total.refused);
  total.silent = without(without(all, total.answered), total.refused);
  last = {.sum = {}, .answered = total.answered, .refused = total.refused};
  co_return total;
}

Task<std::vector<Published>> FederationServer::State::collect(Message question) {
  absences.begin_round();
  const std::vector<NodeId> asked = awake(at_least(Standing::counted), 0);
  const Envelope envelope{.note = Note::request, .question = post.begin_request()};
  post.send_to(asked, question, envelope);
  const Replies replies = co_await post.replies(asked);
  const std::vector<NodeId> replied = devices_of(replies);
  absences.note(replied, without(asked, replied));
  std::vector<Published> all;
  for (const auto& [device, letter] : replies) {
    if (letter.envelope.note == Note::published) all.push_back({device, letter.content});
  }
  co_return all;
}

FederationServer::FederationServer(Node& node, FederationOptions options)
    : state_(std::make_unique<State>(node, options)) {}
FederationServer::~FederationServer() = default;
FederationServer::FederationServer(FederationServer&&) noexcept = default;

Task<void> FederationServer::open() { return state_->open(); }
double FederationServer::samples() const { return state_->samples; }
std::vector<NodeId> FederationServer::devices() const { return state_->at_least(Standing::absent); }

Task<Total> FederationServer::ask(Message question, AnswerShape shape) {
  return state_->ask(std::move(question), shape);
}

Task<std::vector<Published>> FederationServer::collect(Message question) {
  return state_->collect(std::move(question));
}

void FederationServer::tell(const Message& statement) { state_->tell(statement); }
void FederationServer::close() { state_->close(); }

}  // namespace choir
