#include "choir/learn/federation/totals.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/federation/masks.h"
#include "choir/learn/federation/survivors.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"

namespace choir {
namespace {

// Takes out who refused, and remembers it.
Replies without_refusals(Replies replies, Total& total) {
  std::erase_if(replies, [&total](const auto& entry) {
    const bool refused = entry.second.envelope.note == Note::refusal;
    if (refused) total.refused.push_back(entry.first);
    return refused;
  });
  return replies;
}

void require_note(const Replies& replies, Note note) {
  for (const auto& [device, letter] : replies) {
    if (letter.envelope.note == note) continue;
    fail(ErrorCategory::BadData, "node {} sent the server something other than what it was asked for",
         device);
  }
}

std::string named(const std::vector<NodeId>& devices) {
  return devices.empty() ? "none" : fmt::format("nodes {}", fmt::join(devices, ", "));
}

std::string who_is_missing(const Question& question, const Total& total,
                           const std::vector<NodeId>& answered) {
  const std::vector<NodeId> silent = without(without(question.asked, answered), total.refused);
  return fmt::format("silent: {}; refused: {}", named(silent), named(total.refused));
}

void require_enough(const Correspondence& post, const Question& question, const Total& total,
                    const std::vector<NodeId>& answered) {
  if (std::ssize(answered) >= post.options().min_devices) return;
  throw TooFewAnswers(fmt::format(
      "{} of {} devices answered, and a total of fewer than {} reveals too much; {}", answered.size(),
      question.asked.size(), post.options().min_devices, who_is_missing(question, total, answered)));
}

// Of so many the others could not be told something else.
void require_quorum(const Question& question, const Total& total, const std::vector<NodeId>& asked,
                    const std::vector<NodeId>& answered, Index devices) {
  const Index least = quorum(std::ssize(asked), devices);
  if (std::ssize(answered) >= least) return;
  throw TooFewAnswers(
      fmt::format("{} of {} devices answered, and {} must agree on whose answers are in a total before any "
                  "device unmasks it; nothing was unmasked; {}",
                  answered.size(), asked.size(), least, who_is_missing(question, total, answered)));
}

void require_samples(const Question& question, const Total& total, const std::vector<NodeId>& answered,
                     double samples) {
  if (samples >= static_cast<double>(question.shape.least_samples)) return;
  throw TooFewAnswers(
      fmt::format("{} of {} devices are left, with {} samples, and a total over fewer than {} samples can be "
                  "solved for them; {}",
                  answered.size(), question.asked.size(), samples, question.shape.least_samples,
                  who_is_missing(question, total, answered)));
}

void note_who_answered(const Question& question, std::vector<NodeId> answered, Total& total) {
  total.silent = without(without(question.asked, answered), total.refused);
  total.answered = std::move(answered);
}

[[noreturn]] void wrong_shape(NodeId device) {
  fail(ErrorCategory::BadData, "node {} sent an answer of another shape than the question asks for", device);
}

// The only one that a device sent.
Words record_in(const Letter& letter, Index rows, NodeId device) {
  const WordsView table = table_of(letter.content, rows);
  if (table.cols() != 1) wrong_shape(device);
  return table;
}

Envelope envelope_of(const Question& question, std::uint64_t number) {
  return {.note = question.note,
          .question = number,
          .rows = question.shape.rows,
          .cols = question.shape.cols,
          .bound = question.shape.bound.value_or(-1)};
}

class MaskedQuestion {
 public:
  MaskedQuestion(Correspondence& post, MaskedGroup& group, Question question)
      : post_(post), group_(group), question_(std::move(question)), asked_(question_.asked) {
    if (question_.shape.noise) question_.shape.bound = 0;  // its words have a bound of their own
  }

  Task<Total> total();

 private:
  Task<void> put();
  Task<void> hear_magnitudes();
  void ask_again();
  bool have_enough_samples(const std::vector<NodeId>& devices) const;
  // Of whom the next attempt will ask, unless that is known.
  Task<void> count_samples();
  // Whether it came to a total.
  Task<bool> attempt();
  Index words_of_an_answer() const;  // but the number of samples
  Matrix decoded(Words& sum) const;
  Words sum_of(const Replies& answers) const;
  static Words beside_each_other(const Replies& signatures);
  std::vector<NodeId> silent_partners_of(NodeId device, const std::vector<NodeId>& silent) const;
  Task<std::map<NodeId, Words>> own_seeds(const Replies& answers);
  static Words sealed_for(NodeId holder, const std::vector<NodeId>& lost, const Replies& answers);
  Words from_shares(NodeId lost, const Replies& replies) const;
  void finish(Words sum, const std::map<NodeId, Words>& own, const std::map<NodeId, Words>& shared);

  Correspondence& post_;
  MaskedGroup& group_;
  Question question_;
  Envelope envelope_;
  std::vector<NodeId> asked_;  // in this attempt
  Total total_;
};

Task<Total> MaskedQuestion::total() {
  co_await put();
  bool done = co_await attempt();
  while (!done) {
    co_await count_samples();
    ++total_.attempts;
    ask_again();
    done = co_await attempt();
  }
  group_.counts.note(total_.answered, total_.samples);
  co_return std::move(total_);
}

Task<void> MaskedQuestion::put() {
  envelope_ = envelope_of(question_, post_.begin_request());
  envelope_.devices = asked_;
  const std::optional<double> bound = question_.shape.bound;
  if (bound) envelope_.exponent = FixedPoint::for_sums_up_to(*bound * question_.samples).exponent();
  post_.send_to(asked_, question_.content, envelope_);
  if (!bound) co_await hear_magnitudes();
}

Task<void> MaskedQuestion::hear_magnitudes() {
  Replies replies = co_await post_.replies(asked_);
  replies = without_refusals(std::move(replies), total_);
  require_note(replies, Note::magnitude);
  asked_ = devices_of(replies);
  require_enough(post_, question_, total_, asked_);
  double limit = 0;
  for (const auto& [device, letter] : replies) {
    limit += std::ldexp(1.0, static_cast<int>(letter.content.integer(0)));
  }
  envelope_.exponent = FixedPoint::for_sums_up_to(limit).exponent();
  co_await count_samples();
  ask_again();
}

bool MaskedQuestion::have_enough_samples(const std::vector<NodeId>& devices) const {
  return group_.counts.have(devices, static_cast<double>(question_.shape.least_samples));
}

Task<void> MaskedQuestion::count_samples() {
  if (have_enough_samples(asked_)) co_return;
  const Total count = co_await masked_total(post_, group_, count_question(asked_));
  asked_ = count.answered;
  require_samples(question_, total_, asked_, count.samples);
}

void MaskedQuestion::ask_again() {
  post_.begin_request();
  envelope_.note = Note::attempt;
  envelope_.devices = asked_;
  post_.send_to(asked_, Message(Kind::control), envelope_);
}

Task<bool> MaskedQuestion::attempt() {
  Replies answers = co_await post_.replies(asked_);
  answers = without_refusals(std::move(answers), total_);
  require_note(answers, Note::answer);
  const std::vector<NodeId> answered = devices_of(answers);
  require_enough(post_, question_, total_, answered);
  if (!have_enough_samples(answered)) {
    asked_ = answered;  // and these answers stay masked: counting takes an attempt of its own
    co_return false;
  }
  require_quorum(question_, total_, asked_, answered, group_.devices);
  Words sum = sum_of(answers);
  const Envelope survivors{.note = Note::survivors, .devices = answered};
  post_.send_to(answered, Message(Kind::control), survivors);
  const Replies signatures = co_await post_.replies(answered);
  require_note(signatures, Note::signature);
  if (signatures.size() < answered.size()) {
    asked_ = devices_of(signatures);  // nothing has been unmasked yet
    require_enough(post_, question_, total_, asked_);
    co_return false;
  }
  const Envelope unmask{.note = Note::unmask};
  post_.send_to(answered, table_message(beside_each_other(signatures)), unmask);
  std::map<NodeId, Words> shared;
  if (answered.size() < asked_.size()) {
    const Replies seeds = co_await post_.replies(answered);
    require_note(seeds, Note::seeds);
    if (seeds.size() < answered.size()) {
      asked_ = devices_of(seeds);  // every answer is still under its device's own mask
      require_enough(post_, question_, total_, asked_);
      co_return false;
    }
    for (const auto& [device, letter] : seeds) shared.emplace(device, table_of(letter.content, key_record));
    const Envelope reveal{.note = Note::reveal};
    post_.send_to(answered, Message(Kind::control), reveal);
  }
  std::map<NodeId, Words> own = co_await own_seeds(answers);
  finish(std::move(sum), own, shared);
  co_return true;
}

// Once one is revealed there is no other attempt: what is missing comes from shares, or there is no total.
Task<std::map<NodeId, Words>> MaskedQuestion::own_seeds(const Replies& answers) {
  const std::vector<NodeId> answered = devices_of(answers);
  const Replies replies = co_await post_.replies(answered);
  require_note(replies, Note::own_seed);
  std::map<NodeId, Words> own;
  for (const auto& [device, letter] : replies) own.emplace(device, record_in(letter, key_record, device));
  const std::vector<NodeId> lost = without(answered, devices_of(replies));
  if (lost.empty()) co_return own;
  const std::vector<NodeId> holders = devices_of(replies);
  for (const NodeId holder : holders) {
    const Envelope envelope{.note = Note::lost};
    post_.send_to({holder}, table_message(sealed_for(holder, lost, answers)), envelope);
  }
  const Replies shares = co_await post_.replies(holders);
  require_note(shares, Note::shares);
  for (const NodeId device : lost) own.emplace(device, from_shares(device, shares));
  co_return own;
}

// What lost devices dealt to one.
Words MaskedQuestion::sealed_for(NodeId holder, const std::vector<NodeId>& lost, const Replies& answers) {
  Words sealed(key_record, 0);
  for (const NodeId device : lost) {
    const Message& answer = answers.at(device).content;
    if (answer.arrays().size() < 2) continue;
    const WordsView dealt = answer.array(1).integers();
    if (dealt.rows() != key_record) wrong_shape(device);
    for (Index i = 0; i < dealt.cols(); ++i) {
      if (dealt(0, i) != holder) continue;
      sealed.conservativeResize(Eigen::NoChange, sealed.cols() + 1);
      sealed.rightCols(1) = dealt.col(i);
      sealed(0, sealed.cols() - 1) = device;
    }
  }
  return sealed;
}

Words MaskedQuestion::from_shares(NodeId lost, const Replies& replies) const {
  std::map<NodeId, Words> shares;
  for (const auto& [holder, letter] : replies) {
    const WordsView table = table_of(letter.content, key_record);
    for (Index i = 0; i < table.cols(); ++i)
      if (table(0, i) == lost) shares.emplace(holder, table.col(i));
  }
  const std::vector<NodeId> partners = group_.partners.of(lost, asked_);
  const std::optional<Index> threshold =
      share_threshold(std::ssize(partners), std::ssize(asked_), group_.devices);
  if (!threshold || std::ssize(shares) < *threshold) {
    fail(ErrorCategory::PeerLost,
         "device {} was lost while a total with its answer was unmasked, and {} of the {} shares that would "
         "replace it came; there is no total, and it is not asked for again: run again with the devices that "
         "are left",
         lost, shares.size(), threshold.value_or(std::ssize(partners) + 1));
  }
  return seed_from_shares(lost, partners, shares, *threshold);
}

Words MaskedQuestion::beside_each_other(const Replies& signatures) {
  Words table(survivors_record, std::ssize(signatures));
  Index column = 0;
  for (const auto& [device, letter] : signatures) {
    table.col(column) = record_in(letter, survivors_record, device);
    table(0, column++) = device;  // whatever it calls itself
  }
  return table;
}

Index MaskedQuestion::words_of_an_answer() const {
  const Index entries = question_.shape.rows * question_.shape.cols;
  return question_.shape.noise ? entries : format_of(envelope_).words(entries);
}

Matrix MaskedQuestion::decoded(Words& sum) const {
  const AnswerShape& shape = question_.shape;
  if (!shape.noise) return format_of(envelope_).decode(span_of(sum), shape.rows, shape.cols);
  return shape.noise->total(WordsView(sum.data(), words_of_an_answer(), 1), shape.rows, shape.cols);
}

Words MaskedQuestion::sum_of(const Replies& answers) const {
  Words sum = Words::Zero(words_of_an_answer() + 1, 1);
  for (const auto& [device, letter] : answers) {
    const WordsView words = letter.content.array(0).integers();
    if (words.rows() != sum.rows() || words.cols() != 1) wrong_shape(device);
    add_words(span_of(sum), span_of(words));
  }
  return sum;
}

std::vector<NodeId> MaskedQuestion::silent_partners_of(NodeId device,
                                                       const std::vector<NodeId>& silent) const {
  std::vector<NodeId> both;
  if (silent.empty()) return both;
  std::ranges::set_intersection(group_.partners.of(device, asked_), silent, std::back_inserter(both));
  return both;
}

void MaskedQuestion::finish(Words sum, const std::map<NodeId, Words>& own,
                            const std::map<NodeId, Words>& shared) {
  std::vector<NodeId> answered;
  for (const auto& [device, seed] : own) answered.push_back(device);
  const std::vector<NodeId> silent = without(asked_, answered);
  for (const auto& [device, seed] : own) {
    const Index more = silent.empty() ? 0 : shared.at(device).cols();
    Words seeds(key_record, 1 + more);
    seeds.col(0) = seed.col(0);
    if (more > 0) seeds.rightCols(more) = shared.at(device);
    remove_masks(span_of(sum), device, WordsView(seeds.data(), seeds.rows(), seeds.cols()),
                 silent_partners_of(device, silent));
  }
  total_.sum = decoded(sum);
  total_.samples = static_cast<double>(sum(sum.rows() - 1));
  if (!question_.shape.noise) total_.rounding = format_of(envelope_).rounding(std::ssize(answered));
  note_who_answered(question_, answered, total_);
}

}  // namespace

Question count_question(std::vector<NodeId> asked) {
  return {.content = Message(Kind::control),
          .note = Note::count,
          .shape = {.bound = 0},
          .asked = std::move(asked)};
}

Task<Total> masked_total(Correspondence& post, MaskedGroup& group, Question question) {
  MaskedQuestion masked(post, group, std::move(question));
  Total total = co_await masked.total();
  co_return total;
}

Task<Total> plain_total(Correspondence& post, Question question) {
  const Envelope envelope = envelope_of(question, post.begin_request());
  post.send_to(question.asked, question.content, envelope);
  Replies answers = co_await post.replies(question.asked);
  Total total;
  answers = without_refusals(std::move(answers), total);
  require_note(answers, Note::answer);
  require_enough(post, question, total, devices_of(answers));
  total.sum = Matrix::Zero(question.shape.rows, question.shape.cols);
  for (const auto& [device, letter] : answers) {
    const Eigen::Map<const Matrix> answer = letter.content.array(0).matrix();
    if (answer.rows() != total.sum.rows() || answer.cols() != total.sum.cols()) wrong_shape(device);
    total.sum += answer;
    total.samples += letter.content.number(0);
  }
  require_samples(question, total, devices_of(answers), total.samples);
  note_who_answered(question, devices_of(answers), total);
  co_return total;
}

}  // namespace choir
