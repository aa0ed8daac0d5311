// What the targets of a stream may be, and what a text among them stands for.
//
//   const auto stream = open_stream("pets.csv", {.target = "kind", .targets = word_labels({"cat", "dog"})});
//   stream->next(1)->targets[0];                              // 1: a dog
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace choir {

// Any finite number, unless its functions say something else.
struct TargetRule {
  // The number that a text stands for; nothing: it is no target. Empty: texts are numbers.
  std::function<std::optional<double>(std::string_view text)> of_text = {};
  std::function<bool(double value)> allows = {};
  std::string must_be = "a number";  // "one of the classes cat, dog"
};

// Labels that are integers, which ascend.
TargetRule integer_labels(std::vector<std::int64_t> labels);
// Labels that are words: the target is the place among them. They ascend.
TargetRule word_labels(std::vector<std::string> words);

// The labels of streams, found by reading them. All are of the first one's kind: integers, or words.
class LabelCensus {
 public:
  // For the streams that are read; the census must outlive them.
  TargetRule rule();

  bool has_words() const { return !words_.empty(); }
  // As texts; ascending as integers or as words. Throws Error(BadData) if the words are too many to be
  // classes.
  std::vector<std::string> labels() const;

 private:
  std::optional<double> of_text(std::string_view text);
  bool allows(double value);

  std::set<std::int64_t> integers_;
  std::set<std::string, std::less<>> words_;
  std::string one_too_many_;
};

}  // namespace choir
