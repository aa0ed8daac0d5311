// The power of two that no node's numbers reach, and nothing else about them: not whose are large, nor how
// many nodes have such. What the search says to the network, without the network.
//
//   LargestPower search(largest);                       // one number per row, none of them shown to anybody
//   while (!search.is_over()) {
//     const Words marks = search.marks();               // added up under masks
//     search.learn(digits_of(total));                   // what their total says
//   }
//   search.limits();
//
// Powers are found in steps of 2^4, digit by digit from the highest: a node marks every digit up to its own
// with a random word. A total of random words is a random word, however many there were; without one it is 0.
#pragma once

#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

class LargestPower {
 public:
  // Powers of two above the rows' numbers (power_of_two_above).
  explicit LargestPower(const std::vector<int>& powers);

  bool is_over() const { return digits_left_ == 0; }
  Words marks() const;  // of the next digit, row after row
  // Throws Error(BadData) for digits that this node's own numbers contradict.
  void learn(const WordsView& digits);
  // Above the numbers of all nodes: at most 2^4 times what they need.
  std::vector<double> limits() const;

 private:
  // The node's own digit, or nothing if it is already known that others have larger numbers.
  Index own_digit(std::size_t row) const;

  std::vector<Index> own_;    // steps
  std::vector<Index> found_;  // the network's highest digits
  int digits_left_;
};

// One of each row, from the total of all nodes' marks.
Words digits_of(const WordsView& marks);

}  // namespace choir
