// The words of columns that are frequent enough in the whole network to be told, found by sums over all
// nodes: nobody says which words it has. Without the network in here: whoever has one adds up what all nodes
// ask.
//
//   CategorySearch search(words_of_columns, {.least = 10, .samples = 500});
//   while (!search.is_over()) search.learn(sum_over_all_nodes(search.ask()));      // limits: search.limit()
//   search.found(0);                                  // {"f": 260, "m": 240}
//   search.samples(0);                                // 500; with words too rare to be told
//
// In a round every node spreads the words of a column over buckets by a public hash, and the network learns
// of each bucket how many samples it has, and from two more sums whether all of them have the same word. Of
// buckets with one word and at least `least` samples it then learns the word: the sum of its letters over its
// samples, 16 letters at a time. Words that share a bucket have another hash in the next round. A word that
// is rarer is never spelled; who guesses one can compute its bucket, and learns how many samples that has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

// How often each word is there, of one column at one node.
using WordCounts = std::map<std::string, Index>;

struct CategorySearchOptions {
  Index least = 10;   // samples of the network behind every word that is told
  Index samples = 0;  // of the network, at least: no sum is larger than its numbers allow
};

class CategorySearch {
 public:
  static constexpr Index buckets = 1024;

  CategorySearch(std::vector<WordCounts> own, const CategorySearchOptions& options);

  bool is_over() const { return stage_ == Stage::over; }
  // What the node adds to the next sum, of the same shape at all nodes, and what none of its entries exceeds.
  Matrix ask() const;
  double limit() const;
  // The sum over all nodes. Throws Error(BadData) for one that no words have.
  void learn(const Matrix& total);

  const WordCounts& found(std::size_t column) const { return found_[column]; }
  // That have any word.
  Index samples(std::size_t column) const { return samples_[column]; }

 private:
  enum class Stage { count, spell, over };
  // A bucket with one word, which is being spelled.
  struct Spelling {
    std::size_t column;
    Index bucket;
    Index count;
    std::string word = {};
    bool is_whole = false;
  };
  Index bucket_of(const std::string& word) const;
  Index mark_of(const std::string& word) const;
  bool is_told(std::size_t column, const std::string& word) const { return found_[column].contains(word); }
  Matrix counts() const;
  Matrix letters() const;
  void learn_counts(const Matrix& total);
  void learn_letters(const Matrix& total);
  void end_round();

  std::vector<WordCounts> own_;
  CategorySearchOptions options_;
  Stage stage_ = Stage::count;
  std::uint64_t round_ = 0;
  Index letters_before_ = 0;
  bool some_share_a_bucket_ = false;
  std::vector<Spelling> spellings_;
  std::vector<WordCounts> found_;
  std::vector<Index> samples_;
};

}  // namespace choir
