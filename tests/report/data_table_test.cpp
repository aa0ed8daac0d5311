#include "choir/report/data_table.h"

#include <limits>

#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

DataTable example() {
  DataTable table({"nodes", "method"});
  table.add_row({0.1, "local"});
  table.add_row({std::numeric_limits<double>::quiet_NaN(), "says \"own\", twice"});
  return table;
}

TEST(DataTable, WritesCsvThatKeepsEveryDigitAndQuotesWhatItMust) {
  EXPECT_EQ(example().csv(), "nodes,method\n0.1,local\n,\"says \"\"own\"\", twice\"\n");
}

TEST(DataTable, WritesJsonWithNullWhereNothingWasMeasured) {
  EXPECT_EQ(example().json().dump(),
            R"({"columns":["nodes","method"],"rows":[[0.1,"local"],[null,"says \"own\", twice"]]})");
}

TEST(DataTable, RefusesARowOfAnotherLength) {
  DataTable table({"a", "b"});
  EXPECT_THROW(table.add_row({1.0}), Error);
}

}  // namespace
}  // namespace choir
