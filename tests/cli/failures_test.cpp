#include "choir/cli/failures.h"

#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/runtime/local/local_engine.h"

namespace choir::cli {
namespace {

TEST(Failures, AComplaintIsOneLineOnStandardError) {
  ::testing::internal::CaptureStderr();
  complain("node 3 is lost");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "choir: node 3 is lost\n");
}

TEST(Failures, LeaveTheirExitCodeInTheSession) {
  LocalEngine engine;
  ProcessGroup processes(engine);
  Session session;
  ::testing::internal::CaptureStderr();
  report_failures(processes, session, [] { throw Error(ErrorCategory::PeerLost, "node 3 is lost"); });
  EXPECT_EQ(session.exit_code, peers_lost);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "choir: node 3 is lost\n");
}

}  // namespace
}  // namespace choir::cli
