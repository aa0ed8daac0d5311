#include "choir/runtime/mpi/mpi_engine.h"

#include <algorithm>
#include <limits>

#include "choir/base/error.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/memory_plan.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/mpi/mpi_run.h"
#include "choir/runtime/mpi/post_office.h"
#include "choir/runtime/mpi/senders.h"
#include "choir/runtime/mpi/statements.h"

namespace choir {
namespace {

MpiOptions checked(const MpiOptions& options) {
  if (options.silence <= Duration::zero()) {
    throw Error(ErrorCategory::InvalidArgument, "the silence allowed to a rank is not positive");
  }
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (options.piece_bytes < 8 || options.piece_bytes > most) {
    fail(ErrorCategory::InvalidArgument, "pieces of {} bytes are out of range; MPI takes 8 to {}",
         options.piece_bytes, most);
  }
  return options;
}

}  // namespace

MpiEngine::MpiEngine(const MpiOptions& options) : office_(std::make_unique<PostOffice>(checked(options))) {}
MpiEngine::~MpiEngine() = default;

int MpiEngine::rank() const { return office_->rank(); }
int MpiEngine::ranks() const { return office_->ranks(); }
bool MpiEngine::is_speaker() const { return office_->is_speaker(); }
bool MpiEngine::is_broken() const { return office_->is_broken(); }

NodeRange MpiEngine::own_nodes(Index nodes) const {
  return Placement(nodes, office_->ranks()).block(office_->rank());
}

std::vector<Message> MpiEngine::tell_all(const Message& mine) {
  const PostOffice::Visit visit(*office_, {});
  ByteBuffer bytes;
  encode(mine, bytes);
  std::vector<Message> messages;
  for (ByteBuffer& theirs : office_->gather(bytes)) {
    const auto buffer = std::make_shared<const ByteBuffer>(std::move(theirs));
    messages.push_back(
        named(fmt::format("rank {}", messages.size()), [&] { return decode(buffer, 0, buffer->size()); }));
  }
  return messages;
}

RunReport MpiEngine::run(const Graph& graph, const Contract& contract, const Program& program,
                         const RunOptions& options) {
  const PostOffice::Visit visit(*office_, options.watch.stop);
  const SingleThreadedBlas scope;
  const Placement placement(graph.nodes(), office_->ranks());
  office_->set_placement(placement);

  // What goes wrong here on one rank must not leave the others waiting.
  MemoryPlan plan;
  std::unique_ptr<MpiRun> run;
  std::optional<Error> trouble;
  try {
    plan = plan_memory(graph, contract, placement.block(office_->rank()), 1);
    run = std::make_unique<MpiRun>(graph, contract, options, *office_);
  } catch (const Error& error) {
    trouble = error;
  } catch (const std::exception& error) {
    trouble = Error(ErrorCategory::Internal, error.what());
  }
  agree_on_run(*office_, graph, contract, options, plan, trouble);
  run->exchange_identities();
  return run->to_the_end(program);
}

}  // namespace choir
