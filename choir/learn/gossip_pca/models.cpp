#include "choir/learn/gossip_pca/models.h"

#include "choir/learn/features/feature_map.h"

namespace choir::gossip_pca {
namespace {

// Eigenvalues belong to the scatter, variances to the covariance.
template <class AnyModel>
void describe(const NodeResult& fit, AnyModel& model) {
  model.preprocessing = fit.preprocessing;
  model.eigenvalues = fit.variances * fit.total_weight;
  model.trace = fit.total_variance * fit.total_weight;
  model.training_samples = fit.samples;
}

Model linear_model(const NodeResult& fit) {
  LinearModel model;
  describe(fit, model);
  model.mean = fit.mean;
  model.components = fit.directions;
  return model;
}

// psi(x) = R'k_Z(x), so that u'psi(x) = (R u)'k_Z(x), and the mean has the weights R m.
Model landmark_model(const NodeResult& fit) {
  KernelModel model;
  describe(fit, model);
  const auto whitening = fit.map->landmarks->whitening.matrix();
  model.kernel = fit.map->kernel;
  model.points = fit.map->landmarks->points.matrix();
  model.coefficients = whitening * fit.directions;
  model.mean_weights = whitening * fit.mean;
  complete(model);
  return model;
}

Model feature_model(const NodeResult& fit) {
  FeatureModel model;
  describe(fit, model);
  model.kernel = fit.map->kernel;
  model.random_features = *fit.map->random;
  model.mean = fit.mean;
  model.directions = fit.directions;
  model.sample_mean = fit.regression->mean;
  model.sample_slopes = fit.regression->slopes;
  return model;
}

}  // namespace

LinearPart part_of(const NodeResult& fit) {
  LinearPart part;
  describe(fit, part);
  part.mean = fit.mean;
  part.loadings = fit.loadings;
  return part;
}

Model model_of(const NodeResult& fit) {
  if (fit.division == Division::coordinates) return part_of(fit);
  if (!fit.map) return linear_model(fit);
  return fit.map->landmarks ? landmark_model(fit) : feature_model(fit);
}

ModelFile file_of(const NodeResult& fit, std::vector<std::int64_t> columns) {
  if (fit.division == Division::samples) return file_with(fit.node, "shared", model_of(fit));
  LinearPart part = part_of(fit);
  part.columns = std::move(columns);
  return file_with(fit.node, "shared", std::move(part));
}

}  // namespace choir::gossip_pca
