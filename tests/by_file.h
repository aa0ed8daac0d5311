// A test program holds the tests of several files and runs those of one.
//
//   test_kernel                               all of them
//   test_kernel --file=gram_test.cpp          those of one file; may be repeated
#pragma once

// Sets gtest's filter by the options --file. False, with a sentence on stderr, if a file has no test in this
// program.
bool run_only_files_asked_for(int argc, char** argv);
