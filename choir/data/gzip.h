// Unpacking gzip and zlib streams in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace choir {

bool is_gzip(std::span<const std::byte> bytes);

// "images.idx.gz" is called "images.idx" inside.
std::filesystem::path unpacked_name(const std::filesystem::path& path);

// The unpacked content, all members of it. Throws Error(BadData) for a damaged or truncated stream,
// Error(OutOfMemory) as soon as the content passes max_bytes. `name` is what errors call it.
std::vector<std::byte> gunzip(std::span<const std::byte> bytes, const std::string& name,
                              std::uint64_t max_bytes);
// The same for the bare zlib streams inside MATLAB files.
std::vector<std::byte> unzlib(std::span<const std::byte> bytes, const std::string& name,
                              std::uint64_t max_bytes);

}  // namespace choir
