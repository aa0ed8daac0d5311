#include "choir/report/text_table.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Table, ColumnsAreAsWideAsTheyNeed) {
  TextTable table({"name", "n"});
  table.add_row({"a", "1234"});
  table.add_row({"longer", "5"});
  EXPECT_EQ(table.text(), "name       n\na       1234\nlonger     5");
}

TEST(Table, AShortRowIsFilledUp) {
  TextTable table({"a", "b"});
  table.add_row({"1"});
  EXPECT_EQ(table.text(), "a  b\n1   ");
}

TEST(Number, HasFourDigits) {
  EXPECT_EQ(short_number(84.4), "84.4");
  EXPECT_EQ(short_number(1.0 / 3), "0.3333");
  EXPECT_EQ(short_number(2e-7), "2e-07");
}

}  // namespace
}  // namespace choir
