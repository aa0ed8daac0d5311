// A file, a pipe or standard input as FileReader reads it; what begins as gzip files do is unpacked on the
// way, in memory that does not grow with it.
//
//   UnpackingReader file(FileReader("log.csv.gz"));
//   const std::size_t got = file.read_some(buffer);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choir/codec/file_reader.h"

namespace choir {

class Inflater;

class UnpackingReader {
 public:
  explicit UnpackingReader(FileReader file);
  ~UnpackingReader();
  UnpackingReader(UnpackingReader&&) noexcept;
  UnpackingReader& operator=(UnpackingReader&&) = delete;

  // What is there now, at least a byte; 0: the end. Throws Error(BadData) for packed content that is damaged
  // or truncated, Error(Io).
  std::size_t read_some(std::span<std::byte> out);
  std::size_t read(std::span<std::byte> out) { return read_until_full(*this, out); }
  void rewind();  // only if can_rewind()
  // From the beginning of the content. Only if can_rewind(); packed content is read up to there.
  void seek(std::uint64_t offset);
  // Of the content; nothing for pipes, and for packed content, whose end alone tells.
  std::optional<std::uint64_t> size();

  bool can_rewind() const { return file_.size().has_value(); }
  bool was_stopped() const { return file_.was_stopped(); }
  const std::string& name() const { return file_.name(); }

 private:
  void begin();
  bool refill();
  std::size_t hand_on(std::span<std::byte> out);
  std::size_t inflate_some(std::span<std::byte> out);

  FileReader file_;
  std::vector<std::byte> read_;  // of the file
  std::size_t used_ = 0;         // of these, handed on
  std::size_t filled_ = 0;
  std::uint64_t position_ = 0;  // in the content
  bool has_begun_ = false;
  bool within_member_ = false;          // of a packed file: more must come
  std::unique_ptr<Inflater> inflater_;  // nothing: it is not packed
};

}  // namespace choir
