#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/pca.h"
#include "choir/linalg/columns.h"
#include "choir/report/text_table.h"
#include "choir/run/methods/methods.h"
#include "choir/run/shards.h"

namespace choir::central_kpca {
namespace {

struct CentralSettings : SettingsOf<Options> {
  // A linear kernel needs no kernel matrix, and its model no samples.
  bool is_linear() const {
    return kernel.kernel == KernelKind::linear && !kernel.normalized && method.n_landmarks == 0;
  }
  bool changes_samples() const {
    return !data.select_labels.empty() || data.divide != 1 || data.standardize != Standardize::none;
  }
};

std::string cumulative_table(const Result& result) {
  TextTable table({"component", "eigenvalue", "explained", "together"});
  double together = 0;
  for (Index d = 0; d < result.eigenvalues.size(); ++d) {
    together += result.explained_variance_ratio(d);
    table.add_row({fmt::format("{}", d + 1), short_number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d)),
                   fmt::format("{:.2f}%", 100 * together)});
  }
  return table.text();
}

// Also counts the iterations of the eigensolver, and writes their residuals into the metrics.
RunOptions recording(const RunOptions& options, Result& result) {
  RunOptions recorded = options;
  recorded.watch.progress = [&result, show = options.watch.progress](const Progress& progress) {
    if (progress.measure > 0) {
      result.iterations = progress.done;
      result.metrics.push_back(Facts()
                                   .set("stage", progress.stage)
                                   .set("node", 0)
                                   .set("iteration", progress.done)
                                   .set("residual", progress.measure));
    }
    if (show) show(progress);
  };
  return recorded;
}

// All samples in one place. No engine takes part.
class CentralRun : public MethodOf<CentralSettings> {
 public:
  void check(MethodContext&) override { take_shared_settings(settings_, settings_.method); }

  // One array of the caller that stays as it is need not be copied.
  void read(MethodContext& context) override {
    const JobData& data = context.data;
    if (data.arrays.size() == 1 && settings_.data.nodes <= 1 && !settings_.changes_samples()) {
      if (!data.labels.empty()) labels_ = data.labels.front();
      context.result.samples = data.arrays.front().cols();
      context.result.features = data.arrays.front().rows();
      return;
    }
    RunData read = read_shards(settings_, context, {.pooled = true, .to_draw = false});
    context.result.nodes = 1;
    samples_ = read.shards.size() == 1 ? std::move(read.shards.front()) : side_by_side(read.shards);
    for (const std::vector<std::int64_t>& labels : read.labels)
      labels_.insert(labels_.end(), labels.begin(), labels.end());
    preprocessing_ = preprocess(settings_, *samples_, context.recipe ? context.recipe->indicators() : 0);
  }

  Graph network(MethodContext&) override { return Graph::from_edges(1, {}); }

  Contract contract(const MethodContext&, const Graph&) override {
    return {.method = "central-kpca", .kinds = {}};
  }

  RunReport fit(MethodContext& context, const Graph&) override {
    const SamplesView samples = samples_ ? SamplesView(*samples_) : context.data.arrays.front();
    const RunOptions run = recording(context.options, context.result);
    settings_.is_linear() ? fit_linear(samples, run, context) : fit_kernel(samples, run, context);
    return {};
  }

  void conclude(MethodContext& context, const Graph&) override {
    Result& result = context.result;
    std::visit([&](const auto& model) { describe(model, result); }, *model_);
    result.models.push_back({0, [model = model_] { return file_with(0, "shared", *model); }});
    result.text = cumulative_table(result);
  }

 private:
  void fit_linear(const SamplesView& samples, const RunOptions& run, MethodContext& context) {
    const Stopwatch watch;
    central_pca::Fit fit = fit_central_pca(samples,
                                           {.n_components = settings_.method.n_components,
                                            .tol = settings_.method.tol,
                                            .max_iter = settings_.method.max_iter},
                                           run);
    context.result.iterate_seconds = watch.seconds();
    keep(std::move(fit), context);
  }

  void fit_kernel(const SamplesView& samples, const RunOptions& run, MethodContext& context) {
    Options options = settings_.method;
    if (uses_gamma(options.kernel.kind)) {
      options.kernel.gamma = resolve_gamma(settings_.kernel.gamma, samples, run.seed);
      context.resolve("gamma", options.kernel.gamma);
    }
    Fit fit = fit_central_kpca(samples, options, run);
    context.result.setup_seconds = fit.gram_seconds;
    context.result.iterate_seconds = fit.eigen_seconds;
    context.result.facts.set("products", fit.products);
    add_notes({fit.note}, context.result);
    context.result.assessment = fit.assessment;
    keep(std::move(fit), context);
  }

  // The fit knows the scores of its own samples: the model need not be asked for what a page draws.
  template <class Fit>
  void keep(Fit fit, MethodContext& context) {
    context.result.converged = fit.converged;
    context.result.residual = fit.residual;
    fit.model.preprocessing = preprocessing_;
    model_ = std::make_shared<Model>(std::move(fit.model));
    if (context.draws)
      context.sketch.add_scores({.node = 0, .name = "", .scores = std::move(fit.scores), .labels = labels_});
  }

  template <class FittedModel>
  static void describe(const FittedModel& model, Result& result) {
    if constexpr (requires { model.eigenvalues; }) {
      result.n_components = model.eigenvalues.size();
      result.eigenvalues = model.eigenvalues;
      result.explained_variance_ratio = model.explained_variance_ratio();
      if (result.assessment) return;  // landmarks have more to say
      const auto samples = static_cast<double>(model.training_samples);
      result.assessment = Assessment{.captured_variance = model.eigenvalues / samples,
                                     .total_variance = model.trace / samples};
    }
  }

  std::optional<Samples> samples_;    // nothing: the caller's array
  std::vector<std::int64_t> labels_;  // of the samples, or none
  Preprocessing preprocessing_;
  std::shared_ptr<Model> model_;
};

OptionTable option_table() {
  OptionTable table = shared_rows(false);
  add_min_count_row(table);
  MethodRows<CentralSettings> central(table, "Central");
  central
      .add("n-landmarks", &Options::n_landmarks, "number of k-means centres for an approximation; 0: exact")
      .at_least(0);
  central.add("gram", &Options::gram,
              "the kernel matrix: stored, or recomputed in every product; auto: stored if it fits");
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {.name = "central-kpca",
          .about = "exact kernel PCA with all samples in one place",
          .example =
              "choir fit central-kpca --data datasets/digits.npz:images --gamma 2e-7 --n-components 10 "
              "--out runs/central",
          .has_network = false,
          .kinds = {},
          .yardsticks = {},
          .options = option_table(),
          .start = [] { return std::make_unique<CentralRun>(); }};
}

}  // namespace choir::central_kpca
