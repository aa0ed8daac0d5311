#include "choir/cli/complaint.h"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace choir::cli {
namespace {

template <class Thrown>
Error error_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return current_error();
  }
}

TEST(Complaint, AnErrorKeepsItsCategoryAndItsWholeChain) {
  const Error cause(ErrorCategory::BadData, "row 3 is short");
  const Error error = error_of(Error(ErrorCategory::Io, "cannot read the shard", cause));
  EXPECT_EQ(error.category(), ErrorCategory::Io);
  EXPECT_STREQ(error.what(), "cannot read the shard: row 3 is short");
}

TEST(Complaint, AnInterruptSaysWhatItMeansForTheUser) {
  const Error error = error_of(Error(ErrorCategory::Cancelled, "stopped on request"));
  EXPECT_EQ(error.category(), ErrorCategory::Cancelled);
  EXPECT_STREQ(error.what(), "interrupted; nothing was written");
}

TEST(Complaint, WhatIsNotChoirsOwnGetsACategoryToo) {
  EXPECT_EQ(error_of(std::bad_alloc()).category(), ErrorCategory::OutOfMemory);
  const Error unexpected = error_of(std::runtime_error("strange"));
  EXPECT_EQ(unexpected.category(), ErrorCategory::Internal);
  EXPECT_STREQ(unexpected.what(), "unexpected: strange");
}

TEST(Complaint, IsOneLineOnStandardError) {
  testing::internal::CaptureStderr();
  complain("node 3 is lost");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "choir: node 3 is lost\n");
}

}  // namespace
}  // namespace choir::cli
