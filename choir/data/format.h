// Which format a file has, and which of its arrays is meant.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace choir {

enum class Format { npy, npz, csv, svmlight, idx, hdf5, mat, gzip, ndjson };

// "part.h5:/train/images" taken apart.
struct Location {
  std::filesystem::path path;
  std::string key;  // empty: not given
};

// The file is the shortest part before a colon that exists, or the whole source if that exists.
// Throws Error(Io) if there is no such file.
Location locate(const std::string& source);

// For formats of one array. Throws Error(BadData) if the location has a key.
void refuse_key(const Location& location);

// By content (the first bytes of the file), then by extension. Throws Error(BadData) for an empty file,
// for content that contradicts the extension and for a file of no known format.
Format detect_format(std::span<const std::byte> head, const std::filesystem::path& path);

// How many first bytes detect_format wants to see.
inline constexpr std::size_t format_head_bytes = 65536;

}  // namespace choir
