// The part of a text that is being looked at: a text of any length, packed by gzip or not, in memory that
// does not grow with it.
//
//   TextWindow window(FileReader("log.csv"));
//   std::string_view text = window.text();
//   ...                                            // the first 90 characters are done with
//   text = window.more(text.size() - 90);          // the others, and what comes behind them
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "choir/codec/file_reader.h"
#include "choir/data/unpacking_reader.h"

namespace choir {

struct WindowSizes {
  std::size_t first = std::size_t{1} << 16;  // bytes in memory, as long as lines are shorter
  std::size_t limit = std::size_t{1} << 26;  // bytes that a line may have
};

class TextWindow {
 public:
  explicit TextWindow(FileReader file, const WindowSizes& sizes = {});
  TextWindow(std::string text, std::string name);  // all of it

  // What is there now; without a UTF-8 mark at the beginning of the source.
  std::string_view text() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }
  bool at_end() const { return at_end_; }  // nothing comes behind text()
  // Its end was a stop (file_reader.h). A line that was cut by it is not shown.
  bool was_stopped() const { return file_ && file_->was_stopped(); }
  void pass_over(std::size_t count);  // of text()
  // Keeps the last `kept` characters of text() and reads on. Throws Error(BadData) if they are too many.
  std::string_view more(std::size_t kept);
  void rewind();

  bool can_rewind() const { return !file_ || file_->can_rewind(); }
  const std::string& name() const { return name_; }
  std::size_t capacity() const { return buffer_.size(); }

  // Line ends that were received, without those of what was passed over, which count by themselves.
  std::uint64_t lines() const { return lines_ - passed_lines_; }
  std::uint64_t passed_lines() const { return passed_lines_; }
  // Whether the last line that was received lacks its end.
  bool ends_within_a_line() const { return is_cut_ || (!text().empty() && !text().ends_with('\n')); }
  // Called before it waits for more.
  void before_waiting(std::function<void()> action) { before_waiting_ = std::move(action); }

 private:
  void fill();
  void pass_over_mark();

  std::string name_;
  std::optional<UnpackingReader> file_;  // nothing: all of the text is there
  std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t lines_ = 0;
  std::uint64_t passed_lines_ = 0;
  bool is_cut_ = false;  // a stop came within a line
  std::function<void()> before_waiting_;
};

}  // namespace choir
