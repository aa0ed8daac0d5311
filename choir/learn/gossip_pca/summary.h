// What a node knows of the samples it has heard of, in the form that gossip passes on: few numbers, a mean
// and a scatter of low rank. All of it is mathematics on one machine; nothing here waits or sends.
//
//   gossip_pca::Summary mine = summary_of_samples(shard, rule);  // w = n, a = X 1, U L U' = scatter
//   const auto half = take_share(mine, 0.5);                   // emit
//   merge(mine, theirs, rule, random);                         // receive
//   const auto answer = principal_of(mine, rule, q);           // read
#pragma once

#include "choir/base/rng.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"

namespace choir::gossip_pca {

struct SummaryRule {
  MergeRule merge = MergeRule::gram;
  bool has_mean = true;  // not for coordinates: their rows are centred before
  Index carry = 20;      // q'
  Index max_t = 4;
  RitzValues ritz_values = RitzValues::rayleigh;

  // Whether the scatter is about the mean, or about the origin as in the paper.
  bool centred() const { return merge != MergeRule::orthogonal_iterations; }
};
SummaryRule rule_of(const Options& options);

struct Summary {
  double weight = 0;  // w: samples (coordinates: rows), as far as they have not been given away
  double nodes = 1;   // the same for nodes: w/nodes tends to the mean over nodes
  double trace = 0;   // of the whole centred scatter, not only of what is carried
  double within = 0;  // of the scatters about the nodes' own means: the rest of trace is between nodes
  Vector sum;         // a: D; empty without a mean
  Array basis;        // U: D x r, orthonormal; late: the scatter itself, D x D
  Vector values;      // L: r, descending; late: empty

  Summary();
  Index dimension() const { return basis.rows(); }
};

// Of a node's own samples (D x n_i, n_i may be 0), or of its rows, given as columns (n x D_i).
Summary summary_of_samples(const MatrixView<double>& samples, const SummaryRule& rule);
Summary summary_of_rows(const MatrixView<double>& rows, const SummaryRule& rule);  // D_i x n, not yet centred

// Takes `share` of everything but the basis away, and returns it.
Summary take_share(Summary& mine, double share);
void scale(Summary& summary, double factor);  // of weight, sum, scatter; not of nodes: samples are forgotten

// Adds theirs to mine. Exact for gram and late, but for the rank. `random` pads a basis of too low rank for
// orthogonal iterations. Throws Error(Numerical) for what is not finite.
void merge(Summary& mine, const Summary& theirs, const SummaryRule& rule, Rng& random);

struct Principal {
  Vector mean;        // D: a/w; empty without a mean
  Matrix directions;  // D x q, orthonormal
  Vector variances;   // q: L/w, descending
};
// Fewer than q if there are fewer. Empty if nothing is known (w = 0).
Principal principal_of(const Summary& summary, const SummaryRule& rule, Index q);

// How far two nodes disagree, the largest of: 1 - ||U'U'||_F^2 / q of the first q directions, as far as both
// have them; the difference of their total variances, relative; that of their means, in standard deviations.
double disagreement(const Summary& mine, const Summary& theirs, Index q);

}  // namespace choir::gossip_pca
