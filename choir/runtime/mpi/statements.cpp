#include "choir/runtime/mpi/statements.h"

#include <algorithm>
#include <limits>

#include "choir/base/memory.h"
#include "choir/runtime/byte_stream.h"
#include "choir/runtime/memory_plan.h"

namespace choir {
namespace {

// What ranks must have in common, as hashes, and what they want.
struct Claim {
  std::uint64_t graph = 0;
  std::uint64_t method = 0;
  std::uint64_t options = 0;
  MemoryPlan plan;
  std::uint64_t available = 0;
  bool in_trouble = false;
  ErrorCategory category = ErrorCategory::Internal;
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

void put(ByteWriter& writer, const Failure& failure) {
  writer.put(failure.scope);
  writer.put(failure.round);
  writer.put(failure.origin);
  writer.put(failure.blamed_rank);
  writer.put(failure.category);
  writer.put_text(failure.text);
}

Failure get_failure(ByteReader& reader) {
  Failure failure;
  failure.scope = reader.get<Failure::Scope>();
  failure.round = reader.get<std::uint64_t>();
  failure.origin = reader.get<std::int32_t>();
  failure.blamed_rank = reader.get<std::int32_t>();
  failure.category = reader.get<ErrorCategory>();
  failure.text = reader.get_text();
  return failure;
}

ByteBuffer to_bytes(const ClosingStatement& statement) {
  ByteWriter writer;
  writer.put(statement.own_doing);
  writer.put(statement.elapsed.count());
  writer.put(statement.rounds);
  writer.put(statement.stale);
  writer.put(statement.duplicates);
  writer.put(statement.lowest_waiting_round);
  writer.put(statement.failure.has_value());
  if (statement.failure) put(writer, *statement.failure);
  writer.put(statement.suspect.has_value());
  if (statement.suspect) {
    writer.put(statement.suspect->waits_in_round);
    writer.put(statement.suspect->round);
    writer.put(statement.suspect->node);
    writer.put_text(statement.suspect->wait);
  }
  writer.put(static_cast<std::uint64_t>(statement.losses.size()));
  for (const PeerLoss& loss : statement.losses) {
    writer.put(loss.node);
    writer.put(loss.peer);
    writer.put(loss.round);
    writer.put_text(loss.reason);
    writer.put(loss.at.time_since_epoch().count());
  }
  return writer.take();
}

ClosingStatement from_bytes(const ByteBuffer& bytes) {
  ByteReader reader(bytes);
  ClosingStatement statement;
  statement.own_doing = reader.get<bool>();
  statement.elapsed = Duration(reader.get<Duration::rep>());
  statement.rounds = reader.get<std::uint64_t>();
  statement.stale = reader.get<std::uint64_t>();
  statement.duplicates = reader.get<std::uint64_t>();
  statement.lowest_waiting_round = reader.get<std::uint64_t>();
  if (reader.get<bool>()) statement.failure = get_failure(reader);
  if (reader.get<bool>()) {
    Suspect suspect;
    suspect.waits_in_round = reader.get<bool>();
    suspect.round = reader.get<std::uint64_t>();
    suspect.node = reader.get<NodeId>();
    suspect.wait = reader.get_text();
    statement.suspect = suspect;
  }
  for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
    PeerLoss loss;
    loss.node = reader.get<NodeId>();
    loss.peer = reader.get<NodeId>();
    loss.round = reader.get<std::uint64_t>();
    loss.reason = reader.get_text();
    loss.at = Time(Duration(reader.get<Duration::rep>()));
    statement.losses.push_back(std::move(loss));
  }
  reader.expect_end();
  return statement;
}

}  // namespace

void agree_on_run(PostOffice& office, const Graph& graph, const Contract& contract, const RunOptions& options,
                  const MemoryPlan& plan, const std::optional<Error>& trouble) {
  Claim mine{.graph = hash_of(graph),
             .method = hash_of(contract),
             .options = hash_of(options),
             .plan = plan,
             .available = available_memory(),
             .in_trouble = trouble.has_value()};
  if (trouble) mine.category = trouble->category();
  ByteWriter writer;
  writer.put(mine);
  writer.put_text(trouble ? trouble->what() : "");

  std::vector<Claim> claims;
  std::optional<Error> first_trouble;
  for (const ByteBuffer& bytes : office.gather(writer.bytes())) {
    ByteReader reader(bytes);
    const Claim& claim = claims.emplace_back(reader.get<Claim>());
    if (claim.in_trouble && !first_trouble) first_trouble = Error(claim.category, reader.get_text());
  }
  require_same(claims, &Claim::graph, "another network");
  require_same(claims, &Claim::method, "another method");
  require_same(claims, &Claim::options, "with other options (seed, deadline, lost peers)");
  if (first_trouble) throw *first_trouble;
  require_memory_of_machines(office, claims, contract.method);
}

std::vector<ClosingStatement> exchange(PostOffice& office, const ClosingStatement& mine) {
  std::vector<ClosingStatement> all;
  for (const ByteBuffer& bytes : office.gather(to_bytes(mine))) all.push_back(from_bytes(bytes));
  return all;
}

}  // namespace choir
