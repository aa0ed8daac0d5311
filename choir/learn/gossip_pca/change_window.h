// Whether a node's estimate still changes: compared over windows of receptions, because one reception in a
// large network says nothing about the others.
//
//   ChangeWindow window(10);
//   window.saw(gap);                                // after each merge
//   if (window.is_full()) { window.close(summary); window.change() }
#pragma once

#include <algorithm>
#include <limits>

#include "choir/learn/gossip_pca/summary.h"

namespace choir::gossip_pca {

class ChangeWindow {
 public:
  ChangeWindow(Index length, const Summary& start) : length_(length) { restart(start); }

  void saw(double gap) {
    ++seen_;
    widest_ = std::max(widest_, gap);
  }
  bool is_full() const { return seen_ >= length_; }
  // Ends the window and begins the next one.
  void close(const Summary& now);
  // New samples came: what was seen before says nothing any more.
  void restart(const Summary& now);

  // Of the last window that was closed: the largest relative change of mean, variances and total variance.
  double change() const { return change_; }
  double gap() const { return gap_; }  // largest disagreement with a neighbour

 private:
  struct Snapshot {
    Vector mean;
    Vector variances;
    double trace = 0;
  };
  static Snapshot snapshot_of(const Summary& summary);

  Index length_;
  Index seen_ = 0;
  double widest_ = 0;
  double change_ = std::numeric_limits<double>::infinity();
  double gap_ = 1;
  Snapshot before_;
};

}  // namespace choir::gossip_pca
