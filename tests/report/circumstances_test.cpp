#include "choir/report/circumstances.h"

#include <ctime>
#include <iomanip>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(Circumstances, TheTimeIsNowInUtc) {
  const std::string text = time_now();
  ASSERT_THAT(text, MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  std::tm parts{};
  std::istringstream(text) >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%S");
  EXPECT_NEAR(std::difftime(std::time(nullptr), timegm(&parts)), 0, 5);
}

TEST(Circumstances, VersionsNameTheProgramAndWhatItStandsOn) {
  const auto about = versions("0.0.1");
  EXPECT_EQ(about.at("choir"), "0.0.1");
  EXPECT_THAT(about.at("blas").get<std::string>(), HasSubstr("BLAS"));
  EXPECT_GE(about.at("cores").get<int>(), 1);
}

}  // namespace
}  // namespace choir
