// The nodes of a network spread over the processes of an MPI job, in blocks of neighbouring ids.
//
//   MpiEngine engine;                                           // every rank; started by mpirun
//   const NodeRange own = engine.own_nodes(graph.nodes());      // read the shards of these
//   const RunReport report = engine.run(graph, contract, program, options);
//   if (engine.is_speaker()) print(report);                     // the report is the same on every rank
//
// MPI is initialised if the caller has not done so, and then finalised with the last engine; it cannot be
// started again. A caller that uses MPI itself initialises it first, with MPI_THREAD_MULTIPLE if it can, and
// destroys the engine before it finalises. All calls are made by all ranks, in the same order.
//
// Failures. If a program throws, all ranks throw the same Error. A rank that has died or does not answer, and
// a node that misses the deadline of a round, end the run on all ranks with Error(PeerLost): "rank 2 (process
// 4711 on host, nodes 10 to 14) has died". Every rank throws it, is_speaker() holds on exactly one of those
// that are left, and that one should tell the user. A rank that computes for so long that it cannot throw
// gives its last words after two seconds and ends the job with exit code 4.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "choir/runtime/engine.h"

namespace choir {

class PostOffice;

struct MpiOptions {
  // Called before the whole job is ended around this process, from a thread of the engine's.
  std::function<void(const std::string& sentence)> last_words = {};
  // A rank on another machine that does not answer for so long counts as dead.
  Duration silence = std::chrono::seconds(5);
  // What is longer goes in pieces; less than 2 GiB.
  std::size_t piece_bytes = std::size_t{256} << 20;
};

class MpiEngine : public Engine {
 public:
  // All ranks together. Throws Error(Unavailable) if MPI cannot be had, Error(InvalidArgument) for options
  // out of range.
  explicit MpiEngine(const MpiOptions& options = {});
  ~MpiEngine() override;

  std::string_view name() const override { return "mpi"; }
  RunReport run(const Graph& graph, const Contract& contract, const Program& program,
                const RunOptions& options) override;
  NodeRange own_nodes(Index nodes) const override;
  // Rank 0; after a loss the lowest rank that is left.
  bool is_speaker() const override;
  Index processes() const override { return ranks(); }
  Index process() const override { return rank(); }
  std::vector<Message> tell_all(const Message& mine) override;

  int rank() const;
  int ranks() const;
  // A rank was lost. Nothing can be done together any more: end the process with an exit code that is not
  // zero, and do not call MPI_Finalize, which would wait for the lost one.
  bool is_broken() const;

 private:
  std::unique_ptr<PostOffice> office_;
};

}  // namespace choir
