#include "choir/data/text_window.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

}  // namespace

TextWindow::TextWindow(FileReader file, const WindowSizes& sizes)
    : name_(file.name()),
      file_(std::move(file)),
      limit_(std::max(sizes.limit, sizes.first)),
      buffer_(sizes.first, '\0') {
  pass_over_mark();
}

TextWindow::TextWindow(std::string text, std::string name)
    : name_(std::move(name)),
      limit_(std::max(WindowSizes{}.limit, text.size() + 1)),
      buffer_(std::move(text)),
      end_(buffer_.size()),
      at_end_(true) {
  pass_over_mark();
}

std::string_view TextWindow::more(std::size_t kept) {
  if (kept >= limit_) {
    fail(ErrorCategory::BadData,
         "{} has a line of more than {}; it is not a table, or a quotation mark is never closed", name(),
         human_bytes(static_cast<double>(limit_)));
  }
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(end_ - kept),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  begin_ = 0;
  end_ = kept;
  if (2 * kept > buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), limit_));
  if (before_waiting_) before_waiting_();
  fill();
  return text();
}

void TextWindow::pass_over(std::size_t count) {
  passed_lines_ += static_cast<std::uint64_t>(std::ranges::count(text().substr(0, count), '\n'));
  begin_ += count;
}

void TextWindow::rewind() {
  lines_ = 0;
  passed_lines_ = 0;
  if (file_) file_->rewind();
  begin_ = 0;
  end_ = file_ ? 0 : buffer_.size();
  at_end_ = !file_;
  pass_over_mark();
}

void TextWindow::fill() {
  const std::size_t got = file_->read_some(std::as_writable_bytes(std::span(buffer_).subspan(end_)));
  lines_ += static_cast<std::uint64_t>(std::ranges::count(std::string_view(buffer_).substr(end_, got), '\n'));
  end_ += got;
  at_end_ = got == 0;
  if (!was_stopped()) return;
  is_cut_ = is_cut_ || ends_within_a_line();
  end_ = begin_ + text().rfind('\n') + 1;  // none: npos + 1 is 0
}

void TextWindow::pass_over_mark() {
  // Whoever types a short line is not kept waiting for a mark.
  while (!at_end_ && text().size() < utf8_mark.size() && utf8_mark.starts_with(text())) fill();
  if (text().starts_with(utf8_mark)) begin_ = utf8_mark.size();
}

}  // namespace choir
