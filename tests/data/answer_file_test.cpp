#include "choir/data/answer_file.h"

#include "data/support.h"

#include "choir/data/npy_reader.h"

namespace choir {
namespace {

AnswerFile two_rows() {
  AnswerFile answer{.names = {"component_1", "component_2"}, .values = Matrix(2, 2)};
  answer.values << 0.5, -1, 2, 1e-20;
  answer.ids = {.name = "patient", .words = {"P1", "P, 2"}};
  answer.labels = {.name = "kind", .words = {"benign", "other"}};
  return answer;
}

std::string written(const AnswerFile& answer, const char* name) {
  const TemporaryFolder folder;
  write_answer(folder / name, answer);
  return as_text(read_file(folder / name));
}

TEST(WriteAnswer, SaysWhoAndWhatARowIs) {
  EXPECT_EQ(written(two_rows(), "x.csv"),
            "patient,kind,component_1,component_2\nP1,benign,0.5,-1\n\"P, 2\",other,2,1e-20\n");
  EXPECT_EQ(written(two_rows(), "x.ndjson"),
            "{\"patient\":\"P1\",\"kind\":\"benign\",\"component_1\":0.5,\"component_2\":-1.0}\n"
            "{\"patient\":\"P, 2\",\"kind\":\"other\",\"component_1\":2.0,\"component_2\":1e-20}\n");
}

TEST(WriteAnswer, WritesRowsAloneWithoutAHeader) {
  AnswerFile answer = two_rows();
  answer.ids = answer.labels = {};
  answer.with_header = false;
  EXPECT_EQ(written(answer, "x.tsv"), "0.5\t-1\n2\t1e-20\n");
}

TEST(WriteAnswer, ArraysHaveTheValuesAlone) {
  const TemporaryFolder folder;
  write_answer(folder / "x.npy", two_rows());
  const Dataset read = read_dataset((folder / "x.npy").string());
  EXPECT_EQ(read.samples, two_rows().values.transpose());
}

TEST(WriteAnswer, ClassesAreWordsInTextsAndIntegersInArrays) {
  AnswerFile answer;
  answer.predicted = {.name = "predicted", .words = {"1", "0"}};
  answer.integers = {1, 0};
  EXPECT_EQ(written(answer, "x.csv"), "predicted\n1\n0\n");
  const TemporaryFolder folder;
  write_answer(folder / "x.npy", answer);
  EXPECT_EQ(read_dataset((folder / "x.npy").string()).type, "int64");
  answer.integers.clear();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { write_answer(folder / "y.npy", answer); }),
              HasSubstr("words cannot be written"));
}

TEST(WriteAnswer, RefusesWhatIsNotOnePerRow) {
  AnswerFile answer = two_rows();
  answer.ids.words.pop_back();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { written(answer, "x.csv"); }),
              HasSubstr("1 of patient"));
}

TEST(RequireWritable, ReplacesNothingUnasked) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.csv";
  require_writable(path, false);
  write_file_atomically(path, std::string_view("here\n"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_writable(path, false); }),
              HasSubstr("--force"));
  require_writable(path, true);
  require_writable("/dev/null", false);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_writable(folder / "x.txt", false); }),
              HasSubstr(".npy"));
}

}  // namespace
}  // namespace choir
