#include <cstring>

#include "data/support.h"

#include "choir/data/mat_variables.h"

namespace choir {
namespace {

template <class... Numbers>
std::string words(Numbers... numbers) {
  const std::int32_t values[] = {static_cast<std::int32_t>(numbers)...};
  return {reinterpret_cast<const char*>(values), sizeof values};
}

std::vector<MatVariable> variables_of(const std::string& bytes) {
  std::vector<MatVariable> variables;
  visit_mat4(as_bytes(bytes), "x.mat", [&](const MatVariable& variable) {
    variables.push_back(variable);
    return true;
  });
  return variables;
}

const std::string name_x("x\0", 2);

TEST(VisitMat4, ReadsEveryPrecision) {
  const char* const types[] = {"float64", "float32", "int32", "int16", "uint16", "uint8"};
  const std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
  for (int precision = 0; precision < 6; ++precision) {
    const std::string bytes =
        words(10 * precision, 2, 3, 0, 2) + name_x + std::string(6 * sizes[precision], '\1');
    const std::vector<MatVariable> variables = variables_of(bytes);
    ASSERT_EQ(variables.size(), 1u);
    EXPECT_EQ(variables[0].name, "x");
    EXPECT_TRUE(variables[0].is_numeric);
    EXPECT_EQ(variables[0].type, types[precision]);
    EXPECT_THAT(variables[0].array.shape, ElementsAre(2, 3));
    EXPECT_TRUE(variables[0].array.fortran_order);
  }
}

TEST(VisitMat4, PassesOverTextAndComplexNumbers) {
  const std::string text = words(51, 1, 3, 0, 2) + name_x + "abc";
  const std::string complex = words(0, 1, 1, 1, 2) + name_x + std::string(16, '\0');
  const std::vector<MatVariable> variables = variables_of(text + complex + text);
  ASSERT_EQ(variables.size(), 3u);
  for (const MatVariable& variable : variables) EXPECT_FALSE(variable.is_numeric);
}

TEST(VisitMat4, RefusesHeadersThatMakeNoSense) {
  for (const std::string& header : {words(1000, 1, 1, 0, 2), words(60, 1, 1, 0, 2), words(3, 1, 1, 0, 2),
                                    words(-10, 1, 1, 0, 2), words(0, -1, 1, 0, 2), words(0, 1, 1, 0, 0),
                                    words(0, 1, 1, 0, 1 << 30), words(0, 1 << 30, 1 << 30, 0, 2)}) {
    EXPECT_THAT(
        sentence(ErrorCategory::BadData, [&] { variables_of(header + name_x + std::string(8, '\0')); }),
        HasSubstr("x.mat cannot be read"));
  }
}

}  // namespace
}  // namespace choir
