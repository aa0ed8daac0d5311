#include "choir/codec/archive.h"

#include <memory>
#include <mutex>
#include <set>

#include <zip.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"
#include "choir/codec/deflation.h"
#include "choir/codec/files.h"

namespace choir {
namespace {

struct ZipDiscard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, ZipDiscard>;
struct SourceFree {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, SourceFree>;
struct FileClose {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_{};
};

// libzip (1.7 at least) fills two static tables when it opens its first archive, without a lock: a second
// thread may see one of them filled and the other not, and is told that its archive is read-only.
Zip opened(const Source& source, int flags, ZipError& error) {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  return Zip(source ? zip_open_from_source(source.get(), flags, error.get()) : nullptr);
}

struct Listed {
  zip_uint64_t index;
  std::string name;
  std::uint64_t size;
};

// Deflate shrinks at most 1032-fold; a larger claim cannot be true.
bool believable(const zip_stat_t& entry) {
  if (entry.comp_method == ZIP_CM_STORE) return entry.size == entry.comp_size;
  return entry.comp_size >= (std::uint64_t{1} << 50) || entry.size <= entry.comp_size * 1032 + 1032;
}

bool safe_name(std::string_view name) {
  if (name.empty() || name.starts_with('/') || name.find('\\') != std::string_view::npos) return false;
  for (const std::string_view part : split(name, '/'))
    if (part == ".." || part == ".") return false;
  return true;
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, const ArchiveLimits& limits)
      : name_(path.string()), limits_(limits), file_size_(0) {
    check_magic(read_file_head(path, 2));
    std::error_code unknown;
    file_size_ = std::filesystem::file_size(path, unknown);
    if (unknown) fail(ErrorCategory::Io, "cannot read {}: {}", name_, unknown.message());
    ZipError error;
    open(Source(zip_source_file_create(path.c_str(), 0, -1, error.get())), error);
  }
  Reader(std::span<const std::byte> bytes, std::string_view name, const ArchiveLimits& limits)
      : name_(name), limits_(limits), file_size_(bytes.size()) {
    check_magic(bytes);
    ZipError error;
    open(Source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get())), error);
  }

  // Every entry that is not a folder, checked as far as its description goes.
  std::vector<Listed> list() const {
    const zip_int64_t count = zip_get_num_entries(zip_.get(), 0);
    if (static_cast<std::uint64_t>(count) > limits_.max_entries)
      fail(ErrorCategory::BadData, "{}: {} entries; at most {} are read", name_, count, limits_.max_entries);
    std::vector<Listed> entries;
    std::set<std::string> seen;
    std::uint64_t stored = 0;
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
      const zip_stat_t entry = describe(i);
      const std::string name = entry.name;
      if (!seen.insert(name).second)
        fail(ErrorCategory::BadData, "{}: has two entries called '{}'", name_, name);
      // Together no larger than the file: entries that share compressed bytes are a zip bomb.
      if (entry.comp_size > file_size_ - stored)
        fail(ErrorCategory::BadData, "{}: its entries claim more bytes than the file has; it is damaged",
             name_);
      stored += entry.comp_size;
      if (!(name.ends_with('/') && entry.size == 0)) entries.push_back({i, name, entry.size});
    }
    return entries;
  }

  void check_total(std::uint64_t total) const {
    if (total > limits_.max_total_bytes)
      fail(ErrorCategory::BadData, "{}: unpacks to {}, more than the {} allowed", name_,
           human_bytes(static_cast<double>(total)),
           human_bytes(static_cast<double>(limits_.max_total_bytes)));
    constexpr std::uint64_t small = std::uint64_t{1} << 26;  // not worth asking the system
    if (total > small && total > available_memory())
      fail(ErrorCategory::OutOfMemory, "{}: unpacks to {}, more than the memory available", name_,
           human_bytes(static_cast<double>(total)));
  }

  std::vector<std::byte> read(const Listed& entry) const {
    const std::unique_ptr<zip_file_t, FileClose> file(zip_fopen_index(zip_.get(), entry.index, 0));
    if (!file) damaged(entry, zip_strerror(zip_.get()));
    std::vector<std::byte> bytes(entry.size);
    std::uint64_t filled = 0;
    while (true) {
      // The read behind the last byte makes libzip compare the checksum, and finds what is too long.
      std::byte extra{};
      const bool full = filled == entry.size;
      const zip_int64_t got =
          zip_fread(file.get(), full ? &extra : bytes.data() + filled, full ? 1 : entry.size - filled);
      if (got < 0) damaged(entry, zip_file_strerror(file.get()));
      if (got == 0 && full) return bytes;
      if (got == 0) damaged(entry, "it is shorter than announced");
      if (full) damaged(entry, "it is longer than announced");
      filled += static_cast<std::uint64_t>(got);
    }
  }

  const std::string& name() const { return name_; }

 private:
  // libzip would take an empty file for an empty archive.
  void check_magic(std::span<const std::byte> head) const {
    if (head.size() < 2 || head[0] != std::byte{'P'} || head[1] != std::byte{'K'})
      fail(ErrorCategory::BadData, "{}: not a zip archive (.npz)", name_);
  }
  void open(Source source, ZipError& error) {
    zip_ = opened(source, ZIP_RDONLY, error);
    if (!zip_)
      fail(ErrorCategory::BadData, "{}: cannot be opened as a zip archive, it may be truncated ({})", name_,
           error.text());
    (void)source.release();  // the archive owns it now
  }
  zip_stat_t describe(zip_uint64_t index) const {
    zip_stat_t entry;
    zip_stat_init(&entry);
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                    ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(zip_.get(), index, 0, &entry) != 0 || (entry.valid & needed) != needed)
      fail(ErrorCategory::BadData, "{}: entry {} is damaged", name_, index);
    if (!safe_name(entry.name))
      fail(ErrorCategory::BadData, "{}: an entry is called '{}'; such names are refused", name_, entry.name);
    if (entry.encryption_method != ZIP_EM_NONE)
      fail(ErrorCategory::BadData, "{}: entry '{}' is encrypted; save it without a password", name_,
           entry.name);
    if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
      fail(ErrorCategory::BadData,
           "{}: entry '{}' is compressed in a way numpy does not use; save it with numpy.savez", name_,
           entry.name);
    if (!believable(entry))
      fail(ErrorCategory::BadData,
           "{}: entry '{}' claims to unpack to {}, which its {} compressed bytes cannot hold", name_,
           entry.name, human_bytes(static_cast<double>(entry.size)), entry.comp_size);
    return entry;
  }
  [[noreturn]] void damaged(const Listed& entry, std::string_view why) const {
    fail(ErrorCategory::BadData, "{}: entry '{}' is damaged: {}", name_, entry.name, why);
  }

  std::string name_;
  ArchiveLimits limits_;
  std::uint64_t file_size_;
  Zip zip_;
};

Archive read_all(const Reader& reader) {
  const std::vector<Listed> entries = reader.list();
  std::uint64_t total = 0;  // no overflow: each size is at most 1032 times a part of the file
  for (const Listed& entry : entries) total += entry.size;
  reader.check_total(total);
  Archive archive;
  for (const Listed& entry : entries) archive.push_back({entry.name, reader.read(entry)});
  return archive;
}

void add_entry(zip_t* zip, const ArchiveEntry& entry) {
  Source source(zip_source_buffer(zip, entry.bytes.data(), entry.bytes.size(), 0));
  const zip_int64_t index =
      source ? zip_file_add(zip, entry.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8) : zip_int64_t{-1};
  if (index < 0)
    fail(ErrorCategory::Internal, "cannot add '{}' to an archive: {}", entry.name, zip_strerror(zip));
  (void)source.release();
  // Level 1: images held as doubles take a third of the time of level 6 (and 6% instead of 5% of their
  // size). Noise shrinks by 4% and takes 70 times as long as storing it: it is stored.
  // A fixed date (noon of 1980-01-01, the zip format's first day) makes equal content equal bytes.
  constexpr zip_uint16_t noon = 12 << 11, first_day = 1 << 5 | 1;
  const auto at = static_cast<zip_uint64_t>(index);
  const zip_int32_t method = is_worth_deflating(entry.bytes) ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
  if (zip_set_file_compression(zip, at, method, 1) != 0 ||
      zip_file_set_dostime(zip, at, noon, first_day, 0) != 0)
    fail(ErrorCategory::Internal, "cannot add '{}' to an archive: {}", entry.name, zip_strerror(zip));
}

std::vector<std::byte> drain(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    fail(ErrorCategory::Internal, "cannot read back an archive in memory");
  std::vector<std::byte> bytes(status.size);
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(bytes.size()))
    fail(ErrorCategory::Internal, "cannot read back an archive in memory");
  return bytes;
}

void check_writable(const Archive& entries) {
  if (entries.empty()) fail(ErrorCategory::InvalidArgument, "an archive needs at least one entry");
  std::set<std::string_view> seen;
  for (const ArchiveEntry& entry : entries) {
    if (!safe_name(entry.name) || entry.name.ends_with('/'))
      fail(ErrorCategory::InvalidArgument, "an archive's entry cannot be called '{}'", entry.name);
    if (!seen.insert(entry.name).second)
      fail(ErrorCategory::InvalidArgument, "two entries of an archive are called '{}'", entry.name);
  }
}

}  // namespace

Archive read_archive(const std::filesystem::path& path, const ArchiveLimits& limits) {
  return read_all(Reader(path, limits));
}

Archive read_archive(std::span<const std::byte> bytes, std::string_view name, const ArchiveLimits& limits) {
  return read_all(Reader(bytes, name, limits));
}

std::vector<std::byte> encode_archive(const Archive& entries) {
  check_writable(entries);
  ZipError error;
  const Source buffer(zip_source_buffer_create(nullptr, 0, 0, error.get()));
  Zip zip = opened(buffer, ZIP_TRUNCATE, error);
  if (!zip) fail(ErrorCategory::Internal, "cannot make an archive in memory: {}", error.text());
  zip_source_keep(buffer.get());  // the archive frees its own hold; ours is for reading back
  for (const ArchiveEntry& entry : entries) add_entry(zip.get(), entry);
  if (zip_close(zip.get()) != 0)
    fail(ErrorCategory::Internal, "cannot make an archive in memory: {}", zip_strerror(zip.get()));
  (void)zip.release();
  return drain(buffer.get());
}

void write_archive(const std::filesystem::path& path, const Archive& entries, Privacy privacy) {
  write_file_atomically(path, encode_archive(entries), privacy);
}

std::vector<std::string> archive_names(const std::filesystem::path& path, const ArchiveLimits& limits) {
  std::vector<std::string> names;
  for (Listed& entry : Reader(path, limits).list()) names.push_back(std::move(entry.name));
  return names;
}

std::vector<std::byte> read_archive_entry(const std::filesystem::path& path, std::string_view entry,
                                          const ArchiveLimits& limits) {
  const Reader reader(path, limits);
  std::string names;
  for (const Listed& listed : reader.list()) {
    if (listed.name == entry) {
      reader.check_total(listed.size);
      return reader.read(listed);
    }
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + listed.name;
  }
  fail(ErrorCategory::BadData, "{}: has no entry '{}'; it has: {}", reader.name(), entry, names);
}

}  // namespace choir
