// Tables of what several nodes said, a record in each column, while they travel up a tree.
#pragma once

#include <utility>

#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

// A fold for convergecast() and tree_fold(): the records of both. Throws Error(BadData) for records of
// another length.
template <Index record_words>
Message side_by_side(const Message& mine, const Message& child) {
  const WordsView a = table_of(mine, record_words);
  const WordsView b = table_of(child, record_words);
  Words both(record_words, a.cols() + b.cols());
  both << a, b;
  return table_message(std::move(both)).as(mine.kind());
}

}  // namespace choir
