// A tar archive of one or more small files, as npm packs them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace choir {

inline std::string tar_entry(std::string_view path, std::string_view content, char type = '0') {
  std::string header(512, '\0');
  header.replace(0, path.size(), path);
  char number[16];
  std::snprintf(number, sizeof number, "%011zo", content.size());
  header.replace(124, 11, number, 11);
  header.replace(148, 8, 8, ' ');
  header[156] = type;
  header.replace(257, 5, "ustar");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(number, sizeof number, "%06o", sum);
  header.replace(148, 7, number, 7);
  const std::size_t padding = (512 - content.size() % 512) % 512;
  return header + std::string(content) + std::string(padding, '\0');
}

inline std::string tar_end() { return std::string(1024, '\0'); }

}  // namespace choir
