// A zip file as a list of named byte strings: the container of .npz files and models.
//
//   const Archive archive = read_archive(path, {.max_total_bytes = 1ull << 34});
//   write_archive(path, {{"manifest.json", bytes}, {"points.npy", encode_npy(points)}});
//
// Reading refuses encrypted or truncated archives, wrong checksums, names that climb out of the archive,
// duplicates, entries that share their bytes, and sizes beyond the limits or beyond what the file can hold,
// before anything of that size is allocated. Entries are stored or deflated; folders are passed over.
// Writing is atomic: a temporary file beside the target is filled, synced and renamed; a full disk leaves
// no half file. Entries that do not shrink fast are stored. The same entries give the same bytes, whatever
// the date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/codec/files.h"

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

// Throws Error(Io) if the file cannot be opened, Error(BadData) if it is not an archive as above.
Archive read_archive(const std::filesystem::path& path, const ArchiveLimits& limits = {});
// The same from memory; `name` is what error messages call it.
Archive read_archive(std::span<const std::byte> bytes, std::string_view name,
                     const ArchiveLimits& limits = {});

// Throws Error(InvalidArgument) if there is no entry, or two of one name.
std::vector<std::byte> encode_archive(const Archive& entries);
void write_archive(const std::filesystem::path& path, const Archive& entries,
                   Privacy privacy = Privacy::usual);

// The names alone, and one entry alone: lets a reader open one array of a large .npz. The limit on bytes
// applies to that entry.
std::vector<std::string> archive_names(const std::filesystem::path& path, const ArchiveLimits& limits = {});
std::vector<std::byte> read_archive_entry(const std::filesystem::path& path, std::string_view entry,
                                          const ArchiveLimits& limits = {});

}  // namespace choir
