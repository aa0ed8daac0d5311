#include "choir/runtime/mpi/statements.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "choir/base/memory.h"
#include "choir/runtime/memory_plan.h"
#include "choir/runtime/mpi/senders.h"
#include "choir/runtime/statement.h"

namespace choir {
namespace {

// What ranks must have in common, as hashes, and what they want.
struct Claim {
  std::uint64_t graph = 0;
  std::uint64_t method = 0;
  std::uint64_t options = 0;
  MemoryPlan plan;
  std::uint64_t available = 0;
  std::optional<std::pair<ErrorCategory, std::string>> trouble;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(graph, method, options, plan.nodes, plan.engine_bytes, plan.method_bytes, plan.largest_bytes,
          plan.largest_node, available, trouble);
  }
};

class Hash {
 public:
  void add(const void* data, std::size_t bytes) {  // FNV-1a
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * 0x100000001b3u;
  }
  template <class T>
  void add(const T& value) {
    add(&value, sizeof value);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t hash_of(const Graph& graph) {
  Hash hash;
  hash.add(graph.nodes());
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const auto neighbors = graph.neighbors(node);
    hash.add(neighbors.size());
    hash.add(neighbors.data(), neighbors.size_bytes());
  }
  return hash.value();
}

std::uint64_t hash_of(const Contract& contract) {
  Hash hash;
  hash.add(contract.method.data(), contract.method.size());
  for (const Kind kind : contract.kinds.list()) hash.add(kind);
  hash.add(contract.links);
  return hash.value();
}

std::uint64_t hash_of(const RunOptions& options) {
  Hash hash;
  hash.add(options.seed);
  hash.add(options.deadline.count());
  hash.add(options.lost_peers);
  return hash.value();
}

void require_same(const std::vector<Claim>& claims, std::uint64_t Claim::*part, const char* what) {
  for (std::size_t rank = 1; rank < claims.size(); ++rank) {
    if (claims[rank].*part == claims[0].*part) continue;
    fail(ErrorCategory::InvalidArgument,
         "rank {} was asked to run {} than rank 0; start all ranks with the same command line", rank, what);
  }
}

void add(MemoryPlan& sum, const MemoryPlan& plan) {
  sum.nodes += plan.nodes;
  sum.engine_bytes += plan.engine_bytes;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - sum.engine_bytes;
  sum.method_bytes = std::min(most, sum.method_bytes);
  sum.method_bytes += std::min(most - sum.method_bytes, plan.method_bytes);
  if (plan.largest_bytes > sum.largest_bytes) {
    sum.largest_bytes = plan.largest_bytes;
    sum.largest_node = plan.largest_node;
  }
}

// Ranks of one machine share its memory; the first of them says how much there is.
void require_memory_of_machines(PostOffice& office, const std::vector<Claim>& claims,
                                const std::string& method) {
  std::vector<bool> counted(claims.size(), false);
  for (std::size_t first = 0; first < claims.size(); ++first) {
    MemoryPlan sum;
    for (std::size_t rank = first; rank < claims.size(); ++rank) {
      if (counted[rank] || !same_machine(office.introduction(static_cast<int>(first)).process,
                                         office.introduction(static_cast<int>(rank)).process)) {
        continue;
      }
      counted[rank] = true;
      add(sum, claims[rank].plan);
    }
    require_memory(sum, method, claims[first].available);
  }
}

// Of all ranks, by rank. What a rank says is read like a file from a stranger.
template <class Content>
std::vector<Content> gather_all(PostOffice& office, const Content& mine) {
  FieldWriter writer;
  writer(mine);
  const Array bytes = writer.take_array();
  std::vector<Content> all;
  for (const ByteBuffer& theirs : office.gather(bytes.bytes_view())) {
    Content content;
    named(fmt::format("rank {}", all.size()), [&] {
      FieldReader reader(theirs);
      reader(content);
      reader.expect_end();
    });
    all.push_back(std::move(content));
  }
  return all;
}

}  // namespace

void agree_on_run(PostOffice& office, const Graph& graph, const Contract& contract, const RunOptions& options,
                  const MemoryPlan& plan, const std::optional<Error>& trouble) {
  Claim mine{.graph = hash_of(graph),
             .method = hash_of(contract),
             .options = hash_of(options),
             .plan = plan,
             .available = available_memory()};
  if (trouble) mine.trouble.emplace(trouble->category(), trouble->what());
  const std::vector<Claim> claims = gather_all(office, mine);
  require_same(claims, &Claim::graph, "a different network");
  require_same(claims, &Claim::method, "a different method");
  require_same(claims, &Claim::options, "with different options (seed, deadline, lost peers)");
  for (const Claim& claim : claims) {
    if (claim.trouble) throw Error(claim.trouble->first, claim.trouble->second);
  }
  require_memory_of_machines(office, claims, contract.method);
}

std::vector<ClosingStatement> exchange(PostOffice& office, const ClosingStatement& mine) {
  return gather_all(office, mine);
}

}  // namespace choir
