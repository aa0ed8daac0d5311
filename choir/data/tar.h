// The files of a tar archive in memory (ustar: what npm packs).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace choir {

struct TarEntry {
  std::string path;
  std::span<const std::byte> bytes;  // points into the archive
};

// Regular files only, in archive order. Throws Error(BadData) for a damaged or truncated archive.
std::vector<TarEntry> list_tar(std::span<const std::byte> archive, const std::string& name);

}  // namespace choir
