// Rows of one source, in order and in parts: what every format supplies. Strides, passes and batches are made
// of it once, in row_stream.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "choir/base/error.h"
#include "choir/base/types.h"
#include "choir/data/stream.h"

namespace choir {

// A record that is no row: its words are not numbers, it is too short, its label is none of the classes. The
// records behind it may be as good as ever.
struct BadRow : Error {
  explicit BadRow(const Error& reason) : Error(reason) {}
};

// How the rows came to their end.
enum class RowsEnd {
  whole,
  stopped,    // a stop was asked for
  broken_off  // within a row, which is not counted
};

class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const std::string& name() const = 0;  // for error messages
  virtual Index features() const = 0;           // M
  virtual bool has_targets() const { return false; }
  // How many there are in all, where the source says it at its beginning.
  virtual std::optional<std::uint64_t> rows() const { return std::nullopt; }

  // The next rows into `samples` (M x count) and, if there are targets, `targets` (count). Returns how many
  // there were, less than `count` only at the end. Throws BadRow; who asked for one row may go on behind it.
  // Throws Error(BadData), Error(Io) for what is wrong with the source.
  virtual Index read(Index count, std::span<double> samples, std::span<double> targets) = 0;
  // Passes over rows; returns how many there were.
  virtual std::uint64_t skip(std::uint64_t count) = 0;
  // To the first row again. Only if can_rewind().
  virtual void rewind() = 0;
  virtual bool can_rewind() const { return true; }
  // Once there are no more.
  virtual RowsEnd end() const { return RowsEnd::whole; }

  virtual ReceivedLines received() const { return {}; }
  // The action is called before the source waits for more.
  virtual void before_waiting(const std::function<void()>&) {}
};

}  // namespace choir
