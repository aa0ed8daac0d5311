#include "choir/run/result.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "choir/metrics/finite_mean.h"

namespace choir {
namespace {

std::string without_numbers(const std::string& text) {
  std::string words;
  std::copy_if(text.begin(), text.end(), std::back_inserter(words),
               [](unsigned char c) { return std::isdigit(c) == 0 && c != '.'; });
  return words;
}

}  // namespace

Vector mean_over_nodes(const Matrix& values) {
  Vector means(values.cols());
  for (Index d = 0; d < values.cols(); ++d) means(d) = finite_mean(values.col(d));
  return means;
}

void add_notes(const std::vector<std::string>& notes, Result& result) {
  for (const std::string& note : notes) {
    const bool known = std::find(result.notes.begin(), result.notes.end(), note) != result.notes.end();
    if (!note.empty() && !known) result.notes.push_back(note);
  }
}

void add_similar_notes(const std::vector<std::vector<std::string>>& notes_of_nodes, Result& result) {
  std::map<std::string, std::vector<std::string>> by_words;
  for (const std::vector<std::string>& notes : notes_of_nodes) {
    for (const std::string& note : notes) by_words[without_numbers(note)].push_back(note);
  }
  for (const auto& [words, notes] : by_words) {
    const auto others = std::ssize(notes) - std::count(notes.begin(), notes.end(), notes.front());
    const std::string more =
        fmt::format("; {} other node{} so with other numbers", others, others == 1 ? " says" : "s say");
    result.notes.push_back(notes.front() + (others > 0 ? more : ""));
  }
}

}  // namespace choir
