#include "choir/data/text_window.h"

#include "data/stream_support.h"

namespace choir {
namespace {

TEST(TextWindow, ShowsAllOfATextHoweverMuchOfItIsKept) {
  std::string text;
  for (int i = 0; text.size() < 300'000; ++i) text += std::to_string(i) + '\n';
  const TextFile file(text);
  for (const std::size_t kept : {0, 1, 1000, 60'000}) {
    TextWindow window = file.window();
    std::string seen;
    std::string_view view = window.text();
    while (true) {
      const std::size_t keep = window.at_end() ? 0 : std::min(kept, view.size());
      seen += view.substr(0, view.size() - keep);
      if (window.at_end()) break;
      view = window.more(keep);
    }
    EXPECT_EQ(seen, text) << kept;
  }
}

TEST(TextWindow, DoesNotGrowWithTheText) {
  const TextFile file(std::string(20'000'000, 'x'));
  TextWindow window = file.window();
  std::size_t seen = window.text().size();
  while (!window.at_end()) seen += window.more(0).size();
  EXPECT_EQ(seen, 20'000'000u);
  EXPECT_LE(window.capacity(), 65'536u);
}

TEST(TextWindow, GrowsWithALineUpToALimit) {
  const TextFile file(std::string(1'000'000, 'x'));
  TextWindow roomy(FileReader(file.source()), {.limit = 2'000'000});
  while (!roomy.at_end()) roomy.more(roomy.text().size());
  EXPECT_EQ(roomy.text().size(), 1'000'000u);
  TextWindow narrow(FileReader(file.source()), {.limit = 500'000});
  const auto look = [&] {
    while (!narrow.at_end()) narrow.more(narrow.text().size());
  };
  EXPECT_THAT(sentence(ErrorCategory::BadData, look),
              AllOf(HasSubstr("x.csv has a line of more than 488.3 KiB"), HasSubstr("never closed")));
  EXPECT_LE(narrow.capacity(), 500'000u);
}

TEST(TextWindow, PassesOverAUtf8MarkInEveryPass) {
  const TextFile file(
      "\xef\xbb\xbf"
      "1,2\n");
  TextWindow window = file.window();
  EXPECT_EQ(window.text(), "1,2\n");
  ASSERT_TRUE(window.can_rewind());
  window.rewind();
  EXPECT_EQ(window.text(), "1,2\n");
  EXPECT_EQ(window.more(2), "2\n");
  EXPECT_TRUE(window.at_end());
  EXPECT_EQ(TextFile("\xef\xbb").window().more(2), "\xef\xbb");
}

TEST(TextWindow, PassesOverWhatItShows) {
  TextWindow window("one\ntwo\n", "x");
  window.pass_over(4);
  EXPECT_EQ(window.text(), "two\n");
}

}  // namespace
}  // namespace choir
