#include "choir/data/idx_reader.h"

#include <algorithm>
#include <optional>

#include "choir/base/error.h"
#include "choir/data/arrays.h"

namespace choir {
namespace {

std::optional<ElementType> element_type(std::byte code) {
  switch (std::to_integer<int>(code)) {
    case 0x08:
      return ElementType::uint8;
    case 0x09:
      return ElementType::int8;
    case 0x0b:
      return ElementType::int16;
    case 0x0c:
      return ElementType::int32;
    case 0x0d:
      return ElementType::float32;
    case 0x0e:
      return ElementType::float64;
    default:
      return std::nullopt;
  }
}

Index big_endian(std::span<const std::byte, 4> bytes) {
  Index value = 0;
  for (const std::byte byte : bytes) value = value * 256 + std::to_integer<Index>(byte);
  return value;
}

}  // namespace

bool looks_like_idx(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && bytes[0] == std::byte{0} && bytes[1] == std::byte{0} &&
         element_type(bytes[2]) && bytes[3] != std::byte{0} && bytes[3] <= std::byte{8};
}

IdxHeader parse_idx_header(std::span<const std::byte> bytes, const std::string& name) {
  if (!looks_like_idx(bytes))
    fail(ErrorCategory::BadData, "{} is not an idx file: its first bytes are wrong", name);
  const auto dimensions = std::to_integer<std::size_t>(bytes[3]);
  IdxHeader header{.type = *element_type(bytes[2]), .shape = {}, .size = 4 + 4 * dimensions};
  if (bytes.size() < header.size)
    fail(ErrorCategory::BadData, "{} is truncated: its idx header is incomplete", name);
  for (std::size_t d = 0; d < dimensions; ++d) {
    header.shape.push_back(big_endian(bytes.subspan(4 + 4 * d).first<4>()));
  }
  return header;
}

void reverse_elements(std::span<std::byte> bytes, ElementType type) {
  const std::size_t width = size_of(type);
  if (width == 1) return;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width)
    std::ranges::reverse(bytes.subspan(at, width));
}

Dataset decode_idx(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options) {
  const IdxHeader header = parse_idx_header(bytes, name);
  NpyView array{.type = header.type, .shape = header.shape, .bytes = bytes.subspan(header.size)};
  std::vector<std::byte> little_endian;
  if (size_of(array.type) > 1) {
    little_endian.assign(array.bytes.begin(), array.bytes.end());
    reverse_elements(little_endian, array.type);
    array.bytes = little_endian;
  }
  Dataset dataset;
  dataset.type = to_string(array.type);
  dataset.samples = to_samples(array, name, memory_budget(options.max_bytes));
  return dataset;
}

}  // namespace choir
