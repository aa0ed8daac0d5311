// The suite of tests/engine over one engine: test_engine_suite --engine=local --threads=8. Under mpirun every
// process runs every test; a failure in any of them is a failure of the whole, and only the speaker prints.
#include <cstdio>
#include <string>
#include <string_view>

#include "engine/suite_engine.h"
#include <gtest/gtest.h>

#include "choir/runtime/process_group.h"

namespace {

// Under mpirun the output of twenty processes would be one heap; a failure says which process it is from.
class FailuresOnly : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (part.failed()) {
      std::fprintf(stderr, "%s:%d: %s\n", part.file_name() ? part.file_name() : "?", part.line_number(),
                   part.message());
    }
  }
};

std::string option(int argc, char** argv, std::string_view name, const std::string& fallback) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (argument.substr(0, name.size()) == name) return std::string(argument.substr(name.size()));
  }
  return fallback;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  choir::suite_engine() = choir::make_engine(option(argc, argv, "--engine=", "local"),
                                             {.threads = std::stoi(option(argc, argv, "--threads=", "0"))});
  choir::Engine& engine = *choir::suite_engine();
  if (!engine.is_speaker()) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  const int failed = RUN_ALL_TESTS();
  bool anywhere = false;
  for (const int theirs : choir::ProcessGroup(engine).tell_all(choir::Kind::failures, failed)) {
    anywhere = anywhere || theirs != 0;
  }
  choir::suite_engine().reset();
  return anywhere ? 1 : 0;
}
