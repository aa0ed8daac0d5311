// A node's summary while it gossips: shares leave it, shares and new samples come in, old samples fade.
//
//   Estimate estimate(node, summary, rule, options, circumstances, std::move(samples_to_come));
//   const GossipCounts counts = co_await gossip(node, estimate, gossip_options);
//   estimate.summary();
#pragma once

#include <vector>

#include "choir/learn/gossip_pca/change_window.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/participants.h"
#include "choir/learn/gossip_pca/summary_message.h"
#include "choir/runtime/blocks/gossip_value.h"
#include "choir/runtime/node.h"

namespace choir::gossip_pca {

// Summaries of new samples, at the times after the node's start at which they come.
struct SummaryBatch {
  Duration at{};
  Summary summary;
};
using SummaryFeed = std::function<std::optional<SummaryBatch>()>;

// What kind of message a summary of so many samples (rows) is: that of a single one is the sample itself.
Kind kind_of_summary(Index samples);

class Estimate final : public GossipValue {
 public:
  Estimate(Node& node, Summary own, const SummaryRule& rule, const Options& options,
           const Circumstances& circumstances, SummaryFeed feed);

  Message give(double share) override;
  void take(NodeId from, const Message& share) override;
  bool can_give() const override;
  // Two windows in a row were calm, one may be luck, and nobody is missing.
  bool is_settled() const override { return settled_ && participants() == shape_.nodes; }
  Time next_change() const override;
  void change(Time now) override;

  Message everything() const;                        // for the tree: all of it, and nothing is taken away
  void replace(const Message& agreed, NodeId from);  // by what the tree made of it
  Message combined(const Message& mine, const Message& child);  // of two nodes, for the tree

  const Summary& summary() const { return summary_; }
  const SummaryRule& rule() const { return shape_.rule; }
  Index participants() const { return participants_.count(); }
  // Writes down what is known about the gossip, not about the data.
  void describe(NodeResult& result) const;

 private:
  void forget(Time now);
  void start_window_again();
  void close_window();
  void remember();
  void merge_in(const Summary& theirs);
  void fetch_batch();
  void observe(Event::What what, NodeId from, const Summary* share) const;
  Kind kind_of_share() const;

  Node& node_;
  const Options& options_;
  const Study& study_;
  const SummaryShape shape_;
  const Index q_;
  const double window_share_;  // of what is left to change, that a window changes
  const Kind own_kind_;        // of what the node sends before it has received anything
  Summary summary_;
  Participants participants_;
  ChangeWindow window_;
  Rng random_;
  SummaryFeed feed_;
  std::optional<SummaryBatch> next_;
  const Time start_;
  Time faded_;            // when samples were last forgotten
  bool calm_ = false;     // the last window was: little was left to change, and neighbours agreed
  bool settled_ = false;  // the two last windows were; taken back when the next one is not
  double merge_seconds_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t received_ = 0;
  std::vector<Window> history_;
  std::vector<Principal> iterates_;
};

}  // namespace choir::gossip_pca
