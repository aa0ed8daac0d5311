#include "by_file.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::vector<std::string> files_asked_for(int argc, char** argv) {
  constexpr std::string_view option = "--file=";
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(option)) files.push_back("/" + std::string(argument.substr(option.size())));
  }
  return files;
}

// gtest's filter for the tests that stand in this file.
std::string filter_for(const std::string& file) {
  std::string filter;
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      if (std::string_view(test.file()).ends_with(file))
        filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

}  // namespace

bool run_only_files_asked_for(int argc, char** argv) {
  std::string filter;
  for (const std::string& file : files_asked_for(argc, argv)) {
    const std::string tests = filter_for(file);
    if (tests.empty()) {
      std::fprintf(stderr, "there is no test of %s in this program\n", file.c_str() + 1);
      return false;
    }
    filter += tests;
  }
  if (!filter.empty()) ::testing::GTEST_FLAG(filter) = filter;
  return true;
}
