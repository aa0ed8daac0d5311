// A zip file as a list of named byte strings: the container of .npz files and models.
//
//   const Archive archive = read_archive(path, {.max_total_bytes = 1ull << 34});
//   write_archive(path, {{"manifest.json", bytes}, {"points.npy", encode_npy(points)}});
//
// Reading refuses encrypted or truncated archives, wrong checksums, names that climb out of the archive,
// duplicates, and sizes beyond the limits before anything of that size is allocated. Writing is atomic:
// a temporary file beside the target is filled, synced and renamed; a full disk leaves no half file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace choir {

struct ArchiveEntry {
  std::string name;
  std::vector<std::byte> bytes;
};
using Archive = std::vector<ArchiveEntry>;  // in file order

struct ArchiveLimits {
  std::uint64_t max_total_bytes = std::uint64_t{1} << 36;  // uncompressed
  std::size_t max_entries = 10000;
};

Archive read_archive(const std::filesystem::path& path, const ArchiveLimits& limits = {});
// The same from memory; `name` is what error messages call it.
Archive read_archive(std::span<const std::byte> bytes, std::string_view name,
                     const ArchiveLimits& limits = {});

void write_archive(const std::filesystem::path& path, const Archive& entries);

// Only the named entries (every name if empty): lets a reader open one array of a large .npz.
std::vector<std::string> archive_names(const std::filesystem::path& path, const ArchiveLimits& limits = {});
std::vector<std::byte> read_archive_entry(const std::filesystem::path& path, std::string_view entry,
                                          const ArchiveLimits& limits = {});

}  // namespace choir
