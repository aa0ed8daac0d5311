#include "choir/learn/gossip_pca/estimate.h"

#include <cmath>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/plausibility.h"

namespace choir::gossip_pca {
namespace {

constexpr Purpose padding_purpose("gossip-pca-padding");
// Below this a share would soon be nothing; a node waits until it has received something. Weights are
// relative between nodes, so they must never be rescaled instead.
constexpr double least_weight = 1e-250;

}  // namespace

Kind kind_of_summary(Index samples) { return samples == 1 ? Kind::raw_samples : Kind::own_statistics; }

Estimate::Estimate(Node& node, Summary own, const SummaryRule& rule, const Options& options,
                   const Circumstances& circumstances, SummaryFeed feed)
    : node_(node),
      options_(options),
      study_(circumstances.study),
      shape_{.rule = rule,
             .dimension = own.dimension(),
             .nodes = node.network_size(),
             .largest_square = largest_square(options.kernel)},
      q_(most_components(options)),
      window_share_(1 -
                    std::exp(-static_cast<double>(options.window) * rate_of_gossip(circumstances.mixing))),
      own_kind_(circumstances.own_kind.value_or(kind_of_summary(static_cast<Index>(own.weight)))),
      summary_(std::move(own)),
      participants_(node.network_size(), node.id()),
      window_(options.window, summary_),
      random_(node.rng(padding_purpose, 0)),
      feed_(std::move(feed)),
      start_(node.now()),
      faded_(start_) {
  fetch_batch();
  remember();
  observe(Event::What::start, node.id(), nullptr);
}

void Estimate::remember() {
  if (study_.keep_iterates) iterates_.push_back(principal_of(summary_, shape_.rule, q_));
}

void Estimate::fetch_batch() { next_ = feed_ ? feed_() : std::nullopt; }

void Estimate::observe(Event::What what, NodeId from, const Summary* share) const {
  if (!study_.observe) return;
  study_.observe({.what = what,
                  .node = node_.id(),
                  .from = from,
                  .time = node_.now(),
                  .summary = summary_,
                  .share = share});
}

Kind Estimate::kind_of_share() const { return received_ == 0 ? own_kind_ : Kind::own_statistics; }

Message Estimate::give(double share) {
  forget(node_.now());
  const Kind kind = kind_of_share();
  const Summary given = take_share(summary_, share);
  ++given_;
  if (node_.id() == 0) {
    node_.watch().report("messages of node 0", static_cast<Index>(given_), *options_.messages_per_node,
                         std::isfinite(window_.change()) ? window_.change() : 0);
  }
  observe(Event::What::give, node_.id(), &given);
  return pack(given, participants_.words(), kind);
}

void Estimate::take(NodeId from, const Message& share) {
  forget(node_.now());
  const PackedSummary theirs = unpack(share, shape_, from);
  const bool comes_back = from == node_.id();
  const double gap = comes_back ? 0 : disagreement(summary_, theirs.summary, q_);
  participants_.add(theirs.participants);
  merge_in(theirs.summary);
  observe(comes_back ? Event::What::take_back : Event::What::take, from, &theirs.summary);
  if (comes_back) {
    start_window_again();
    return;
  }
  ++received_;
  window_.saw(gap);
  if (!window_.is_full()) return;
  close_window();
  remember();
}

// Where news spread slowly a window changes little of what is yet to change.
void Estimate::close_window() {
  window_.close(summary_);
  const bool calm_before = calm_;
  calm_ = window_.change() < window_share_ * options_.tol && window_.gap() < std::sqrt(options_.tol);
  settled_ = calm_before && calm_;
  history_.push_back({.sent = given_, .change = window_.change(), .gap = window_.gap()});
}

void Estimate::merge_in(const Summary& theirs) {
  const Stopwatch clock;
  merge(summary_, theirs, shape_.rule, random_);
  merge_seconds_ += clock.seconds();
}

bool Estimate::can_give() const { return summary_.weight >= least_weight; }

void Estimate::start_window_again() {
  window_.restart(summary_);
  calm_ = settled_ = false;
}

Time Estimate::next_change() const { return next_ ? start_ + next_->at : Time::max(); }

void Estimate::change(Time now) {
  forget(now);
  while (next_ && start_ + next_->at <= now) {
    Summary batch = std::move(next_->summary);
    batch.nodes = 0;  // the node itself was counted when it started
    const double before = summary_.trace;
    const double within = summary_.within;
    merge_in(batch);
    summary_.within =
        within + (summary_.trace - before);  // what differs within a node is no difference between nodes
    fetch_batch();
  }
  start_window_again();
  observe(Event::What::absorb, node_.id(), nullptr);
}

// A sample counts half after every half-life, wherever its share is by then: all nodes fade alike.
void Estimate::forget(Time now) {
  if (!options_.half_life) return;
  const auto passed = static_cast<double>((now - faded_).count());
  scale(summary_, std::exp2(-passed / static_cast<double>(options_.half_life->count())));
  faded_ = now;
}

Message Estimate::everything() const { return pack(summary_, participants_.words(), kind_of_share()); }

void Estimate::replace(const Message& agreed, NodeId from) {
  PackedSummary all = unpack(agreed, shape_, from);
  summary_ = std::move(all.summary);
  participants_.add(all.participants);
  window_.restart(summary_);
  window_.close(summary_);
}

Message Estimate::combined(const Message& mine, const Message& child) {
  PackedSummary sum = unpack(mine, shape_, node_.id());
  const PackedSummary theirs = unpack(child, shape_, node_.id());
  const Stopwatch clock;
  merge(sum.summary, theirs.summary, shape_.rule, random_);
  merge_seconds_ += clock.seconds();
  for (Index i = 0; i < sum.participants.size(); ++i) sum.participants(i) |= theirs.participants(i);
  ++received_;
  return pack(sum.summary, sum.participants, Kind::own_statistics);
}

void Estimate::describe(NodeResult& result) const {
  result.converged = settled_;
  result.change = std::isfinite(window_.change()) ? window_.change() : 1;
  result.gap = window_.gap();
  result.participants = participants_.count();
  result.weight = summary_.weight;
  result.received = received_;
  result.history = history_;
  result.iterates = iterates_;
  result.merge_seconds = merge_seconds_;
}

}  // namespace choir::gossip_pca
