#include "choir/data/svmlight_reader.h"

#include "data/support.h"

namespace choir {
namespace {

std::string svmlight_reader_refusal(std::string_view text) {
  return sentence(ErrorCategory::BadData, [&] { decode_svmlight(text, "x.svm"); });
}

TEST(Svmlight, ReadsFromOne) {
  const Dataset table = decode_svmlight("# made by hand\n1 1:0.5 3:2 # tail\r\n\n-1 2:-4\n+3\n", "x.svm");
  Samples expected(3, 3);
  expected << 0.5, 0, 0, 0, -4, 0, 2, 0, 0;
  EXPECT_EQ(table.samples, expected);
  EXPECT_THAT(table.labels, ElementsAre(1, -1, 3));
}

TEST(Svmlight, CountsFromZeroIfAnIndexIsZero) {
  const Dataset table = decode_svmlight("1 1:5\n2 0:6 1:7", "x.svm");
  Samples expected(2, 2);
  expected << 0, 6, 5, 7;
  EXPECT_EQ(table.samples, expected);
}

TEST(Svmlight, ReadsPastQueryIds) {
  const Dataset table = decode_svmlight("2 qid:11 1:3\n1 qid:12\n", "x.svm");
  EXPECT_EQ(table.samples(0, 0), 3);
  EXPECT_EQ(table.size(), 2);
}

TEST(Svmlight, RefusesWhatItCannotRead) {
  EXPECT_THAT(svmlight_reader_refusal("1 1:2\nx 1:2\n"),
              AllOf(HasSubstr("x.svm: line 2"), HasSubstr("'x' is not a number")));
  EXPECT_THAT(svmlight_reader_refusal("1 1:2 3\n"), HasSubstr("'3' is not index:value"));
  EXPECT_THAT(svmlight_reader_refusal("1 -1:2\n"), HasSubstr("not index:value"));
  EXPECT_THAT(svmlight_reader_refusal("1 1:\n"), HasSubstr("not index:value"));
  EXPECT_THAT(svmlight_reader_refusal("1 2:1 2:3\n"),
              HasSubstr("index 2 follows index 2; indices must ascend"));
  EXPECT_THAT(svmlight_reader_refusal("1 1:1 qid:3\n"), HasSubstr("not index:value"));
  EXPECT_THAT(svmlight_reader_refusal("0.5 1:1\n"), AllOf(HasSubstr("line 1"), HasSubstr("integers")));
  EXPECT_THAT(svmlight_reader_refusal("\n# nothing"), HasSubstr("no data"));
  EXPECT_THAT(svmlight_reader_refusal("1\n2\n"), HasSubstr("no line has an index:value"));
}

TEST(Svmlight, RefusesAnAbsurdIndexBeforeAllocating) {
  for (const char* text :
       {"1 9223372036854775807:1\n", "1 0:1 9223372036854775807:1\n", "1 4000000000000:1\n"}) {
    EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [&] { decode_svmlight(text, "x.svm"); }),
                HasSubstr("x.svm"));
  }
}

TEST(Svmlight, IsRecognised) {
  EXPECT_TRUE(looks_like_svmlight("1 3:0.5"));
  EXPECT_TRUE(looks_like_svmlight("-1.0 qid:3 1:2 # c"));
  EXPECT_FALSE(looks_like_svmlight("1 2 3"));
  EXPECT_FALSE(looks_like_svmlight("1,2:3"));
  EXPECT_FALSE(looks_like_svmlight("12:30 1:2"));
  EXPECT_FALSE(looks_like_svmlight(""));
}

}  // namespace
}  // namespace choir
