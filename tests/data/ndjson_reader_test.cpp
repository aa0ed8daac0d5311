#include "choir/data/ndjson_reader.h"

#include "data/stream_support.h"

namespace choir {
namespace {

constexpr std::string_view objects =
    "\xef\xbb\xbf{\"x\": [1, 2], \"y\": 7, \"kind\": 1}\n\n{\"x\": [3, 4], \"y\": -1, \"kind\": 0}";

TEST(DecodeNdjson, TakesTargetsForLabels) {
  const Dataset dataset = decode_ndjson(objects, "x.ndjson");
  EXPECT_EQ(dataset.samples, (Samples(2, 2) << 1, 3, 2, 4).finished());
  EXPECT_THAT(dataset.labels, ElementsAre(7, -1));
  EXPECT_THAT(dataset.values, IsEmpty());
  EXPECT_THAT(decode_ndjson(objects, "x.ndjson", {.labels = "kind"}).labels, ElementsAre(1, 0));
  EXPECT_THAT(decode_ndjson("[1, 2, 7]\n[3, 4, 8]\n", "x").labels, ElementsAre(7, 8));
}

TEST(DecodeNdjson, TakesTargetsForValuesIfTheyAreAskedFor) {
  const std::string_view text = "[1, 0.5]\n[3, -2]\n";
  EXPECT_THAT(decode_ndjson(text, "x", {.real_labels = true}).values, ElementsAre(0.5, -2));
  EXPECT_THAT(decode_ndjson(text, "x").labels, IsEmpty()) << "nobody asked for labels";
  const std::string_view member = "{\"x\": [1], \"kind\": 0.5}\n";
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { decode_ndjson(member, "m", {.labels = "kind"}); }),
              HasSubstr("m: the target of row 1 is 0.5"));
}

TEST(DecodeNdjson, RefusesWhatHasNoRoom) {
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [] { decode_ndjson(objects, "x", {.max_bytes = 24}); }),
              HasSubstr("x"));
}

TEST(DecodeNdjson, IsWhatReadDatasetReadsWhateverTheName) {
  for (const char* name : {"x.ndjson", "x.jsonl", "x.txt", "x"}) {
    const TextFile file(objects, name);
    EXPECT_THAT(read_dataset(file.source()).labels, ElementsAre(7, -1)) << name;
  }
  const TextFile labels("4\n5\n", "labels.csv");
  const TextFile file("{\"x\": [1]}\n{\"x\": [2]}\n", "x.ndjson");
  EXPECT_THAT(read_dataset(file.source(), {.labels = labels.source()}).labels, ElementsAre(4, 5));
}

TEST(LooksLikeNdjson, TellsLinesFromCsvHeaders) {
  for (const char* text : {"{\"x\": [1]}", " \n[1, 2]", "[-1,2]", "{}", "[ 1"})
    EXPECT_TRUE(looks_like_ndjson(text)) << text;
  for (const char* text : {"", "1,2", "[V],[A]\n1,2", "{a},b\n"})
    EXPECT_FALSE(looks_like_ndjson(text)) << text;
}

}  // namespace
}  // namespace choir
