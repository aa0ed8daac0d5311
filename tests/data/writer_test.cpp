#include "choir/data/writer.h"

#include <algorithm>

#include "data/support.h"
#include <rapidcheck.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

TEST(Writer, GivesBackTheSameNumbersInEveryFormat) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    const Index features = *rc::gen::inRange<Index>(1, 6);
    const Index count = *rc::gen::inRange<Index>(1, 6);
    Samples samples(features, count);
    Rng rng(seed, Purpose("test"));
    for (double& value : samples.reshaped()) value = rng.normal() * std::pow(10.0, rng.uniform(-300, 300));
    for (const char* name : {"x.npy", "x.npz", "x.csv", "x.tsv"}) {
      write_samples(folder / name, samples);
      RC_ASSERT(read_dataset((folder / name).string()).samples == samples);
    }
  }));
}

TEST(Writer, WhatItWritesOfSamplesIsItsOwnersAlone) {
  const TemporaryFolder folder;
  for (const char* name : {"x.npy", "x.npz", "x.csv"}) {
    write_samples(folder / name, table(0));
    EXPECT_EQ(mode_of(folder / name), 0600u) << name;
    write_labels(folder / name, std::vector<std::int64_t>{1, 2});
    EXPECT_EQ(mode_of(folder / name), 0600u) << name;
  }
  write_words(folder / "words.csv", std::vector<std::string>{"ill", "well"});
  EXPECT_EQ(mode_of(folder / "words.csv"), 0600u);
}

TEST(Writer, WritesAMatrixWithItsRowsAsSamples) {
  const TemporaryFolder folder;
  const Matrix scores = (Matrix(2, 3) << 1, 2, 3, 4, 5, 6.5).finished();
  write_matrix(folder / "scores.csv", scores);
  EXPECT_EQ(as_text(read_file(folder / "scores.csv")), "1,2,3\n4,5,6.5\n");
  write_matrix(folder / "scores.npy", scores.leftCols(2));
  EXPECT_EQ(read_dataset((folder / "scores.npy").string()).samples, scores.leftCols(2).transpose());
}

TEST(Writer, WritesAViewOfSomeColumns) {
  const TemporaryFolder folder;
  write_samples(folder / "x.npy", table(0).middleCols(1, 2));
  EXPECT_EQ(read_dataset((folder / "x.npy").string()).samples, table(0).middleCols(1, 2));
}

TEST(Writer, WritesLabelsAsWholeNumbers) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> labels = {3, -1, 9007199254740993};
  write_labels(folder / "labels.csv", labels);
  EXPECT_EQ(as_text(read_file(folder / "labels.csv")), "3\n-1\n9007199254740993\n");
  const std::vector<std::int64_t> some = {7, 0, 7};
  for (const char* name : {"labels.npy", "labels.npz"}) {
    write_labels(folder / name, some);
    const Dataset back = read_dataset((folder / name).string());
    EXPECT_EQ(back.type, "int64");
    EXPECT_EQ(back.samples, (Samples(1, 3) << 7, 0, 7).finished());
  }
}

TEST(Writer, PutsSeveralArraysIntoOneFile) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> labels = {1, 2, 3, 4};
  write_npz(folder / "both.npz", {samples_array("images", table(0.5)), labels_array("labels", labels)});
  const std::string file = (folder / "both.npz").string();
  const Dataset back = read_dataset(file + ":images", {.labels = file + ":labels"});
  EXPECT_EQ(back.samples, table(0.5));
  EXPECT_THAT(back.labels, ElementsAre(1, 2, 3, 4));
}

TEST(Writer, RefusesAnUnknownExtensionAndAMissingFolder) {
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { write_samples("x.mat", table(0)); }),
              HasSubstr("must end in .npy"));
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { write_samples("/nowhere/x.npy", table(0)); }),
              HasSubstr("/nowhere/x.npy"));
}

TEST(WriteWords, WritesOnePerLine) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"cat", "a, b", "say \"dog\""};
  write_words(folder / "words.csv", words);
  EXPECT_EQ(as_text(read_file(folder / "words.csv")), "cat\n\"a, b\"\n\"say \"\"dog\"\"\"\n");
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { write_words(folder / "words.npy", words); }),
              HasSubstr("words.npy; name a .csv or .tsv file"));
}

}  // namespace
}  // namespace choir
