#include "choir/data/unpacking_reader.h"

#include <string>

#include "data/gzip_support.h"
#include "data/stream_support.h"

namespace choir {
namespace {

std::string read_all(UnpackingReader& file, std::size_t at_once) {
  std::string all;
  std::string part(at_once, '\0');
  while (const std::size_t got = file.read_some(std::as_writable_bytes(std::span(part))))
    all.append(part, 0, got);
  return all;
}

std::string numbers() {
  std::string text;
  for (int i = 0; text.size() < 500'000; ++i) text += std::to_string(i) + '\n';
  return text;
}

TEST(UnpackingReader, ReadsTheSameFromPackedAndPlainFilesAgainAndAgain) {
  const std::string text = numbers();
  const std::string half = text.substr(0, 200'000), rest = text.substr(200'000);
  for (const std::string& content : {text, gzip(text), gzip(half) + gzip(rest)}) {
    const TextFile file(content);
    for (const std::size_t at_once : {7u, 65'536u, 3'000'000u}) {
      UnpackingReader reader{FileReader(file.source())};
      EXPECT_EQ(read_all(reader, at_once), text);
      ASSERT_TRUE(reader.can_rewind());
      reader.rewind();
      EXPECT_EQ(read_all(reader, 1000), text);
    }
  }
}

TEST(UnpackingReader, KeepsShortTexts) {
  for (const std::string_view text : {"", "\x1f", "1", "\x1f\n"}) {
    const TextFile file(text);
    UnpackingReader reader{FileReader(file.source())};
    EXPECT_EQ(read_all(reader, 10), text);
  }
}

TEST(UnpackingReader, RefusesWhatIsDamagedOrCut) {
  std::string packed = gzip(numbers());
  const TextFile cut(packed.substr(0, packed.size() / 2));
  UnpackingReader short_one{FileReader(cut.source())};
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { read_all(short_one, 1000); }), HasSubstr("truncated"));
  for (std::size_t at = 1000; at < 1100; ++at) packed[at] = static_cast<char>(~packed[at]);
  const TextFile damaged(packed);
  UnpackingReader wrong{FileReader(damaged.source())};
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { read_all(wrong, 1000); }), HasSubstr("damaged"));
}

}  // namespace
}  // namespace choir
