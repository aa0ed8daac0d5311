// Every rank runs every test. Rank 0 prints as usual, the others only what failed, with their rank; mpirun
// fails if any of them does.
//
//   mpirun -n 4 test_... --init=multiple|serialized|single|no      how MPI is initialised here
//                        --file=world_test.cpp                     only the tests of this file
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "by_file.h"
#include <gtest/gtest.h>
#include <mpi.h>

namespace {

int launched_rank() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr ? 0 : std::atoi(rank);
}

class FailuresOnly : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed()) return;
    const char* file = part.file_name() != nullptr ? part.file_name() : "?";
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", launched_rank(), file, part.line_number(), part.message());
  }
};

void initialise(std::string_view how) {
  int level = 0;
  if (how == "multiple") MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  if (how == "serialized") MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  if (how == "single") MPI_Init(nullptr, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (!run_only_files_asked_for(argc, argv)) return 1;
  const std::string option = argc > 1 ? argv[1] : "--init=no";
  initialise(std::string_view(option).substr(option.find('=') + 1));
  if (launched_rank() != 0) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  const int failed = RUN_ALL_TESTS();
  int finalised = 0;
  int initialised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  if (initialised != 0 && finalised == 0) MPI_Finalize();
  return failed;
}
