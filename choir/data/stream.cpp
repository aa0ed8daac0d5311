#include "choir/data/stream.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/codec/files.h"
#include "choir/data/csv_stream.h"
#include "choir/data/csv_table.h"
#include "choir/data/format.h"
#include "choir/data/gzip.h"
#include "choir/data/hdf5_stream.h"
#include "choir/data/idx_stream.h"
#include "choir/data/ndjson_reader.h"
#include "choir/data/ndjson_stream.h"
#include "choir/data/npy_stream.h"
#include "choir/data/row_stream.h"
#include "choir/data/targeted_rows.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

constexpr std::string_view standard_input = "-";

// What is wanted of a text.
struct TextOptions {
  std::string target = {};
  TargetRule rule = {};
  bool may_begin_within_a_line = false;
  bool follow = false;
  std::stop_token stop = {};
  std::function<void(const std::string&)> warn = {};
};

TextOptions text_options(const StreamOptions& options) {
  return {.target = options.target,
          .rule = options.targets,
          .may_begin_within_a_line = options.may_begin_within_a_line,
          .follow = options.follow,
          .stop = options.stop,
          .warn = options.warn};
}

// Until there is a whole line that is not blank, or the end.
void wait_for_a_line(TextWindow& window) {
  const auto has_line = [&] {
    const std::size_t first = window.text().find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && window.text().find('\n', first) != std::string_view::npos;
  };
  while (!has_line() && !window.at_end()) window.more(window.text().size());
}

// Whether a line is names of columns, and not what is left of a row: that has numbers, a label, or brackets
// without their other half.
bool is_header(std::string_view line, const TextOptions& options) {
  const std::vector<std::string> fields = csv_fields(line);
  const bool has_a_name = !options.target.empty() && !parse_integer(options.target);
  if (has_a_name) return std::ranges::count(fields, options.target) > 0;
  if (std::ranges::count(line, '[') != std::ranges::count(line, ']')) return false;
  return std::ranges::none_of(fields, [&](const std::string& field) {
    return number_or_missing(field) || (options.rule.of_text && options.rule.of_text(field));
  });
}

// The rest of a line may look like a shorter number, and like a row.
void pass_over_rest_of_a_line(TextWindow& window, const TextOptions& options) {
  wait_for_a_line(window);
  const std::string_view line = window.text().substr(0, window.text().find('\n'));
  if (is_json_record(line) || is_header(line, options) || trim(line).empty()) return;
  window.pass_over(std::min(line.size() + 1, window.text().size()));
  if (options.warn) {
    options.warn(fmt::format(
        "the first line of {} was passed over: another reader may have taken its beginning", window.name()));
  }
}

// Texts by their first line that is not blank.
std::unique_ptr<RowSource> open_text(TextWindow window, const TextOptions& options) {
  if (options.may_begin_within_a_line && !window.can_rewind()) pass_over_rest_of_a_line(window, options);
  while (trim(window.text()).empty() && !window.at_end()) window.more(window.text().size());
  if (window.text().empty()) fail(ErrorCategory::BadData, "{} is empty", window.name());
  if (looks_like_ndjson(window.text()))
    return open_ndjson_rows(std::move(window), options.target, options.rule);
  return open_csv_rows(std::move(window), options.target, options.rule);
}

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  fail(ErrorCategory::BadData, "{} cannot be read in part: {}", name, why);
}

// Texts and idx are unpacked as they are read.
std::unique_ptr<RowSource> open_packed(const std::filesystem::path& path, const TextOptions& options) {
  TextWindow window(FileReader(path, options.stop));
  const Format inside = detect_format(std::as_bytes(std::span(window.text())), unpacked_name(path));
  if (inside == Format::idx) return open_idx_rows(path);
  if (inside != Format::csv && inside != Format::ndjson) {
    refuse(path.string(),
           "it is packed and not csv, ndjson or idx; unpack it first (gunzip), or read it whole (--by iid)");
  }
  return open_text(std::move(window), options);
}

std::unique_ptr<RowSource> open_file(const Location& location, const TextOptions& options) {
  const std::filesystem::path& path = location.path;
  const auto text = [&] {
    refuse_key(location);
    const AtEnd at_end = options.follow ? AtEnd::wait : AtEnd::stop;
    return open_text(TextWindow(FileReader(path, options.stop, at_end)), options);
  };
  if (!std::filesystem::is_regular_file(path)) return text();
  const std::vector<std::byte> head = read_file_head(path, format_head_bytes);
  switch (detect_format(head, path)) {
    case Format::csv:
    case Format::ndjson:
      return text();
    case Format::npy:
      refuse_key(location);
      return open_npy_rows(path);
    case Format::idx:
      refuse_key(location);
      return open_idx_rows(path);
    case Format::hdf5:
      return open_hdf5_rows(path, location.key);
    case Format::gzip:
      refuse_key(location);
      return open_packed(path, options);
    case Format::npz:
      refuse(path.string(), "it is packed; save its array as an .npy file, or read it whole (--by iid)");
    case Format::mat:
      refuse(path.string(),
             "it is a MATLAB file; save its array as an .npy or .h5 file, or read it whole (--by iid)");
    case Format::svmlight:
      refuse(path.string(),
             "only its end tells how many features there are; save it as csv or .npy, or read it whole (--by "
             "iid)");
  }
  fail(ErrorCategory::Internal, "{} is of a format that no stream knows", path.string());
}

std::unique_ptr<RowSource> open_rows(const std::string& source, const StreamOptions& options) {
  if (source == standard_input)
    return open_text(TextWindow(FileReader::standard_input(options.stop)), text_options(options));
  return open_file(locate(source), text_options(options));
}

std::unique_ptr<RowSource> attach_targets(std::unique_ptr<RowSource> rows, const StreamOptions& options) {
  const std::string& target = options.target;
  if (target.empty() || rows->has_targets()) return rows;
  Location beside;
  try {
    beside = locate(target);
  } catch (const Error&) {
    fail(ErrorCategory::BadData, "the target '{}' of {} is neither one of its columns nor a file", target,
         rows->name());
  }
  return with_targets(std::move(rows), open_file(beside, {.follow = options.follow, .stop = options.stop}));
}

}  // namespace

std::unique_ptr<SampleStream> open_stream(const std::string& source, const StreamOptions& options) {
  if (source == standard_input && options.passes > 1) {
    fail(ErrorCategory::InvalidArgument,
         "standard input can be read only once, not {} times; save it to a file first", options.passes);
  }
  try {
    return std::make_unique<RowStream>(attach_targets(open_rows(source, options), options), options);
  } catch (const Error& cause) {
    // What there was by then is no beginning of anything.
    if (!options.stop.stop_requested()) throw;
    throw Error(ErrorCategory::Cancelled, "stopped before the first sample of " + source, cause);
  }
}

constexpr auto bad_record_names = words_in_order<BadRecord::skip>("error", "skip");
ChoiceNames<BadRecord> choice_names(BadRecord) { return bad_record_names; }

bool is_pipe(const std::string& source) {
  if (source == standard_input) return true;
  std::error_code ignored;
  const auto status = std::filesystem::status(source, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace choir
