#include "choir/data/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/gzip.h"
#include "choir/data/idx_reader.h"
#include "choir/data/ndjson_reader.h"
#include "choir/data/svmlight_reader.h"

namespace choir {
namespace {

constexpr std::string_view known_formats =
    ".npy .npz .csv .tsv .ndjson .svm .h5 .mat .idx, the text ones and idx also as .gz";

struct Extension {
  std::string_view name;
  Format format;
};
constexpr std::array<Extension, 17> extensions = {{{".npy", Format::npy},
                                                   {".npz", Format::npz},
                                                   {".csv", Format::csv},
                                                   {".tsv", Format::csv},
                                                   {".txt", Format::csv},
                                                   {".dat", Format::csv},
                                                   {".data", Format::csv},
                                                   {".svm", Format::svmlight},
                                                   {".svmlight", Format::svmlight},
                                                   {".libsvm", Format::svmlight},
                                                   {".ndjson", Format::ndjson},
                                                   {".jsonl", Format::ndjson},
                                                   {".idx", Format::idx},
                                                   {".h5", Format::hdf5},
                                                   {".hdf5", Format::hdf5},
                                                   {".mat", Format::mat},
                                                   {".gz", Format::gzip}}};

std::optional<Format> format_of_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::ranges::find(extensions, extension, &Extension::name);
  return found == extensions.end() ? std::nullopt : std::optional(found->format);
}

std::optional<Format> format_of_magic(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr std::string_view hdf5("\x89HDF\r\n\x1a\n", 8);
  if (text.starts_with("\x93NUMPY")) return Format::npy;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return Format::npz;
  if (text.starts_with("MATLAB")) return Format::mat;  // before HDF5: version 7.3 is both
  if (is_gzip(head)) return Format::gzip;
  for (std::size_t at = 0; at < text.size(); at = at == 0 ? 512 : at * 2) {  // where a superblock may stand
    if (text.substr(at).starts_with(hdf5)) return Format::hdf5;
  }
  if (looks_like_idx(head)) return Format::idx;
  return std::nullopt;
}

bool is_text(std::string_view text) { return text.find('\0') == std::string_view::npos; }

std::string_view name_of(Format format) {
  constexpr std::array<std::string_view, 9> names = {".npy", ".npz",        "csv",  "svmlight", "idx",
                                                     "HDF5", "MATLAB .mat", "gzip", "ndjson"};
  return names[static_cast<std::size_t>(format)];
}

}  // namespace

Location locate(const std::string& source) {
  std::error_code ignored;
  const auto is_there = [&](const std::string& path) { return std::filesystem::exists(path, ignored); };
  Location location{.path = source, .key = {}};
  if (!is_there(source)) {
    for (std::size_t colon = source.find(':'); colon != std::string::npos;
         colon = source.find(':', colon + 1)) {
      if (!is_there(source.substr(0, colon))) continue;
      location = {.path = source.substr(0, colon), .key = source.substr(colon + 1)};
      break;
    }
  }
  if (!is_there(location.path)) {
    const std::size_t colon = source.rfind(':');
    fail(ErrorCategory::Io, "cannot read {}: there is no such file", source.substr(0, colon));
  }
  if (std::filesystem::is_directory(location.path, ignored)) {
    fail(ErrorCategory::Io, "cannot read {}: it is a folder; name a file in it", location.path.string());
  }
  return location;
}

void refuse_key(const Location& location) {
  if (location.key.empty()) return;
  fail(ErrorCategory::BadData, "{} holds a single array, so '{}' selects nothing; omit it",
       location.path.string(), location.key);
}

Format detect_format(std::span<const std::byte> head, const std::filesystem::path& path) {
  if (head.empty()) fail(ErrorCategory::BadData, "{} is empty", path.string());
  if (const std::optional<Format> magic = format_of_magic(head)) return *magic;

  const std::optional<Format> extension = format_of_extension(path);
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const bool wants_text =
      extension == Format::csv || extension == Format::svmlight || extension == Format::ndjson;
  if (extension == Format::mat) return Format::mat;  // version 4 has no magic
  if (extension && (!wants_text || !is_text(text))) {
    fail(ErrorCategory::BadData, "{} is not a {} file: its content has another format", path.string(),
         name_of(*extension));
  }
  if (is_text(text)) {
    if (looks_like_ndjson(text)) return Format::ndjson;
    CsvScanner scanner(text);
    const std::optional<std::string_view> first = scanner.next();
    if (first && looks_like_svmlight(*first)) return Format::svmlight;
    if (extension) return *extension;
  }
  fail(ErrorCategory::BadData, "{} has no format that choir reads ({})", path.string(), known_formats);
}

}  // namespace choir
