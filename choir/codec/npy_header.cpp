#include "choir/codec/npy_header.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_axes = 32;  // numpy's own limit
// Far beyond what 32 axes need.
constexpr std::size_t longest_prefix = 12;
constexpr std::size_t max_dict = max_npy_header_bytes - longest_prefix;

// Without the byte order, in the order of ElementType.
constexpr std::string_view type_codes[] = {"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"};
static_assert(std::size(type_codes) == static_cast<std::size_t>(ElementType::float64) + 1);

ElementType parse_descr(std::string_view descr, std::string_view name) {
  const char order = descr.empty() ? '?' : descr.front();
  const std::string_view code = descr.substr(std::min<std::size_t>(1, descr.size()));
  if (code.starts_with('O'))
    fail(ErrorCategory::BadData, "{}: holds Python objects; choir reads numbers only", name);
  const auto found = std::ranges::find(type_codes, code);
  if (found == std::end(type_codes))
    fail(ErrorCategory::BadData,
         "{}: elements of type '{}' are not supported; save it as float64, float32 or an integer type", name,
         descr);
  const auto type = static_cast<ElementType>(found - std::begin(type_codes));
  if (order == '>' && size_of(type) > 1)
    fail(ErrorCategory::BadData, "{}: big-endian data ('{}'); save it little-endian ('<{}')", name, descr,
         code);
  if (order != '<' && order != '|' && order != '>')
    fail(ErrorCategory::BadData, "{}: unknown byte order in the type '{}'", name, descr);
  return type;
}

// A cursor over the dict literal. Every step either consumes what it names or fails.
class DictParser {
 public:
  DictParser(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !has_type) {
        header.type = element_type();
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = shape();
        has_shape = true;
      } else {
        malformed();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty() || !has_type || !has_order || !has_shape) malformed();
    return header;
  }

 private:
  [[noreturn]] void malformed() const {
    fail(ErrorCategory::BadData, "{}: the .npy header is malformed; the file is damaged or not from numpy",
         name_);
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  std::string_view quoted() {
    skip_blanks();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) malformed();
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) malformed();
    const std::string_view inside = rest_.substr(1, end - 1);
    const bool plain = std::ranges::all_of(inside, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
    if (!plain || inside.size() > 32) malformed();
    rest_.remove_prefix(end + 1);
    return inside;
  }
  ElementType element_type() {
    skip_blanks();
    if (rest_.starts_with('['))
      fail(ErrorCategory::BadData, "{}: a structured array; save one plain array of numbers instead", name_);
    return parse_descr(quoted(), name_);
  }
  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    malformed();
  }
  Index length() {
    skip_blanks();
    Index value = 0;
    const char* end = rest_.data() + rest_.size();
    const auto [stop, status] = std::from_chars(rest_.data(), end, value);
    if (status != std::errc() || value < 0) malformed();
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return value;
  }
  std::vector<Index> shape() {
    std::vector<Index> lengths;
    expect('(');
    while (!accept(')')) {
      if (lengths.size() == max_axes)
        fail(ErrorCategory::BadData, "{}: more than {} dimensions", name_, max_axes);
      lengths.push_back(length());
      const bool comma = accept(',');
      if (comma) continue;
      if (lengths.size() == 1) malformed();  // (3) is a number in python, not a tuple
      expect(')');
      break;
    }
    return lengths;
  }

  std::string_view rest_;
  std::string_view name_;
};

struct Extent {
  std::size_t offset;  // of the dict
  std::size_t length;
};

Extent find_dict(std::string_view text, std::string_view name) {
  if (!text.starts_with(magic))
    fail(ErrorCategory::BadData, "{}: not an .npy file (it does not begin with numpy's magic bytes)", name);
  const auto byte = [&](std::size_t at) -> std::size_t {
    if (at >= text.size()) fail(ErrorCategory::BadData, "{}: truncated inside the .npy header", name);
    return static_cast<unsigned char>(text[at]);
  };
  const std::size_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    fail(ErrorCategory::BadData, "{}: .npy version {}.{} is not known; save it as version 1.0", name, major,
         minor);
  const std::size_t width = major == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | byte(8 + i);
  const std::size_t offset = 8 + width;
  if (length > max_dict)
    fail(ErrorCategory::BadData, "{}: the .npy header claims {} bytes; the file is damaged", name, length);
  if (text.size() - offset < length)
    fail(ErrorCategory::BadData, "{}: truncated inside the .npy header", name);
  return {offset, length};
}

}  // namespace

std::optional<Index> count_elements(const std::vector<Index>& shape, ElementType type) {
  Index bytes = static_cast<Index>(size_of(type));
  bool empty = false;
  for (const Index length : shape) {
    if (length < 0) return std::nullopt;
    empty |= length == 0;
    if (length == 0) continue;
    if (bytes > std::numeric_limits<Index>::max() / length) return std::nullopt;
    bytes *= length;
  }
  return empty ? 0 : bytes / static_cast<Index>(size_of(type));
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Extent dict = find_dict(text, name);
  NpyHeader header = DictParser(text.substr(dict.offset, dict.length), name).parse();
  if (!count_elements(header.shape, header.type))
    fail(ErrorCategory::BadData, "{}: the .npy header claims more elements than memory can address", name);
  header.size = dict.offset + dict.length;
  return header;
}

std::string format_npy_header(ElementType type, const std::vector<Index>& shape, bool fortran_order) {
  std::string lengths;
  for (const Index length : shape) lengths += fmt::format("{}{}", lengths.empty() ? "" : ", ", length);
  if (shape.size() == 1) lengths += ',';
  std::string dict =
      fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}), }}", size_of(type) == 1 ? '|' : '<',
                  type_codes[static_cast<std::size_t>(type)], fortran_order ? "True" : "False", lengths);

  constexpr std::size_t prefix = 10, alignment = 64;
  const std::size_t total = (prefix + dict.size() + 1 + alignment - 1) / alignment * alignment;
  if (shape.size() > max_axes || total - prefix > 0xffff)
    fail(ErrorCategory::InvalidArgument, "an array of {} dimensions cannot be saved; at most {} are allowed",
         shape.size(), max_axes);
  dict.resize(total - prefix - 1, ' ');
  dict += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace choir
