// A job that a driver disturbs from outside, as the program choir would run it: SIGTERM asks for a stop, only
// the speaker prints, and the exit code says that a peer was lost.
//
//   mpirun -n 4 troubled_job rounds            rounds without end
//   mpirun -n 4 troubled_job compute           after a round, all ranks compute for a minute
//   mpirun -n 4 troubled_job stuck RANK        after a round, one rank computes for a minute
//   mpirun -n 4 troubled_job leave RANK        one rank does not come to the run, and says when it is out of
//   MPI
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <thread>

#include <signal.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/runtime/mpi/mpi_engine.h"

namespace {

using namespace choir;

constexpr int exit_code_left = 2;

Task<void> rounds(Node& node, int count) {
  for (int round = 0; round != count; ++round) {
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
}

Task<void> trouble(Node& node, bool computes, bool first_of_rank) {
  co_await rounds(node, 1);
  if (computes && first_of_rank) std::this_thread::sleep_for(std::chrono::minutes(1));
  co_await rounds(node, -1);
}

// Not a handler: a stop source may only be used from an ordinary thread.
void stop_on_signal(sigset_t signals, std::stop_source stop) {
  std::thread([signals, stop]() mutable {
    int signal = 0;
    sigwait(&signals, &signal);
    stop.request_stop();
  }).detach();
}

int run(const std::string& mode, int chosen, const std::stop_source& stop) {
  const auto say = [](const std::string& sentence) { std::fprintf(stderr, "choir: %s\n", sentence.c_str()); };
  MpiEngine engine({.last_words = say, .silence = std::chrono::seconds(2)});
  std::printf("rank %d is process %d\n", engine.rank(), static_cast<int>(getpid()));
  std::fflush(stdout);
  if (mode == "leave" && engine.rank() == chosen) return exit_code_left;

  const Graph graph = make_topology("ring:2", 20, 0);
  const Contract contract{.method = "trouble", .kinds = {Kind::control}};
  const bool computes = mode == "compute" || (mode == "stuck" && engine.rank() == chosen);
  const NodeId first = engine.own_nodes(20).first;
  const RunOptions options{.deadline = std::chrono::seconds(mode == "stuck" ? 1 : 60),
                           .watch = {.progress = {}, .stop = stop.get_token()}};
  try {
    engine.run(
        graph, contract, [&](Node& node) { return trouble(node, computes, node.id() == first); }, options);
  } catch (const Error& error) {
    if (engine.is_speaker()) say(error.what());
    return error.category() == ErrorCategory::PeerLost ? 4 : 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const std::stop_source stop;
  stop_on_signal(signals, stop);
  const int code = run(argc > 1 ? argv[1] : "rounds", argc > 2 ? std::atoi(argv[2]) : -1, stop);
  if (code == exit_code_left) {
    std::printf("out of MPI\n");
    std::fflush(stdout);
  }
  return code;
}
