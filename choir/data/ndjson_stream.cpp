#include "choir/data/ndjson_stream.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

using Json = nlohmann::json;

class JsonLines {
 public:
  explicit JsonLines(TextWindow window) : window_(std::move(window)), rest_(window_.text()) {}

  // The next line that is not blank; it holds until the one after it.
  std::optional<std::string_view> next() {
    while (true) {
      const std::size_t end = rest_.find('\n');
      if (end == std::string_view::npos && !window_.at_end()) {
        rest_ = window_.more(rest_.size());
        continue;
      }
      if (rest_.empty()) return std::nullopt;
      const std::string_view line = trim(rest_.substr(0, end));
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++number_;
      if (!line.empty()) return line;
    }
  }

  void rewind() {
    window_.rewind();
    rest_ = window_.text();
    number_ = 0;
  }

  // Whether the last line is the end of a pipe, without a line end: its writer may have been killed.
  bool is_unfinished() const {
    return window_.at_end() && !window_.can_rewind() && rest_.empty() && !window_.text().ends_with('\n');
  }
  // All but the lines that were given.
  ReceivedLines received() const {
    const auto done = static_cast<std::uint64_t>(number_);
    return {.unread = window_.lines() > done ? window_.lines() - done : 0,
            .passed_over = window_.passed_lines(),
            .ends_within_a_line = !rest_.empty() && window_.ends_within_a_line()};
  }
  void before_waiting(const std::function<void()>& action) { window_.before_waiting(action); }
  const TextWindow& window() const { return window_; }
  std::string place() const { return fmt::format("{}: line {}", window_.name(), number_); }

 private:
  TextWindow window_;
  std::string_view rest_;
  Index number_ = 0;  // of the last line, from 1
};

// What the first line says of all.
struct JsonLayout {
  bool is_list = false;
  std::string target;  // the member's name; empty: none
  Index features = 0;
};

class NdjsonRows : public RowSource {
 public:
  NdjsonRows(TextWindow window, const std::string& target, const TargetRule& rule)
      : lines_(std::move(window)), layout_(look(target)), rule_(rule) {}

  const std::string& name() const override { return lines_.window().name(); }
  Index features() const override { return layout_.features; }
  bool has_targets() const override { return layout_.is_list || !layout_.target.empty(); }
  bool can_rewind() const override { return lines_.window().can_rewind(); }
  RowsEnd end() const override {
    if (broken_off_) return RowsEnd::broken_off;
    return lines_.window().was_stopped() ? RowsEnd::stopped : RowsEnd::whole;
  }

  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    const auto width = static_cast<std::size_t>(features());
    for (Index n = 0; n < count; ++n) {
      const std::optional<std::string_view> line = next();
      if (!line) return n;
      const auto at = static_cast<std::size_t>(n);
      const std::optional<double> target = take(*line, samples.subspan(at * width, width));
      if (!target) return n;
      if (has_targets()) targets[at] = *target;
    }
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    for (std::uint64_t n = 0; n < count; ++n) {
      if (!next()) return n;
    }
    return count;
  }

  ReceivedLines received() const override {
    ReceivedLines lines = lines_.received();
    if (pending_) ++lines.unread;
    return lines;
  }
  void before_waiting(const std::function<void()>& action) override { lines_.before_waiting(action); }

  void rewind() override {
    lines_.rewind();
    pending_.reset();
  }

 private:
  JsonLayout look(const std::string& target) {
    pending_ = lines_.next();
    if (!pending_) fail(ErrorCategory::BadData, "{} has no data: only blank lines", name());
    const Json value = parse(*pending_);
    JsonLayout layout;
    layout.is_list = value.is_array();
    const Json& numbers = numbers_of(value, layout.is_list);
    layout.features = std::ssize(numbers) - (layout.is_list ? 1 : 0);
    if (layout.features < 1)
      fail(ErrorCategory::BadData, "{} has no features; {}", lines_.place(), expected(layout.is_list));
    if (layout.is_list && !target.empty()) {
      fail(ErrorCategory::BadData,
           "the target '{}' cannot be found in {}: its lines are lists, and their last number is the target",
           target, name());
    }
    const std::string member = target.empty() ? "y" : target;
    if (!layout.is_list && value.contains(member)) layout.target = member;
    return layout;
  }

  // Fills the features and returns the target, 0 if there are none. Nothing: the line is no row, but the part
  // of one that its writer got to.
  std::optional<double> take(std::string_view line, std::span<double> features) {
    try {
      const Json value = parse(line);
      const Json& numbers = numbers_of(value, layout_.is_list);
      check_width(numbers);
      for (std::size_t m = 0; m < features.size(); ++m)
        features[m] = number(numbers[m], [&] { return fmt::format("number {}", m + 1); });
      return has_targets() ? target_of(value) : 0;
    } catch (const Error& reason) {
      if (!lines_.is_unfinished()) throw BadRow(reason);
      broken_off_ = true;
      return std::nullopt;
    }
  }

  std::optional<std::string_view> next() {
    return pending_ ? std::exchange(pending_, std::nullopt) : lines_.next();
  }

  static std::string_view expected(bool is_list) {
    return is_list ? "a line is a list of numbers, as in [0.5, 2, 1], the last one the target"
                   : "a line holds a list of numbers, as in {\"x\": [0.5, 2], \"y\": 1}";
  }

  Json parse(std::string_view line) const {
    constexpr bool throws = false;
    Json value = Json::parse(line, nullptr, throws);
    if (value.is_discarded())
      fail(ErrorCategory::BadData, "{} is not a JSON value or has a number out of range: {}", lines_.place(),
           excerpt(line));
    return value;
  }

  const Json& numbers_of(const Json& value, bool is_list) const {
    if (is_list && value.is_array()) return value;
    if (!is_list && value.is_object()) {
      const auto found = value.find("x");
      if (found != value.end() && found->is_array()) return *found;
    }
    fail(ErrorCategory::BadData, "{} is not understood; {}", lines_.place(), expected(is_list));
  }

  void check_width(const Json& numbers) const {
    const Index found = std::ssize(numbers) - (layout_.is_list ? 1 : 0);
    if (found == layout_.features) return;
    fail(ErrorCategory::BadData,
         "{} has {} features but the first line has {}; all lines need the same number", lines_.place(),
         std::max<Index>(found, 0), layout_.features);
  }

  double target_of(const Json& value) const {
    if (layout_.is_list) return target(value.back(), [] { return std::string("the target"); });
    const auto found = value.find(layout_.target);
    if (found == value.end())
      fail(ErrorCategory::BadData, "{} has no \"{}\"; every line needs its target", lines_.place(),
           layout_.target);
    return target(*found, [&] { return fmt::format("\"{}\"", layout_.target); });
  }

  template <class What>
  double target(const Json& value, What what) const {
    if (!rule_.of_text && !rule_.allows) return number(value, what);
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    const bool is_label = value.is_string() || value.is_number();
    const std::optional<double> found = !is_label       ? std::nullopt
                                        : rule_.of_text ? rule_.of_text(text)
                                                        : std::optional(number(value, what));
    if (found && (!rule_.allows || rule_.allows(*found))) return *found;
    fail(ErrorCategory::BadData, "{}: {} is '{}', which is not {}", lines_.place(), what(), excerpt(text),
         rule_.must_be);
  }

  template <class What>
  double number(const Json& value, What what) const {
    if (!value.is_number())
      fail(ErrorCategory::BadData, "{}: {} is not a number ({})", lines_.place(), what(), value.type_name());
    return value.get<double>();
  }

  JsonLines lines_;
  std::optional<std::string_view> pending_;  // read, but not handed out yet
  JsonLayout layout_;
  TargetRule rule_;
  bool broken_off_ = false;
};

}  // namespace

bool is_json_record(std::string_view line) {
  constexpr bool throws = false;
  const Json value = Json::parse(line, nullptr, throws);
  return value.is_object() || value.is_array();
}

std::unique_ptr<RowSource> open_ndjson_rows(TextWindow window, const std::string& target,
                                            const TargetRule& rule) {
  return std::make_unique<NdjsonRows>(std::move(window), target, rule);
}

}  // namespace choir
