#include "choir/data/tar.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::size_t block = 512;

std::string_view text_field(std::span<const std::byte> header, std::size_t at, std::size_t length) {
  const std::string_view field(reinterpret_cast<const char*>(header.data()) + at, length);
  return field.substr(0, field.find('\0'));
}

std::optional<std::size_t> octal_field(std::span<const std::byte> header, std::size_t at,
                                       std::size_t length) {
  std::size_t value = 0;
  std::size_t digits = 0;
  for (const char c : text_field(header, at, length)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<std::size_t>(c - '0');  // 12 digits at most: 36 bits
    ++digits;
  }
  return digits > 0 ? std::optional(value) : std::nullopt;
}

// The sum of the header's bytes with the checksum itself taken as blanks.
std::size_t checksum(std::span<const std::byte> header) {
  constexpr std::size_t at = 148, length = 8;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    sum += i >= at && i < at + length ? std::size_t{' '} : std::to_integer<std::size_t>(header[i]);
  }
  return sum;
}

}  // namespace

std::vector<TarEntry> list_tar(std::span<const std::byte> archive, const std::string& name) {
  std::vector<TarEntry> entries;
  while (archive.size() >= block) {
    const std::span<const std::byte> header = archive.first(block);
    archive = archive.subspan(block);
    if (std::ranges::all_of(header, [](std::byte b) { return b == std::byte{0}; })) return entries;
    const std::optional<std::size_t> size = octal_field(header, 124, 12);
    if (!size || octal_field(header, 148, 8) != checksum(header)) {
      fail(ErrorCategory::BadData, "{} is damaged: a header of the tar archive is wrong", name);
    }
    if (*size > archive.size()) break;
    const char type = static_cast<char>(header[156]);
    if (type == '0' || type == '\0') {
      entries.push_back({.path = std::string(text_field(header, 0, 100)), .bytes = archive.first(*size)});
    }
    archive = archive.subspan(std::min((*size + block - 1) / block * block, archive.size()));
  }
  fail(ErrorCategory::BadData, "{} is truncated: the tar archive ends early", name);
}

}  // namespace choir
