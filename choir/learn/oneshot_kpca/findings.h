// What a run of oneshot-kpca found, in numbers and in words: what each party has to say about itself, and
// what that makes for all of them.
//
//   const Findings all = summarise(findings_of_all_nodes);   // throws if no party has the answer
//   all.answer_at;                                           // the nodes that have it
//   vector_words(all);                                       // "vectors per node: 7 to 9, 24 together"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

struct AnswerFindings {
  Vector eigenvalues = {};               // D
  Vector explained_variance_ratio = {};  // D
  bool converged = true;
  double residual = 0;
  std::optional<double> bound = {};  // nothing, too, if it is infinite: then it says nothing
  Assessment assessment = {};
  std::optional<double> agreement = {};  // of parties that gossiped: the smallest cosine to node 0's answer
  double seconds = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(eigenvalues, explained_variance_ratio, converged, residual, bound, assessment, agreement, seconds);
  }
};

// Of one node; it may be told to others. Neither samples nor their keys are in it.
struct NodeFindings {
  NodeId node = 0;
  Index samples = 0;  // that all parties have
  double gamma = 0;
  Estimator estimator = Estimator::automatic;  // as used
  Index vectors_sent = 0;
  bool raw_equivalent = false;
  Index left_out = 0;  // of its samples
  double seconds = 0;
  std::vector<std::string> notes = {};
  std::optional<AnswerFindings> answer = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, samples, gamma, estimator, vectors_sent, raw_equivalent, left_out, seconds, notes, answer);
  }
};

NodeFindings findings_of(const NodeResult& result);

// Of all nodes. Eigenvalues and bound are those of the first node that has the answer; with gossip those of
// the others are nearly the same, or `agreement` says that they are not. Residual and seconds are the
// largest, claims the smallest.
struct Findings {
  Index samples = 0;
  Estimator estimator = Estimator::automatic;  // as used
  AnswerFindings answer = {};
  double local_seconds = 0;
  std::vector<NodeId> answer_at = {};
  std::vector<Index> vectors_sent = {};  // of each node that has a result
  Index all_vectors_sent = 0;
  std::vector<NodeId> raw_equivalent = {};
  std::vector<Index> left_out = {};  // as vectors_sent
};

// Throws Error(PeerLost) if no node has the answer.
Findings summarise(const std::vector<NodeFindings>& nodes);

// Labels of the samples that all parties have, in the order in which the answer has them: that of their keys
// if these were matched. `labels` and `keys`: of the party's samples as it brought them; each may be empty.
std::vector<std::int64_t> labels_in_order(const NodeResult& party, const std::vector<std::int64_t>& labels,
                                          const std::vector<std::string>& keys, bool matched);

// A sentence if some of a node's samples are not everybody's; otherwise empty. `places`: of those samples
// among all that the party brought, if they are known here; otherwise empty.
std::string left_out_words(const NodeFindings& node, const std::vector<Index>& places);
// "vectors per node: 7 to 9, 24 together"
std::string vector_words(const Findings& findings);
// "node 1 has the answer"; `network`: number of nodes.
std::string answer_words(const Findings& findings, Index network);
// Theorem 1; empty if it says too little.
std::string bound_words(const Findings& findings);
// What to do if parties that gossiped did not come to one answer, or numbers are too large; otherwise empty.
std::string what_helps_words(const Findings& findings);
// "converged, residual 3.1e-09"
std::string ending_words(const Findings& findings);

}  // namespace choir::oneshot_kpca
