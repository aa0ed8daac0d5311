#include "data/support.h"

#include "choir/data/mat_variables.h"

namespace choir {
namespace {

constexpr std::uint64_t mat5_bytes = 1u << 20;

std::string word(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

std::string element(std::uint32_t type, std::string data) {
  const std::string tag = word(type) + word(static_cast<std::uint32_t>(data.size()));
  data.resize((data.size() + 7) / 8 * 8);
  return tag + data;
}

std::string file_of(const std::string& elements) {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  return header + std::string("\0\1IM", 4) + elements;
}

std::string matrix(std::uint32_t flags, const std::string& dimensions, const std::string& name,
                   const std::string& values) {
  return element(14, element(6, word(flags) + word(0)) + element(5, dimensions) + element(1, name) + values);
}

std::vector<MatVariable> mat5_variables_of(const std::string& bytes) {
  std::vector<MatVariable> variables;
  visit_mat5(as_bytes(bytes), "x.mat", mat5_bytes, [&](const MatVariable& variable) {
    variables.push_back(variable);
    return true;
  });
  return variables;
}

std::string mat5_refusal(const std::string& elements) {
  return sentence(ErrorCategory::BadData, [&] { mat5_variables_of(file_of(elements)); });
}

const std::string two_by_one = word(2) + word(1);

TEST(VisitMat5, ReadsValuesStoredSmallerThanTheirClass) {
  const std::string small_element =
      word(2u << 16 | 2u) + std::string("\7\10\0\0", 4);  // two uint8 in the tag
  const std::string file = file_of(matrix(6, two_by_one, "x", small_element));
  const std::vector<MatVariable> variables = mat5_variables_of(file);
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables[0].name, "x");
  EXPECT_EQ(variables[0].type, "float64");
  EXPECT_EQ(variables[0].array.type, ElementType::uint8);
  EXPECT_THAT(variables[0].array.shape, ElementsAre(2, 1));
  EXPECT_EQ(as_text(variables[0].array.bytes), "\7\10");
}

TEST(VisitMat5, KnowsWhatIsNotNumeric) {
  const std::string values = element(9, std::string(16, '\0'));
  const std::string cell = matrix(1, two_by_one, "c", "");
  const std::string complex = matrix(0x0806, two_by_one, "z", values + values);
  const std::string logical = matrix(0x0209, two_by_one, "l", element(2, "\1\1"));
  const std::string nameless = matrix(9, two_by_one, "", element(2, "\1\1"));
  const std::string opaque = matrix(17, two_by_one, "o", "");
  const std::vector<MatVariable> variables =
      mat5_variables_of(file_of(cell + complex + logical + nameless + opaque));
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_FALSE(variables[0].is_numeric);
  EXPECT_FALSE(variables[1].is_numeric);
  EXPECT_TRUE(variables[2].is_numeric);
  EXPECT_EQ(variables[2].type, "bool");
}

TEST(VisitMat5, RefusesElementsThatMakeNoSense) {
  const std::string values = element(9, std::string(16, '\0'));
  EXPECT_THAT(mat5_refusal(element(9, "12345678")), HasSubstr("x.mat cannot be read"));      // not a variable
  EXPECT_THAT(mat5_refusal(element(14, element(6, word(6)))), HasSubstr("cannot be read"));  // short flags
  EXPECT_THAT(mat5_refusal(matrix(6, word(2), "x", values)), HasSubstr("cannot be read"));   // one dimension
  EXPECT_THAT(mat5_refusal(matrix(6, word(2) + word(~0u), "x", values)), HasSubstr("cannot be read"));
  EXPECT_THAT(mat5_refusal(matrix(6, two_by_one, "x", "")), HasSubstr("cannot be read"));  // no values
  EXPECT_THAT(mat5_refusal(matrix(6, two_by_one, "x", element(14, ""))), HasSubstr("cannot be read"));
  EXPECT_THAT(mat5_refusal(word(14) + word(1000)), HasSubstr("cannot be read"));  // past the end
  EXPECT_THAT(mat5_refusal(word(5u << 16 | 1u) + word(0)),
              HasSubstr("cannot be read"));  // small but too large
  EXPECT_THAT(mat5_refusal(element(15, "not zlib")), HasSubstr("damaged"));
}

TEST(VisitMat5, RefusesBigEndianFiles) {
  std::string file = file_of("");
  file[126] = 'M';
  file[127] = 'I';
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { mat5_variables_of(file); }), HasSubstr("big-endian"));
}

}  // namespace
}  // namespace choir
