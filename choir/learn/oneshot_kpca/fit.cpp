#include <algorithm>
#include <memory>
#include <utility>

#include "choir/base/error.h"
#include "choir/graph/regular.h"
#include "choir/kernel/comparison.h"
#include "choir/learn/fit_nodes.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {
namespace {

void require_center(const Graph& graph, const Options& options) {
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

KindSet kinds_of(const Options& options) {
  if (options.no_raw_equivalent) {
    return {Kind::features, Kind::own_statistics, Kind::masked,
            Kind::totals,   Kind::identifiers,    Kind::control};
  }
  return {Kind::raw_samples, Kind::features,    Kind::own_statistics, Kind::masked,
          Kind::totals,      Kind::identifiers, Kind::control};
}

std::uint64_t product(Index a, Index b) {
  return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
}

}  // namespace

Contract contract(const Shape& shape, const Options& options) {
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

KernelPart part_of(const NodeResult& fit) {
  KernelPart part;
  part.kernel = fit.kernel;
  part.preprocessing = fit.preprocessing;
  part.points = fit.features.matrix();
  part.training_samples = fit.features.columns();
  if (fit.centred_by_parties) {
    part.mean = part.points.rowwise().mean();
    part.points.colwise() -= part.mean;
  }
  if (!fit.answer) return part;
  const Answer& answer = *fit.answer;
  part.coefficients = answer.vectors * answer.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  if (scales_by_lengths(part.kernel)) part.lengths = answer.lengths;
  part.eigenvalues = answer.eigenvalues;
  part.trace =
      std::max(answer.trace, answer.eigenvalues.sum());  // that of an indefinite kernel may be anything
  part.row_means = fit.centred_by_parties ? Vector::Zero(part.training_samples) : answer.centring.means();
  part.grand_mean = fit.centred_by_parties ? 0 : answer.centring.grand_mean();
  return part;
}

ModelFile file_of(const NodeResult& fit, std::vector<std::int64_t> columns) {
  KernelPart part = part_of(fit);
  part.columns = std::move(columns);
  return file_with(fit.node, "shared", std::move(part));
}

}  // namespace choir::oneshot_kpca

namespace choir {

oneshot_kpca::Fit fit_oneshot_kpca(Engine& engine, const Graph& graph, Shards shards,
                                   std::vector<SampleOrder> orders, const oneshot_kpca::Options& options,
                                   const RunOptions& run) {
  using namespace oneshot_kpca;
  validate(options);
  require_center(graph, options);
  const NodeRange own = nodes_with(shards, "shards", engine, graph);
  require_one_each(orders, "orders", own.size());
  const Index samples = shards.size() == 0 ? 0 : shards[0].cols();
  const Contract kept = contract({.graph = graph,
                                  .samples = samples,
                                  .features = [&](NodeId node) { return shards[node - own.first].rows(); }},
                                 options);
  return fit_nodes<NodeResult>(engine, graph, kept, run, [&](Node& node) {
    const Index index = node.id() - own.first;
    return node_program(node, shards.take(index), std::move(orders[static_cast<std::size_t>(index)]),
                        options);
  });
}

oneshot_kpca::Fit fit_oneshot_kpca(Engine& engine, Shards shards, std::vector<SampleOrder> orders,
                                   const oneshot_kpca::Options& options, const RunOptions& run) {
  const Index parties = shards.size();
  const bool center = options.fusion == oneshot_kpca::Fusion::center;
  const Graph graph = center ? star_graph(parties, options.center) : complete_graph(parties);
  return fit_oneshot_kpca(engine, graph, std::move(shards), std::move(orders), options, run);
}

}  // namespace choir
