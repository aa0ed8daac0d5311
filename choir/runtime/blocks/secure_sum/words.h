// Bytes in messages. A message holds numbers, so eight bytes travel as one integer, and a table of records is
// a matrix with a record in each column.
//
//   Words record = words_of(key);                        // 32 bytes: 4 x 1
//   const auto key = bytes_of<PublicKey>(table.col(3));
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "choir/base/error.h"
#include "choir/linalg/types.h"
#include "choir/runtime/message.h"

namespace choir {

using Words = MatrixOf<std::int64_t>;
using WordsView = Eigen::Map<const Words>;

constexpr Index words_in(std::size_t bytes) { return static_cast<Index>(bytes / sizeof(std::int64_t)); }

// As many bytes as fill whole words, or none. memcpy() must not see the null pointer that empty words have:
// g++ then takes it that the words' memory is never null, and their destructor follows it.
inline Words words_of(std::span<const std::byte> bytes) {
  Words words(words_in(bytes.size()), 1);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

// A node's id above what it says.
inline Words record_of(NodeId node, std::span<const std::byte> bytes) {
  Words record(1 + words_in(bytes.size()), 1);
  record << node, words_of(bytes);
  return record;
}

inline std::span<const std::byte> bytes_in(const Words& words) {
  return std::as_bytes(std::span(words.data(), static_cast<std::size_t>(words.size())));
}

template <class Bytes, class Column>
Bytes bytes_of(const Column& words) {
  Bytes bytes;
  for (Index i = 0; i < words_in(sizeof bytes); ++i) {
    const std::int64_t word = words(i);
    std::memcpy(reinterpret_cast<std::byte*>(&bytes) + i * Index{sizeof word}, &word, sizeof word);
  }
  return bytes;
}

inline Message table_message(Words table) {
  Message message(Kind::control);
  message.array(Array(std::move(table)));
  return message;
}

// The first array of a message whose records must have that many words. Throws Error(BadData).
inline WordsView table_of(const Message& message, Index rows) {
  const WordsView table = message.array(0).integers();
  if (table.rows() != rows) {
    fail(ErrorCategory::BadData,
         "a table arrived with {} words per record instead of {}; check that all nodes run the same choir",
         table.rows(), rows);
  }
  return table;
}

}  // namespace choir
