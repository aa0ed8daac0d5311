#include "choir/data/dataset.h"

#include <cmath>

#include "data/gzip_support.h"
#include "data/support.h"
#include "paths.h"

#include "choir/codec/npy.h"

namespace choir {
namespace {

std::string refusal(const std::string& source, const ReadOptions& options = {}) {
  return sentence(ErrorCategory::BadData, [&] { read_dataset(source, options); });
}

TEST(ReadDataset, ReadsEveryFormatToTheSameTable) {
  const TemporaryFolder folder;
  const std::string csv = "a,b,c\n0.5,1.5,2.5\n10.5,11.5,12.5\n20.5,21.5,22.5\n30.5,31.5,32.5\n";
  write_file_atomically(folder / "table.csv", csv);
  write_file_atomically(folder / "table.csv.gz", gzip(csv));
  write_file_atomically(
      folder / "table.svm",
      "1 1:0.5 2:1.5 3:2.5\n1 1:10.5 2:11.5 3:12.5\n2 1:20.5 2:21.5 3:22.5\n2 1:30.5 2:31.5 "
      "3:32.5\n");
  for (const std::string& source :
       {fixture("float64.npy"), fixture("one.npz"), fixture("two.npz:table"), fixture("f8.idx"),
        fixture("one.h5"), fixture("several.h5:/big_endian"), fixture("version5.mat"),
        fixture("version73.mat:table"), (folder / "table.csv").string(), (folder / "table.csv.gz").string(),
        (folder / "table.svm").string()}) {
    const Dataset dataset = read_dataset(source);
    EXPECT_EQ(dataset.samples, table(0.5)) << source;
    EXPECT_EQ(dataset.source, source);
  }
  EXPECT_EQ(read_dataset(fixture("cube-idx3-ubyte.gz")).samples, cube());
}

TEST(ReadDataset, ReadsLabelsFromAFileOfAnyFormat) {
  for (const char* labels : {"two.npz:labels", "labels.idx", "one.h5:/group/labels", "version5.mat:labels",
                             "version73.mat:labels"}) {
    EXPECT_THAT(read_dataset(fixture("float64.npy"), {.labels = fixture(labels)}).labels,
                ElementsAre(7, 0, 7, 3))
        << labels;
  }
}

TEST(ReadDataset, ReadsLabelsFromAColumnOrAFileBesideACsv) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.csv", "a,k\n1,7\n2,8\n");
  write_file_atomically(folder / "labels.csv", "k\n5\n6\n");
  const std::string table = (folder / "table.csv").string();
  EXPECT_THAT(read_dataset(table, {.labels = "k"}).labels, ElementsAre(7, 8));
  const Dataset beside = read_dataset(table, {.labels = (folder / "labels.csv").string()});
  EXPECT_THAT(beside.labels, ElementsAre(5, 6));
  EXPECT_EQ(beside.features(), 2);
  EXPECT_THAT(refusal(table, {.labels = "kind"}), AllOf(HasSubstr("'kind'"), HasSubstr("neither a column")));
}

TEST(ReadDataset, ReadsTablesWithoutSamplesIfAsked) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "header.csv", "a,b,k\n");
  write_file_atomically(folder / "rows.npy", encode_npy({.shape = {0, 3}}));
  write_file_atomically(folder / "columns.npy", encode_npy({.shape = {3, 0}}));
  const std::string header = (folder / "header.csv").string(), rows = (folder / "rows.npy").string();
  for (const std::string& source : {header, rows}) {
    const Dataset empty = read_dataset(source, {.allow_empty = true});
    EXPECT_EQ(empty.features(), 3);
    EXPECT_EQ(empty.size(), 0);
    EXPECT_THAT(refusal(source), HasSubstr("has no data"));
  }
  EXPECT_EQ(read_dataset(header, {.labels = "k", .allow_empty = true}).features(), 2);
  EXPECT_THAT(refusal((folder / "columns.npy").string(), {.allow_empty = true}), HasSubstr("has no data"));
}

TEST(ReadDataset, PrefersAFileOfLabelsToThoseInASvmlightFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.svm", "1 1:2\n2 1:3\n");
  write_file_atomically(folder / "labels.csv", "5\n6\n");
  const std::string table = (folder / "table.svm").string();
  EXPECT_THAT(read_dataset(table).labels, ElementsAre(1, 2));
  EXPECT_THAT(read_dataset(table, {.labels = (folder / "labels.csv").string()}).labels, ElementsAre(5, 6));
  EXPECT_THROW(read_dataset(table, {.labels = "nowhere"}), Error);
}

TEST(ReadDataset, ReadsLabelsThatAreNotWholeAsValuesIfAsked) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.svm", "1.5 1:2\n-2 1:3\n");
  write_file_atomically(folder / "labels.csv", "0.25\n6\n");
  const std::string table = (folder / "table.svm").string(), labels = (folder / "labels.csv").string();
  EXPECT_THAT(read_dataset(table, {.real_labels = true}).values, ElementsAre(1.5, -2));
  const Dataset beside = read_dataset(table, {.labels = labels, .real_labels = true});
  EXPECT_THAT(beside.values, ElementsAre(0.25, 6));
  EXPECT_TRUE(beside.labels.empty());
  write_file_atomically(folder / "table.svm", "nan 1:2\n");
  EXPECT_THAT(refusal(table, {.real_labels = true}), HasSubstr("line 1: the label is NaN"));
}

TEST(ReadDataset, RefusesLabelsThatDoNotFit) {
  EXPECT_THAT(refusal(fixture("cube.npy"), {.labels = fixture("labels.idx")}),
              AllOf(HasSubstr("labels.idx"), HasSubstr("2 labels are needed")));
  EXPECT_THAT(refusal(fixture("vector.npy"), {.labels = fixture("vector.npy")}),
              AllOf(HasSubstr("label 1 is 1.5"), HasSubstr("integers")));
  EXPECT_THAT(
      sentence(ErrorCategory::Io, [] { read_dataset(fixture("float64.npy"), {.labels = "nowhere.npy"}); }),
      HasSubstr("nowhere.npy"));
}

TEST(ReadDataset, ReadsKeysFromAFileOfWholeNumbersOrAColumn) {
  for (const char* keys : {"two.npz:labels", "labels.idx", "one.h5:/group/labels"}) {
    const Dataset dataset = read_dataset(fixture("float64.npy"), {.key = fixture(keys)});
    EXPECT_THAT(dataset.keys, ElementsAre("7", "0", "7", "3")) << keys;
    EXPECT_EQ(dataset.samples, table(0.5));
    EXPECT_TRUE(dataset.labels.empty());
  }
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.csv", "who,a\nanna,7\nbert,8\n");
  EXPECT_THAT(read_dataset((folder / "table.csv").string(), {.key = "who"}).keys,
              ElementsAre("anna", "bert"));
  EXPECT_TRUE(read_dataset(fixture("float64.npy")).keys.empty());
}

TEST(ReadDataset, RefusesKeysThatDoNotFit) {
  EXPECT_THAT(refusal(fixture("cube.npy"), {.key = fixture("labels.idx")}), HasSubstr("2 keys are needed"));
  EXPECT_THAT(refusal(fixture("vector.npy"), {.key = fixture("vector.npy")}),
              AllOf(HasSubstr("key 1 is no integer"), Not(HasSubstr("1.5"))));
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { read_dataset(fixture("float64.npy"), {.key = "ids"}); }),
              AllOf(HasSubstr("float64.npy"), HasSubstr("'ids' is not one"), HasSubstr("file.npz:ids")));
}

TEST(ReadDataset, NamesFileRowAndColumnOfWhatIsNotFinite) {
  EXPECT_THAT(refusal(fixture("nan.npy")), HasSubstr("nan.npy: row 3, column 2 is NaN"));
  EXPECT_THAT(refusal(fixture("inf.npy")), HasSubstr("inf.npy: row 3, column 2 is infinite"));
  EXPECT_TRUE(std::isnan(read_dataset(fixture("nan.npy"), {.allow_not_finite = true}).samples(1, 2)));
}

TEST(ReadDataset, RefusesWhatIsNotThereOrMakesNoSense) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "empty.csv", "");
  write_file_atomically(folder / "twice.gz", gzip(gzip("1,2\n")));
  write_file_atomically(folder / "wrong.npy", "1,2\n");
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { read_dataset("nowhere.npy"); }), HasSubstr("no such file"));
  EXPECT_THAT(refusal((folder / "empty.csv").string()), HasSubstr("is empty"));
  EXPECT_THAT(refusal((folder / "twice.gz").string()), HasSubstr("holds a packed file"));
  EXPECT_THAT(refusal((folder / "wrong.npy").string()), HasSubstr("not a .npy file"));
  EXPECT_THAT(refusal(fixture("float64.npy:key")), HasSubstr("'key' selects nothing"));
}

TEST(ReadDataset, ReadsTheDigitsInTheRepository) {
  const std::string file = datasets_folder() + "/digits.npz";
  const Dataset digits = read_dataset(file + ":images", {.labels = file + ":labels"});
  EXPECT_EQ(digits.features(), 784);
  EXPECT_EQ(digits.size(), 2000);
  EXPECT_EQ(digits.type, "uint8");
  EXPECT_EQ(digits.samples.sum(), 58075625);  // numpy's sum
  EXPECT_EQ(std::ranges::count(digits.labels, 8), 450);
  EXPECT_EQ(std::ranges::count(digits.labels, 2), 34);
}

TEST(DecodeDataset, ReadsFromMemory) {
  EXPECT_EQ(decode_dataset(as_bytes("1,2\n"), "x.csv").samples(1, 0), 2);
  EXPECT_EQ(decode_dataset(as_bytes(gzip("1 3:5\n")), "x.gz").features(), 3);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [] { decode_dataset({}, "x.csv"); }), HasSubstr("empty"));
}

}  // namespace
}  // namespace choir
