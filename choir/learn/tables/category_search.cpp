#include "choir/learn/tables/category_search.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::uint64_t most_rounds = 32;
constexpr Index letters_at_once = 16;
constexpr Index longest_word = 512;
constexpr Index marks = 4096;  // words of one bucket with the same mark would pass for one: 1 in 4096 pairs
constexpr double largest_letter = 255;

// FNV-1a with the round before the word: all nodes must have the same, and none has anything to hide by it.
std::uint64_t bucket_hash(std::string_view word, std::uint64_t round) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  for (int i = 0; i < 8; ++i) mix((round >> (8 * i)) & 0xffu);
  for (const char c : word) mix(static_cast<unsigned char>(c));
  hash ^= hash >> 33;  // the last letters have not reached the high bits yet
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 33);
}

Index whole_count(double value) {
  const double rounded = std::round(value);
  if (std::abs(value - rounded) < 1e-3 && rounded >= 0) return static_cast<Index>(rounded);
  throw Error(
      ErrorCategory::BadData,
      "the nodes' counts of categories do not add up to a count; check that all nodes run the same choir");
}

}  // namespace

CategorySearch::CategorySearch(std::vector<WordCounts> own, const CategorySearchOptions& options)
    : own_(std::move(own)), options_(options), found_(own_.size()), samples_(own_.size(), 0) {
  if (own_.empty()) stage_ = Stage::over;
  for (const WordCounts& words : own_) {
    for (const auto& [word, count] : words) {
      if (std::ssize(word) <= longest_word) continue;
      fail(ErrorCategory::BadData, "a category has {} letters, at most {} can be told; --drop its column",
           word.size(), longest_word);
    }
  }
}

Index CategorySearch::bucket_of(const std::string& word) const {
  return static_cast<Index>(bucket_hash(word, round_) % buckets);
}

Index CategorySearch::mark_of(const std::string& word) const {
  return static_cast<Index>((bucket_hash(word, round_) >> 40) % marks);
}

double CategorySearch::limit() const {
  const auto samples = static_cast<double>(options_.samples);
  return samples * (stage_ == Stage::count ? static_cast<double>(marks) * marks : largest_letter);
}

Matrix CategorySearch::ask() const { return stage_ == Stage::count ? counts() : letters(); }

// For each bucket its samples, the sum of their words' marks and of the squares of these: a column per
// column.
Matrix CategorySearch::counts() const {
  Matrix sums = Matrix::Zero(3 * buckets, std::ssize(own_));
  for (std::size_t column = 0; column < own_.size(); ++column) {
    for (const auto& [word, count] : own_[column]) {
      if (is_told(column, word)) continue;
      const Index row = 3 * bucket_of(word);
      const auto at = static_cast<Index>(column);
      const auto mark = static_cast<double>(mark_of(word)), samples = static_cast<double>(count);
      sums(row, at) += samples;
      sums(row + 1, at) += samples * mark;
      sums(row + 2, at) += samples * mark * mark;
    }
  }
  return sums;
}

void CategorySearch::learn_counts(const Matrix& total) {
  some_share_a_bucket_ = false;
  spellings_.clear();
  for (std::size_t column = 0; column < own_.size(); ++column) {
    for (Index bucket = 0; bucket < buckets; ++bucket) {
      const auto entry = [&](Index i) {
        return whole_count(total(3 * bucket + i, static_cast<Index>(column)));
      };
      const Index count = entry(0), sum = entry(1), squares = entry(2);
      if (round_ == 0) samples_[column] += count;
      if (count == 0 || count < options_.least) continue;
      const Index mark = sum / count;
      if (sum == mark * count && squares == mark * mark * count) {
        spellings_.push_back({.column = column, .bucket = bucket, .count = count});
      } else {
        some_share_a_bucket_ = true;
      }
    }
  }
  letters_before_ = 0;
  stage_ = Stage::spell;
  if (spellings_.empty()) end_round();
}

// The letters of the words that are being spelled, each times its samples: a column per word.
Matrix CategorySearch::letters() const {
  Matrix sums = Matrix::Zero(letters_at_once, std::ssize(spellings_));
  for (std::size_t i = 0; i < spellings_.size(); ++i) {
    const Spelling& spelling = spellings_[i];
    for (const auto& [word, count] : own_[spelling.column]) {
      if (is_told(spelling.column, word) || bucket_of(word) != spelling.bucket) continue;
      for (Index k = 0; k < letters_at_once && letters_before_ + k < std::ssize(word); ++k) {
        const auto letter = static_cast<unsigned char>(word[static_cast<std::size_t>(letters_before_ + k)]);
        sums(k, static_cast<Index>(i)) += static_cast<double>(count) * letter;
      }
    }
  }
  return sums;
}

void CategorySearch::learn_letters(const Matrix& total) {
  bool all_whole = true;
  for (std::size_t i = 0; i < spellings_.size(); ++i) {
    Spelling& spelling = spellings_[i];
    for (Index k = 0; k < letters_at_once && !spelling.is_whole; ++k) {
      const Index letter = whole_count(total(k, static_cast<Index>(i)) / static_cast<double>(spelling.count));
      spelling.is_whole = letter == 0;
      if (!spelling.is_whole) spelling.word += static_cast<char>(static_cast<unsigned char>(letter));
    }
    all_whole = all_whole && spelling.is_whole;
  }
  letters_before_ += letters_at_once;
  if (all_whole || letters_before_ > longest_word) end_round();
}

void CategorySearch::end_round() {
  for (const Spelling& spelling : spellings_) {
    if (bucket_of(spelling.word) == spelling.bucket)
      found_[spelling.column][spelling.word] = spelling.count;
    else
      some_share_a_bucket_ = true;  // two words with one mark
  }
  ++round_;
  stage_ = some_share_a_bucket_ && round_ < most_rounds ? Stage::count : Stage::over;
}

void CategorySearch::learn(const Matrix& total) {
  stage_ == Stage::count ? learn_counts(total) : learn_letters(total);
}

}  // namespace choir
