// The main of the test programs: one holds the tests of a whole folder.
#include "by_file.h"
#include <gmock/gmock.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return run_only_files_asked_for(argc, argv) ? RUN_ALL_TESTS() : 1;
}
