// Whole files as bytes, atomic writing, checksums.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace choir {

// Throws Error(Io) naming the path and the system's reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);

// Fills a temporary file in the same folder, syncs it, renames it over `path`. On any failure (no space,
// no permission) the temporary is removed, `path` is as before, and Error(Io) says why.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// SHA-256 in lower-case hex.
std::string sha256(std::span<const std::byte> bytes);

}  // namespace choir
