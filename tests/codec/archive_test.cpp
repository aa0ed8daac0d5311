#include "choir/codec/archive.h"

#include <cstdlib>

#include "codec/support.h"
#include <gtest/gtest.h>
#include <zip.h>

#include "choir/base/rng.h"
#include "choir/codec/npy.h"

namespace choir {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

// Where the central directory's record of the first entry begins.
std::size_t central_record(const std::vector<std::byte>& zip) {
  const std::string_view text(reinterpret_cast<const char*>(zip.data()), zip.size());
  return text.find(std::string_view("PK\x01\x02", 4));
}

std::string refusal(std::span<const std::byte> bytes, const ArchiveLimits& limits = {}) {
  return sentence(ErrorCategory::BadData, [&] { read_archive(bytes, "test.npz", limits); });
}

TEST(Archive, ReadsWhatNumpyWrites) {
  const Archive stored = read_archive(codec_fixture("stored.npz"));
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].name, "images.npy");
  EXPECT_THAT(to_doubles(decode_npy(stored[0].bytes, "images")), ElementsAre(0, 1, 2, 3, 4, 100));
  EXPECT_THAT(archive_names(codec_fixture("deflated.npz")), ElementsAre("images.npy", "labels.npy"));
  const auto labels = read_archive_entry(codec_fixture("deflated.npz"), "labels.npy");
  EXPECT_THAT(to_doubles(decode_npy(labels, "labels")), ElementsAre(3, 8));
}

TEST(Archive, NamesTheEntriesWhenOneIsMissing) {
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [] { read_archive_entry(codec_fixture("stored.npz"), "x.npy"); }),
      HasSubstr("has no entry 'x.npy'; it has: images.npy, labels.npy"));
}

TEST(Archive, RoundTripsAnyBytes) {
  const TemporaryFolder folder;
  Rng rng(3, Purpose("archive round trip"));
  Archive entries = {{"empty", {}}, {"folder/text", bytes_of("choir")}};
  for (const std::size_t size : {std::size_t{1}, std::size_t{70'000}}) {
    std::vector<std::byte> noise(size);
    for (std::byte& byte : noise) byte = static_cast<std::byte>(rng.below(256));
    entries.push_back({"noise-" + std::to_string(size), noise});
  }
  write_archive(folder / "a.npz", entries);
  const Archive back = read_archive(folder / "a.npz");
  ASSERT_EQ(back.size(), entries.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].name, entries[i].name);
    EXPECT_EQ(back[i].bytes, entries[i].bytes);
  }
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Archive, SameEntriesGiveTheSameBytesInEveryTimeZone) {
  const Archive entries = {{"a", bytes_of("one")}, {"b", bytes_of("two")}};
  const auto here = encode_archive(entries);
  const char* before = std::getenv("TZ");
  const std::string saved = before ? before : "";
  for (const char* zone : {"UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"}) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    EXPECT_EQ(encode_archive(entries), here) << zone;
  }
  before ? ::setenv("TZ", saved.c_str(), 1) : ::unsetenv("TZ");
  ::tzset();
}

TEST(Archive, RefusesToWriteNothingTwinsAndClimbers) {
  const auto message = [](const Archive& entries) {
    return sentence(ErrorCategory::InvalidArgument, [&] { encode_archive(entries); });
  };
  EXPECT_THAT(message({}), HasSubstr("at least one entry"));
  EXPECT_THAT(message({{"a", {}}, {"a", {}}}), HasSubstr("two entries of an archive are called 'a'"));
  EXPECT_THAT(message({{"../a", {}}}), HasSubstr("cannot be called '../a'"));
}

TEST(Archive, RefusesWhatIsNotAnArchive) {
  EXPECT_THAT(refusal({}), HasSubstr("not a zip archive"));
  EXPECT_THAT(refusal(bytes_of("\x93NUMPY")), HasSubstr("not a zip archive"));
  EXPECT_THAT(refusal(bytes_of("PK but nothing else")), HasSubstr("may be truncated"));
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { read_archive("/no/such.npz"); }),
              HasSubstr("cannot open /no/such.npz"));
}

TEST(Archive, RefusesEveryTruncation) {
  const auto whole =
      encode_archive({{"a", bytes_of("some text, some text, some text")}, {"b", bytes_of("more")}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(refusal({whole.data(), length}), HasSubstr("test.npz: ")) << length;
}

TEST(Archive, NeverReturnsAlteredContent) {
  const Archive entries = {{"a", bytes_of("some text, some text, some text")}, {"b", bytes_of("more")}};
  const auto whole = encode_archive(entries);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto altered = whole;
    altered[at] ^= std::byte{0x15};
    try {
      const Archive back = read_archive(altered, "altered");
      for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i].bytes, entries[i].bytes) << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::BadData) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, whole.size() / 4);  // the rest are dates, attributes and the like
}

TEST(Archive, RefusesAWrongChecksum) {
  auto bytes = encode_archive({{"a", bytes_of("text")}});
  bytes[central_record(bytes) + 16] ^= std::byte{1};
  bytes[14] ^= std::byte{1};  // the copy in the local header
  EXPECT_THAT(refusal(bytes), HasSubstr("entry 'a' is damaged: CRC error"));
}

TEST(Archive, RefusesNamesThatClimbOut) {
  for (const std::string_view name : {"../../etc", "/etc/pass", "a/../../b", "a\\..\\..b"}) {
    auto bytes = encode_archive({{std::string(name.size(), 'x'), bytes_of("text")}});
    for (const std::size_t at : {std::size_t{30}, central_record(bytes) + 46})
      std::copy_n(bytes_of(name).begin(), name.size(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_THAT(refusal(bytes), HasSubstr("such names are refused")) << name;
  }
}

TEST(Archive, RefusesTwins) {
  auto bytes = encode_archive({{"a", bytes_of("text")}, {"b", bytes_of("text")}});
  for (std::size_t at = 4; at < bytes.size(); ++at)
    if (bytes[at] == std::byte{'b'}) bytes[at] = std::byte{'a'};
  EXPECT_THAT(refusal(bytes), HasSubstr("two entries called 'a'"));
}

TEST(Archive, RefusesEncryptedEntries) {
  const TemporaryFolder folder;
  const std::string path = (folder / "secret.zip").string();
  zip_t* zip = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  ASSERT_NE(zip, nullptr);
  const auto index = zip_file_add(zip, "a.npy", zip_source_buffer(zip, "text", 4, 0), 0);
  zip_file_set_encryption(zip, static_cast<zip_uint64_t>(index), ZIP_EM_AES_128, "password");
  ASSERT_EQ(zip_close(zip), 0);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { read_archive(path); }),
              HasSubstr("'a.npy' is encrypted"));
}

TEST(Archive, KeepsToItsLimits) {
  const auto bytes =
      encode_archive({{"a", std::vector<std::byte>(100'000)}, {"b", std::vector<std::byte>(100'000)}});
  EXPECT_THAT(refusal(bytes, {.max_total_bytes = 150'000}),
              HasSubstr("unpacks to 195.3 KiB, more than the 146.5 KiB"));
  EXPECT_THAT(refusal(bytes, {.max_entries = 1}), HasSubstr("2 entries; at most 1"));
  EXPECT_NO_THROW(read_archive(bytes, "test.npz", {.max_total_bytes = 200'000, .max_entries = 2}));
}

TEST(Archive, RefusesSizesThatTheFileCannotHold) {
  auto bytes = encode_archive({{"a", std::vector<std::byte>(1000)}});
  bytes[central_record(bytes) + 24 + 3] = std::byte{0x40};  // a gigabyte out of a few bytes
  EXPECT_THAT(refusal(bytes), HasSubstr("claims to unpack to 1.0 GiB"));
}

// Two records of the directory that point to the same compressed bytes: the way of the large zip bombs.
TEST(Archive, RefusesEntriesThatShareTheirBytes) {
  Archive entries;
  for (int i = 0; i < 4; ++i)
    entries.push_back({std::string(1, static_cast<char>('a' + i)), std::vector<std::byte>(1'000'000)});
  const auto whole = encode_archive(entries);
  const auto first = encode_archive({entries[0]});
  const std::size_t local = central_record(first);      // one local entry
  const std::size_t directory = central_record(whole);  // four records
  std::vector<std::byte> bomb(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(local));
  bomb.insert(bomb.end(), whole.begin() + static_cast<std::ptrdiff_t>(directory), whole.end());
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bomb[at + i] = static_cast<std::byte>(value >> (8 * i));
  };
  put(bomb.size() - 6, static_cast<std::uint32_t>(local));          // where the directory begins
  for (std::size_t i = 0; i < 4; ++i) put(local + i * 47 + 42, 0);  // each at offset 0
  EXPECT_THAT(refusal(bomb), HasSubstr("claim more bytes than the file has"));
}

}  // namespace
}  // namespace choir
