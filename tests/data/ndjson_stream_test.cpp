#include "choir/data/ndjson_stream.h"

#include "data/stream_support.h"
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

namespace choir {
namespace {

std::unique_ptr<RowSource> open(const TextFile& file, const std::string& target = {}) {
  return open_ndjson_rows(file.window(), target);
}

std::string ndjson_stream_refusal(std::string_view text, const std::string& target = {}) {
  const TextFile file(text, "x.ndjson");
  return sentence(ErrorCategory::BadData, [&] { rows_of(*open(file, target)); });
}

TEST(NdjsonStream, ReadsObjectsAndLists) {
  for (const char* text : {"{\"x\": [1, 2], \"y\": 7}\n{\"x\": [3, 4], \"y\": -0.5}\n",
                           "\n {\"y\":7,\"note\":\"a \\\" b\",\"x\":[1,2e0]} \r\n\n{\"x\":[3,4],\"y\":-0.5}",
                           "[1, 2, 7]\n[3, 4, -0.5]\n"}) {
    const TextFile file(text);
    const auto rows = open(file);
    ASSERT_TRUE(rows->has_targets()) << text;
    const TargetedSamples all = rows_of(*rows);
    EXPECT_EQ(all.samples, (Samples(2, 2) << 1, 3, 2, 4).finished()) << text;
    EXPECT_EQ(all.targets, (Vector(2) << 7, -0.5).finished()) << text;
  }
}

TEST(NdjsonStream, NeedsNoTargets) {
  const TextFile file("{\"x\": [1, 2]}\n{\"x\": [3, 4], \"y\": 1}\n");
  const auto rows = open(file);
  EXPECT_FALSE(rows->has_targets());
  EXPECT_EQ(rows_of(*rows).samples.cols(), 2);
}

TEST(NdjsonStream, TakesTargetsFromAnotherMember) {
  const TextFile file("{\"x\": [1], \"y\": 7, \"kind\": 2}\n");
  EXPECT_EQ(rows_of(*open(file, "kind")).targets[0], 2);
  EXPECT_FALSE(open(file, "labels.npy")->has_targets());
}

TEST(NdjsonStream, PassesOverLinesWithoutLookingAtThemAndBeginsAgain) {
  const TextFile file("[1, 0]\nno json\n[3, 1]\n");
  const auto rows = open(file);
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(rows->skip(2), 2u);
    EXPECT_EQ(rows_of(*rows).samples(0, 0), 3);
    EXPECT_EQ(rows->skip(1), 0u);
    rows->rewind();
  }
}

TEST(NdjsonStream, RefusesWithTheLine) {
  const std::pair<const char*, const char*> refused[] = {
      {"[1, 2]\n\n[1, 2, 3]\n", "line 3 has 2 features but the first line has 1"},
      {"[1, 2]\n[]\n", "line 2 has 0 features"},
      {"[1, 2]\n[1e999, 2]\n", "line 2"},
      {"[1, 2]\n[NaN, 2]\n", "line 2 is not a JSON"},
      {"[1, 2]\n[\"1\", 2]\n", "line 2: number 1 is not a number (string)"},
      {"[1, 2]\n[1, null]\n", "line 2: the target is not a number (null)"},
      {"[1, 2]\n{\"x\": [1], \"y\": 2}\n", "line 2 is not understood"},
      {"{\"x\": [1], \"y\": 2}\n[1, 2]\n", "line 2 is not understood"},
      {"{\"x\": [1], \"y\": 2}\n{\"x\": [1]}\n", "line 2 has no \"y\""},
      {"{\"x\": [[1]], \"y\": 2}\n", "number 1 is not a number (array)"},
      {"{\"x\": 1}\n", "not understood"},
      {"[1]\n", "line 1 has no features"},
      {"3\n", "not understood"},
      {" \n\n", "no data"},
  };
  for (const auto& [text, words] : refused)
    EXPECT_THAT(ndjson_stream_refusal(text), HasSubstr(words)) << text;
  EXPECT_THAT(ndjson_stream_refusal("[1, 2]\n[1, \n"),
              AllOf(HasSubstr("x.ndjson: line 2"), HasSubstr("not a JSON")));
  EXPECT_THAT(ndjson_stream_refusal("[1, 2]\n", "label"), HasSubstr("'label' cannot be found"));
}

TEST(NdjsonStream, GoesOnBehindABadLineAndTakesTargetsByARule) {
  const TextFile file("[1, \"dog\"]\n[2, \"emu\"]\nno json\n[3, null]\n[4, \"cat\"]\n");
  const auto rows = open_ndjson_rows(file.window(), {}, word_labels({"cat", "dog"}));
  std::vector<double> row(1), target(1);
  const auto read = [&] { return rows->read(1, row, target); };
  EXPECT_EQ(read(), 1);
  EXPECT_EQ(target[0], 1);
  EXPECT_THAT(sentence(ErrorCategory::BadData, read),
              HasSubstr("line 2: the target is 'emu', which is not one of the classes cat, dog"));
  EXPECT_THROW(read(), BadRow);
  EXPECT_THAT(sentence(ErrorCategory::BadData, read), HasSubstr("line 4: the target is 'null'"));
  EXPECT_EQ(read(), 1);
  EXPECT_EQ(row[0] + target[0], 4);
}

TEST(NdjsonStream, KnowsAWholeRecord) {
  for (const char* line : {"[1, 2]", " {\"x\": [1]} "}) EXPECT_TRUE(is_json_record(line)) << line;
  for (const char* line : {"5, 2]", "1", "\"x\": [1]}", ""}) EXPECT_FALSE(is_json_record(line)) << line;
}

TEST(NdjsonStream, RefusesDeeplyNestedValues) {
  const std::string deep(200'000, '[');
  EXPECT_THAT(ndjson_stream_refusal("[1, " + deep + std::string(200'000, ']') + "]\n"),
              HasSubstr("not a number"));
}

TEST(NdjsonStream, ReadsBackWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const auto features = *rc::gen::inRange(1, 50);
    const auto count = *rc::gen::inRange(1, 300);
    const auto values = *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(features * count),
                                                                 rc::gen::arbitrary<double>());
    const Samples samples = Eigen::Map<const Samples>(values.data(), features, count);
    RC_PRE(samples.allFinite());
    std::string text;
    for (Index n = 0; n < count; ++n) {
      const Vector column = samples.col(n);
      const nlohmann::json line = {{"x", std::vector<double>(column.begin(), column.end())}, {"y", n}};
      text += line.dump() + '\n';
    }
    const TextFile file(text);
    const TargetedSamples all = rows_of(*open(file));
    RC_ASSERT(all.samples == samples);
    RC_ASSERT(all.targets == Vector::LinSpaced(count, 0, static_cast<double>(count - 1)));
  }));
}

}  // namespace
}  // namespace choir
