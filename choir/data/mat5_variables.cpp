// Level 5: a header of 128 bytes, then tagged elements; a variable is an element of elements, often packed
// by zlib. Small values sit inside their tag.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "choir/base/error.h"
#include "choir/data/gzip.h"
#include "choir/data/mat_variables.h"

namespace choir {
namespace {

constexpr std::size_t header_bytes = 128;
constexpr std::size_t tag_bytes = 8;
constexpr std::uint32_t mi_int8 = 1, mi_int32 = 5, mi_uint32 = 6, mi_matrix = 14, mi_compressed = 15;
constexpr std::uint32_t flag_complex = 0x0800, flag_logical = 0x0200;

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Element {
  std::uint32_t type = 0;
  std::span<const std::byte> data;
};

// Cuts the next element off.
Element next_element(std::span<const std::byte>& rest, const std::string& name) {
  if (rest.size() < tag_bytes) fail_damaged_mat(name);
  const std::uint32_t type = number_at(rest, 0);
  const std::uint32_t small_size = type >> 16;
  if (small_size > 4) fail_damaged_mat(name);
  if (small_size > 0) {
    const Element element{.type = type & 0xffff, .data = rest.subspan(4, small_size)};
    rest = rest.subspan(tag_bytes);
    return element;
  }
  const std::uint64_t size = number_at(rest, 4);
  rest = rest.subspan(tag_bytes);
  if (size > rest.size()) fail_damaged_mat(name);
  const Element element{.type = type, .data = rest.first(static_cast<std::size_t>(size))};
  const std::uint64_t padded = type == mi_compressed ? size : (size + 7) / 8 * 8;
  rest = rest.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(padded, rest.size())));
  return element;
}

// How values are stored: often smaller than the variable's class, where that loses nothing.
std::optional<ElementType> stored_type(std::uint32_t type) {
  switch (type) {
    case 1:
      return ElementType::int8;
    case 2:
      return ElementType::uint8;
    case 3:
      return ElementType::int16;
    case 4:
      return ElementType::uint16;
    case 5:
      return ElementType::int32;
    case 6:
      return ElementType::uint32;
    case 7:
      return ElementType::float32;
    case 9:
      return ElementType::float64;
    case 12:
      return ElementType::int64;
    case 13:
      return ElementType::uint64;
    default:
      return std::nullopt;
  }
}

// MATLAB's numeric classes are numbered from 6.
std::string_view class_name(std::uint32_t number) {
  constexpr std::string_view names[] = {"float64", "float32", "int8",   "uint8", "int16",
                                        "uint16",  "int32",   "uint32", "int64", "uint64"};
  return number >= 6 && number < 6 + std::size(names) ? names[number - 6] : std::string_view();
}

std::vector<Index> shape_of(const Element& dimensions, const std::string& name) {
  if (dimensions.type != mi_int32 || dimensions.data.size() < 8 || dimensions.data.size() % 4 != 0) {
    fail_damaged_mat(name);
  }
  std::vector<Index> shape;
  for (std::size_t at = 0; at < dimensions.data.size(); at += 4) {
    shape.push_back(static_cast<std::int32_t>(number_at(dimensions.data, at)));
    if (shape.back() < 0) fail_damaged_mat(name);
  }
  return shape;
}

// The variable in an element's content; nothing for MATLAB's own, which have no name or another form.
std::optional<MatVariable> parse_matrix(std::span<const std::byte> content, const std::string& name) {
  const Element flags = next_element(content, name);
  if (flags.type != mi_uint32 || flags.data.size() != 8) fail_damaged_mat(name);
  const std::uint32_t word = number_at(flags.data, 0);
  const std::string_view type = class_name(word & 0xff);
  constexpr std::uint32_t sparse_or_older = 5;
  if (type.empty() && (word & 0xff) > sparse_or_older) return std::nullopt;

  const Element dimensions = next_element(content, name);
  const Element label = next_element(content, name);
  if (label.type != mi_int8) fail_damaged_mat(name);
  if (label.data.empty()) return std::nullopt;
  MatVariable variable;
  variable.name.assign(reinterpret_cast<const char*>(label.data.data()), label.data.size());
  variable.is_numeric = !type.empty() && (word & flag_complex) == 0;
  if (!variable.is_numeric) return variable;

  variable.type = (word & flag_logical) != 0 ? "bool" : type;
  const Element values = next_element(content, name);
  const std::optional<ElementType> stored = stored_type(values.type);
  if (!stored) fail_damaged_mat(name);
  variable.array = {
      .type = *stored, .shape = shape_of(dimensions, name), .fortran_order = true, .bytes = values.data};
  return variable;
}

}  // namespace

void visit_mat5(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_bytes,
                const std::function<bool(const MatVariable&)>& visit) {
  if (bytes.size() < header_bytes) fail_damaged_mat(name);
  if (bytes[126] == std::byte{'M'}) {
    fail(ErrorCategory::BadData, "{} was saved on a big-endian machine; save it again on a current one",
         name);
  }
  bytes = bytes.subspan(header_bytes);
  while (!bytes.empty()) {
    Element element = next_element(bytes, name);
    std::vector<std::byte> unpacked;
    if (element.type == mi_compressed) {
      unpacked = unzlib(element.data, name, max_bytes);
      std::span<const std::byte> content = unpacked;
      element = next_element(content, name);
    }
    if (element.type != mi_matrix) fail_damaged_mat(name);
    const std::optional<MatVariable> variable = parse_matrix(element.data, name);
    if (variable && !visit(*variable)) return;
  }
}

}  // namespace choir
