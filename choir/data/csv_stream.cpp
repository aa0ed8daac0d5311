#include "choir/data/csv_stream.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/csv_table.h"

namespace choir {
namespace {

// Records of a text that comes in parts. They point into the window and hold until the next one.
class CsvRecords {
 public:
  explicit CsvRecords(TextWindow window)
      : window_(std::move(window)), scanner_(window_.text(), window_.at_end()) {}

  std::optional<std::string_view> next() {
    while (true) {
      if (const std::optional<std::string_view> record = scanner_.next()) return record;
      if (window_.at_end()) return std::nullopt;
      const std::string_view text = window_.more(scanner_.rest().size());
      scanner_.go_on(text, window_.at_end());
    }
  }

  void rewind() {
    window_.rewind();
    scanner_ = CsvScanner(window_.text(), window_.at_end());
  }

  // Whether the last record is the end of a pipe, without a line end: its writer may have been killed.
  bool is_unfinished() const {
    return window_.at_end() && !window_.can_rewind() && scanner_.rest().empty() &&
           !window_.text().ends_with('\n');
  }
  // All but the lines of records that were given.
  ReceivedLines received() const {
    const auto done = static_cast<std::uint64_t>(scanner_.lines());
    return {.unread = window_.lines() > done ? window_.lines() - done : 0,
            .passed_over = window_.passed_lines(),
            .ends_within_a_line = !scanner_.rest().empty() && window_.ends_within_a_line()};
  }
  void before_waiting(const std::function<void()>& action) { window_.before_waiting(action); }
  Index line() const { return scanner_.line(); }
  const TextWindow& window() const { return window_; }

 private:
  TextWindow window_;
  CsvScanner scanner_;
};

class CsvRows : public RowSource {
 public:
  CsvRows(TextWindow window, const std::string& target, const TargetRule& rule)
      : records_(std::move(window)), parser_(look(target), records_.window().name(), false, rule) {}

  const std::string& name() const override { return records_.window().name(); }
  Index features() const override { return parser_.layout().features(); }
  bool has_targets() const override { return parser_.layout().label_column.has_value(); }
  bool can_rewind() const override { return records_.window().can_rewind(); }
  RowsEnd end() const override {
    if (broken_off_) return RowsEnd::broken_off;
    return records_.window().was_stopped() ? RowsEnd::stopped : RowsEnd::whole;
  }

  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    const auto width = static_cast<std::size_t>(features());
    for (Index n = 0; n < count; ++n) {
      const std::optional<std::string_view> record = next();
      if (!record) return n;
      const auto at = static_cast<std::size_t>(n);
      if (!parse(*record, samples.subspan(at * width, width))) return n;
      if (has_targets()) targets[at] = parser_.label();
    }
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    for (std::uint64_t n = 0; n < count; ++n, ++row_) {
      if (!next()) return n;
    }
    return count;
  }

  ReceivedLines received() const override {
    ReceivedLines lines = records_.received();
    if (pending_) ++lines.unread;
    return lines;
  }
  void before_waiting(const std::function<void()>& action) override { records_.before_waiting(action); }

  void rewind() override {
    records_.rewind();
    pending_.reset();
    row_ = 0;
    if (parser_.layout().has_header()) records_.next();
  }

 private:
  // A look at the header and the first row, so that the width is known and a header alone is refused.
  CsvLayout look(const std::string& target) {
    pending_ = records_.next();
    if (!pending_) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name());
    CsvLayout layout = csv_layout(*pending_, name(), {.labels = target});
    if (layout.has_header()) pending_ = records_.next();
    if (!pending_) fail(ErrorCategory::BadData, "{} has no data: only a header", name());
    return layout;
  }

  // False: it is no row, but the part of one that its writer got to.
  bool parse(std::string_view record, std::span<double> features) {
    try {
      parser_.parse(record, {.row = row_++, .line = records_.line()}, features);
    } catch (const Error& reason) {
      if (!records_.is_unfinished()) throw BadRow(reason);
      broken_off_ = true;
      return false;
    }
    return true;
  }

  std::optional<std::string_view> next() {
    return pending_ ? std::exchange(pending_, std::nullopt) : records_.next();
  }

  CsvRecords records_;
  std::optional<std::string_view> pending_;  // read, but not handed out yet
  CsvRowParser parser_;
  Index row_ = 0;
  bool broken_off_ = false;
};

}  // namespace

std::unique_ptr<RowSource> open_csv_rows(TextWindow window, const std::string& target,
                                         const TargetRule& rule) {
  return std::make_unique<CsvRows>(std::move(window), target, rule);
}

}  // namespace choir
