#include "choir/data/shards.h"

#include <array>

#include "data/support.h"

#include "choir/data/writer.h"

namespace choir {
namespace {

Dataset labelled_table() {
  Dataset dataset;
  dataset.samples = table(0);
  dataset.labels = {7, 0, 7, 3};
  dataset.keys = {"a", "b", "c", "d"};
  dataset.source = "table.npy";
  dataset.type = "uint8";
  return dataset;
}

TEST(TakeSamples, KeepsOrderLabelsKeysAndOrigin) {
  const std::array<Index, 3> chosen = {3, 0, 3};
  const Dataset some = take_samples(labelled_table(), chosen);
  EXPECT_EQ(some.samples.col(0), table(0).col(3));
  EXPECT_EQ(some.samples.col(1), table(0).col(0));
  EXPECT_THAT(some.labels, ElementsAre(3, 7, 3));
  EXPECT_THAT(some.keys, ElementsAre("d", "a", "d"));
  EXPECT_EQ(some.source, "table.npy");
  EXPECT_EQ(some.type, "uint8");
  const std::array<Index, 1> outside = {4};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { take_samples(labelled_table(), outside); }),
              HasSubstr("no sample 4"));
}

TEST(TakeFeatures, KeepsAllSamples) {
  const std::array<Index, 2> chosen = {2, 0};
  const Dataset some = take_features(labelled_table(), chosen);
  EXPECT_EQ(some.samples.row(0), table(0).row(2));
  EXPECT_EQ(some.samples.row(1), table(0).row(0));
  EXPECT_EQ(some.labels, labelled_table().labels);
  EXPECT_EQ(some.keys, labelled_table().keys);
  const std::array<Index, 1> outside = {-1};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { take_features(labelled_table(), outside); }),
              HasSubstr("no feature -1"));
}

TEST(SelectLabels, KeepsTheSamplesThatHaveThem) {
  const std::array<std::int64_t, 2> wanted = {3, 7};
  const Dataset some = select_labels(labelled_table(), wanted);
  EXPECT_THAT(some.labels, ElementsAre(7, 7, 3));
  EXPECT_THAT(some.keys, ElementsAre("a", "c", "d"));
  EXPECT_EQ(some.samples.col(1), table(0).col(2));
}

TEST(SelectLabels, SaysWhatIsMissing) {
  const std::array<std::int64_t, 2> wanted = {7, 5};
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { select_labels(labelled_table(), wanted); }),
              HasSubstr("no sample of table.npy has the label 5"));
  Dataset bare = labelled_table();
  bare.labels.clear();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { select_labels(bare, wanted); }),
              HasSubstr("table.npy has no labels"));
  EXPECT_THROW(select_labels(labelled_table(), {}), Error);
}

TEST(Concatenate, PutsShardsOneAfterTheOther) {
  std::vector<Dataset> shards = {labelled_table(), labelled_table()};
  const Dataset all = concatenate(shards);
  EXPECT_EQ(all.samples.leftCols(4), table(0));
  EXPECT_EQ(all.samples.rightCols(4), table(0));
  EXPECT_THAT(all.labels, ElementsAre(7, 0, 7, 3, 7, 0, 7, 3));
  EXPECT_THAT(all.keys, ElementsAre("a", "b", "c", "d", "a", "b", "c", "d"));
  shards[1].labels.clear();
  shards[0].keys.clear();
  EXPECT_THAT(concatenate(shards).labels, IsEmpty());
  EXPECT_THAT(concatenate(shards).keys, IsEmpty());
  EXPECT_THROW(concatenate({}), Error);
}

TEST(Concatenate, RefusesShardsOfDifferentWidth) {
  std::vector<Dataset> shards(4, labelled_table());
  shards[3].samples.resize(2, 4);
  shards[3].source = "data/part-3.npy";
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [&] { concatenate(shards); }),
      HasSubstr(
          "shard 3 has 2 features but shard 0 has 3 (data/part-3.npy); all shards need the same columns"));
}

TEST(ShardPattern, IsExpanded) {
  EXPECT_TRUE(is_shard_pattern("part-{node}.npy"));
  EXPECT_TRUE(is_shard_pattern("{rank}/x.npy"));
  EXPECT_FALSE(is_shard_pattern("part-0.npy"));
  EXPECT_EQ(expand_shard_pattern("{node}/part-{rank}-{node}.npz:x", 12), "12/part-12-12.npz:x");
}

TEST(ReadShards, ReadsOneFilePerNodeWithItsLabelsAndKeys) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> labels = {5, 6, 7, 8};
  for (const char* node : {"0", "1"}) {
    write_samples(folder / (std::string("part-") + node + ".npy"), table(0.5));
    write_labels(folder / (std::string("labels-") + node + ".npy"), labels);
  }
  const std::string pattern = (folder / "part-{node}.npy").string();
  const std::string beside = (folder / "labels-{node}.npy").string();
  const std::vector<Dataset> shards = read_shards(pattern, 2, {.labels = beside, .key = beside});
  ASSERT_EQ(shards.size(), 2u);
  EXPECT_EQ(shards[1].samples, table(0.5));
  EXPECT_EQ(shards[1].labels, labels);
  EXPECT_THAT(shards[1].keys, ElementsAre("5", "6", "7", "8"));
  EXPECT_EQ(shards[1].source, (folder / "part-1.npy").string());

  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { read_shards(pattern, 3); }), HasSubstr("part-2.npy"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { read_shards("part.npy", 2); }),
              HasSubstr("{node}"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { read_shards(pattern, 0); }),
              HasSubstr("at least 1"));
  write_samples(folder / "part-1.npy", table(0).topRows(2));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { read_shards(pattern, 2); }),
              HasSubstr("shard 1 has 2 features"));
}

}  // namespace
}  // namespace choir
