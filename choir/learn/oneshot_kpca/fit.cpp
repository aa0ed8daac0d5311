#include <algorithm>
#include <memory>
#include <utility>

#include "choir/base/error.h"
#include "choir/kernel/comparison.h"
#include "choir/learn/node_results.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/linalg/blas.h"

namespace choir {
namespace {

void require_center(const Graph& graph, const OneshotKpcaOptions& options) {
  if (options.fusion != Fusion::center) return;
  if (options.center >= graph.nodes()) {
    fail(ErrorCategory::InvalidArgument, "the centre is node {}, but nodes are 0 to {}", options.center,
         graph.nodes() - 1);
  }
  if (graph.degree(options.center) == graph.nodes() - 1) return;
  fail(
      ErrorCategory::InvalidArgument,
      "the centre, node {}, has links to {} of {} parties; every party needs one to send its message, or use "
      "fusion tree",
      options.center, graph.degree(options.center), graph.nodes() - 1);
}

KindSet kinds_of(const OneshotKpcaOptions& options) {
  if (options.refuse_raw_equivalent) return {Kind::features, Kind::statistics, Kind::control};
  return {Kind::raw_samples, Kind::features, Kind::statistics, Kind::control};
}

std::uint64_t product(Index a, Index b) {
  return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
}

}  // namespace

const OneshotKpca& OneshotKpcaFit::at(NodeId node) const& { return result_of(nodes, node); }

Contract oneshot_kpca_contract(const OneshotShape& shape, const OneshotKpcaOptions& options) {
  const Index samples = shape.samples;
  const Index parties = shape.graph.nodes();
  const Index vectors = options.local_components.value_or(30);  // eq. 4 may ask for more
  // Factors: a party's own, and all of them where they are fused.
  const auto fuses = [options](NodeId node) {
    return options.fusion != Fusion::center || node == options.center;
  };
  return {.method = "oneshot-kpca",
          .kinds = kinds_of(options),
          .links = options.fusion == Fusion::gossip ? Links::raw : Links::reliable,
          .memory =
              [=](NodeId node) {
                return sizeof(double) * product(samples, vectors) *
                       static_cast<std::uint64_t>(fuses(node) ? parties : 1);
              },
          // A kernel matrix's triangle, the party's own or the fused one, and the eigensolver's block.
          .scratch =
              [=](NodeId) {
                return sizeof(double) * (product(samples, samples) / 2 + product(samples, 6 * vectors));
              }};
}

OneshotKpcaFit fit_oneshot_kpca(Engine& engine, const Graph& graph, std::vector<Samples> shards,
                                std::vector<SampleOrder> orders, const OneshotKpcaOptions& options,
                                const RunOptions& run) {
  const SingleThreadedBlas scope;
  validate(options);
  require_center(graph, options);
  const NodeRange own = engine.own_nodes(graph.nodes());
  require_one_each(shards, "shards", own.size());
  require_one_each(orders, "orders", own.size());
  const Index samples = shards.empty() ? 0 : shards.front().cols();
  const Contract contract = oneshot_kpca_contract(
      {.graph = graph,
       .samples = samples,
       .features = [&](NodeId node) { return shards[static_cast<std::size_t>(node - own.first)].rows(); }},
      options);
  auto outcome = run_nodes<OneshotKpca>(engine, graph, contract, run, [&](Node& node) {
    const auto index = static_cast<std::size_t>(node.id() - own.first);
    return oneshot_kpca(node, std::move(shards[index]), std::move(orders[index]), options);
  });
  return {.nodes = std::move(outcome.results), .report = std::move(outcome.report)};
}

KernelPart part_of(const OneshotKpca& fit) {
  KernelPart part;
  part.kernel = fit.kernel;
  part.preprocessing = fit.preprocessing;
  part.points = fit.features;
  part.training_samples = fit.features.cols();
  if (fit.centred_by_parties) {
    part.mean = fit.features.rowwise().mean();
    part.points.colwise() -= part.mean;
  }
  if (!fit.answer) return part;
  const OneshotAnswer& answer = *fit.answer;
  part.coefficients = answer.vectors * answer.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  if (scales_by_lengths(part.kernel)) part.lengths = answer.lengths;
  part.eigenvalues = answer.eigenvalues;
  part.trace = answer.trace;
  part.row_means = fit.centred_by_parties ? Vector::Zero(part.training_samples) : answer.centring.means();
  part.grand_mean = fit.centred_by_parties ? 0 : answer.centring.grand_mean();
  return part;
}

}  // namespace choir
