#include <memory>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_run.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/pca.h"
#include "choir/linalg/columns.h"
#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

struct CentralOptions {
  FitOptions fit;
  Index n_landmarks = 0;
  std::string gram = "auto";
};

GramStorage parse_storage(const std::string& text) {
  if (text == "auto") return GramStorage::automatic;
  if (text == "stored") return GramStorage::stored;
  if (text == "recomputed") return GramStorage::recomputed;
  fail(ErrorCategory::InvalidArgument, "gram is '{}'; it must be auto, stored or recomputed", text);
}

std::string component_table(const RunResult& result) {
  Table table({"component", "eigenvalue", "explained", "together"});
  double together = 0;
  for (Index d = 0; d < result.eigenvalues.size(); ++d) {
    together += result.explained_variance_ratio(d);
    table.add_row({fmt::format("{}", d + 1), number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d)),
                   fmt::format("{:.2f}%", 100 * together)});
  }
  return table.text();
}

template <class FittedModel>
void describe_model(const FittedModel& model, RunResult& result) {
  result.n_components = model.eigenvalues.size();
  result.eigenvalues = model.eigenvalues;
  result.explained_variance_ratio = model.explained_variance_ratio();
}

// A linear kernel needs no kernel matrix, and its model no samples.
void fit_linear(const Samples& samples, const Preprocessing& preprocessing, const CentralOptions& options,
                FitRun& run, RunResult& result) {
  const Stopwatch watch;
  CentralPca fit = central_pca(samples, {.components = options.fit.component_choice(),
                                         .tol = options.fit.tol,
                                         .max_iter = options.fit.max_iter,
                                         .seed = options.fit.random_state,
                                         .threads = options.fit.threads,
                                         .watch = run.watch()});
  result.iterate_seconds = watch.seconds();
  result.converged = fit.converged;
  result.residual = fit.residual;
  fit.model.preprocessing = preprocessing;
  describe_model(fit.model, result);
  run.save(0, "shared", std::move(fit.model));
}

void fit_kernel(const Samples& samples, const Preprocessing& preprocessing, const CentralOptions& options,
                FitRun& run, RunResult& result) {
  CentralKpcaOptions central =
      options.fit.kpca_options(options.fit.kernel_with(run.resolve_gamma(samples)), run.watch());
  central.n_landmarks = options.n_landmarks;
  central.storage = parse_storage(options.gram);
  CentralKpca fit = central_kernel_pca(samples, central);
  result.setup_seconds = fit.gram_seconds;
  result.iterate_seconds = fit.eigen_seconds;
  result.iterations = fit.products;
  result.converged = fit.converged;
  result.residual = fit.residual;
  if (!fit.note.empty()) result.notes.push_back(fit.note);
  fit.model.preprocessing = preprocessing;
  describe_model(fit.model, result);
  run.save(0, "shared", std::move(fit.model));
}

// One node with all samples.
FitData in_one_place(const FitData& data) {
  FitData pooled;
  pooled.own = {.first = 0, .last = 1};
  pooled.shards.push_back(side_by_side(data.shards));
  pooled.labels.emplace_back();
  for (const std::vector<std::int64_t>& labels : data.labels) {
    pooled.labels.front().insert(pooled.labels.front().end(), labels.begin(), labels.end());
  }
  return pooled;
}

void fit_central(CLI::App& command, const CentralOptions& options, Session& session,
                 ProcessGroup& processes) {
  FitRun run(command, options.fit, session, processes);
  const FitData data = read_fit_data(options.fit, processes);
  RunResult result;
  result.samples = data.samples;
  result.features = data.features;
  FitData pooled = in_one_place(data);
  run.keep_some(pooled);
  Samples samples = std::move(pooled.shards.front());
  const Preprocessing preprocessing = preprocess(options.fit, samples);
  const Kernel kernel = options.fit.kernel_with(1);
  const bool linear = kernel.kind == KernelKind::linear && !kernel.normalized && options.n_landmarks == 0;
  linear ? fit_linear(samples, preprocessing, options, run, result)
         : fit_kernel(samples, preprocessing, options, run, result);
  run.finish(result, component_table);
}

}  // namespace

void add_fit_central_kpca(CLI::App& fit, Session& session) {
  CLI::App* command =
      add_command(fit, session, "central-kpca", "exact kernel PCA with all samples in one place",
                  "choir fit central-kpca --data datasets/digits.npz:images --gamma 2e-7 --n-components 10 "
                  "--out runs/central",
                  Prints::table);
  auto options = std::make_shared<CentralOptions>();
  add_fit_options(*command, options->fit);
  command
      ->add_option("--n-landmarks", options->n_landmarks,
                   "approximate through so many k-means centres; 0: exact")
      ->check(not_negative())
      ->group("Central");
  command
      ->add_option("--gram", options->gram,
                   "keep the kernel matrix: auto, stored or recomputed in every product")
      ->group("Central");
  command->callback([command, options, &session] {
    fit_on_engine(*command, options->fit, session, Network::none,
                  [&](ProcessGroup& processes) { fit_central(*command, *options, session, processes); });
  });
}

}  // namespace choir::cli
