// Whole files as bytes, atomic writing.
//
//   const std::vector<std::byte> bytes = read_file("run/model-0.npz");
//   write_file_atomically("run/result.json", text);       // all of it or nothing of it
//   write_file_atomically("run/scores.csv", text, Privacy::owner_only);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace choir {

// Throws Error(Io) naming the path and the system's reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);

// The first `count` bytes, fewer if the file is shorter: enough to tell formats apart.
std::vector<std::byte> read_file_head(const std::filesystem::path& path, std::size_t count);

// What changes when a file is replaced or written to.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t number = 0;  // of the file on it
  std::uint64_t bytes = 0;
  std::int64_t seconds = 0;  // of the last change
  std::int64_t nanoseconds = 0;

  bool operator==(const FileStamp&) const = default;
};
// Nothing if there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// Who may read a new file.
enum class Privacy : std::uint8_t {
  usual,       // whoever the user's umask lets
  owner_only,  // mode 0600: samples, secrets, and states that hold them
};

// Fills a temporary file in the same folder, syncs it, renames it over `path`. On any failure (no space,
// no permission) the temporary is removed, `path` is as before, and Error(Io) says why. A `path` that
// exists and is not a regular file (a folder, a device) is refused: renaming would replace it. A private
// file is private from its first byte on, whoever could read what was there before.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                           Privacy privacy = Privacy::usual);
void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           Privacy privacy = Privacy::usual);

}  // namespace choir
