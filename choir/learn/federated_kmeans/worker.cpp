#include "choir/learn/federated_kmeans/worker.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/learn/federated_kmeans/noisy_clusters.h"
#include "choir/learn/federated_kmeans/nystroem.h"
#include "choir/learn/federated_kmeans/opening.h"
#include "choir/learn/federated_kmeans/seeding.h"

namespace choir::federated_kmeans {
namespace {

// Local k-means need not converge: the server clusters its centroids again.
constexpr Index local_iterations = 5;
constexpr double local_tolerance = 1e-2;

void require_finite(const MatrixView<double>& samples, NodeId id) {
  if (samples.allFinite()) return;
  fail(ErrorCategory::BadData, "a sample of device {} has a NaN or an infinity; remove it", id);
}

}  // namespace

Worker::Worker(NodeId id, Shard shard, const Options& options, const Circumstances& circumstances)
    : id_(id), shard_(std::move(shard)), options_(options), circumstances_(circumstances) {
  require_finite(shard_.samples(), id);
  model_.kernel = options.kernel;
  model_.preprocessing = options.preprocessing;
  model_.sample_features = shard_.rows();
  embedded_.resize(0, shard_.cols());
  if (options.privacy.wanted()) rounds_.emplace(options, circumstances.devices);
}

bool Worker::refuses_sums() const { return !uses_masks(options_) && samples() <= fewest_unmasked(options_); }

std::string Worker::refusal() const {
  return fmt::format(
      "device {} refuses all sums: it has {} samples, and unmasked sums over no more than {} samples can be "
      "solved for them; use masks, or a smaller embedding",
      id_, samples(), fewest_unmasked(options_));
}

bool Worker::is_absent(const Message& question) const {
  return circumstances_.study.absent && circumstances_.study.absent(id_, round_of(question));
}

Matrix Worker::means(bool of_entries) const {
  const SamplesMap samples = shard_.samples();
  if (of_entries) return Matrix::Constant(1, 1, samples.sum());
  return samples.rowwise().sum().transpose();
}

Matrix Worker::squares(const Vector& mean) const {
  const bool of_entries = mean.size() == 1 && shard_.rows() > 1;
  require_matrix({id_, "the mean"}, mean, {.rows = of_entries ? 1 : shard_.rows(), .most_columns = 1});
  const SamplesMap samples = shard_.samples();
  if (of_entries) return Matrix::Constant(1, 1, (samples.array() - mean(0)).square().sum());
  return (samples.colwise() - mean).rowwise().squaredNorm().transpose();
}

RunCentres Worker::checked_centres(const Message& question) const {
  RunCentres centres = centres_in(question);
  require_runs(id_, centres, embedded_.rows(), options_);
  return centres;
}

Matrix Worker::tally(const Message& question) const {
  const RunCentres centres = checked_centres(question);
  const Eigen::Map<const Matrix> before = question.array(2).matrix();
  require_matrix({id_, "former centres"}, before,
                 {.rows = embedded_.rows(), .most_columns = centres.points.cols()});
  if (before.cols() != centres.points.cols()) {
    fail(ErrorCategory::BadData, "device {} was asked about {} centres that were {} before", id_,
         centres.points.cols(), before.cols());
  }
  return tally_sums(embedded_, centres, before);
}

// What k-means|| has drawn, which may be nothing at first.
Eigen::Map<const Matrix> Worker::checked_candidates(const Message& question) const {
  const Eigen::Map<const Matrix> candidates = question.array(0).matrix();
  if (candidates.cols() == 0) return candidates;
  require_matrix({id_, "candidates"}, candidates,
                 {.rows = embedded_.rows(), .most_columns = candidates.cols()});
  return candidates;
}

void Worker::take_up(const Message& question) {
  const Word word = word_of(question);
  require_possible(id_, word, options_);
  if (rounds_) require_noisy(id_, word, circumstances_.devices);
  statistics_.take_up(id_, word, steps_, round_of(question));
}

Matrix Worker::sums(const Message& question) {
  take_up(question);
  Matrix answer = plain_sums(question);
  if (answer.allFinite()) return answer;
  fail(ErrorCategory::BadData,
       "device {} has values that are too large to be squared: a sum over its samples is not finite; divide "
       "all "
       "data by a large number first",
       id_);
}

NoisyAnswer Worker::noisy_sums(const Message& question) {
  take_up(question);
  const Eigen::Map<const Matrix> centres = question.array(0).matrix();
  require_matrix({id_, "centres"}, centres,
                 {.rows = embedded_.rows(), .most_columns = most_clusters(options_)});
  const NoisyWords noise = rounds_->begin(id_, centres.cols());
  return {.sums = sums_of_clusters(embedded_, centres), .noise = noise};
}

Matrix Worker::plain_sums(const Message& question) const {
  switch (word_of(question)) {
    case Word::means:
      return means(question.integer(2) != 0);
    case Word::squares:
      return squares(question.array(0).matrix().reshaped());
    case Word::gram:
      return packed_gram(input_);
    case Word::product: {
      const Eigen::Map<const Matrix> vector = question.array(0).matrix();
      require_matrix({id_, "a vector"}, vector, {.rows = input_.rows(), .most_columns = 1});
      return input_ * (input_.transpose() * vector);
    }
    case Word::tally:
      return tally(question);
    case Word::lloyd:
      return lloyd_sums(embedded_, checked_centres(question));
    case Word::appraise:
      return appraisal_sums(embedded_, checked_centres(question));
    case Word::trace:
      return Vector{{gram_diagonal<double>(model_.kernel, shard_.samples()).sum(), input_.squaredNorm()}};
    case Word::cost:
      return Matrix::Constant(1, 1, cost_of(embedded_, checked_candidates(question)));
    case Word::weigh:
      return weights_of(embedded_, checked_candidates(question));
    default:
      break;
  }
  throw Error(ErrorCategory::Internal, "a device was asked for unknown sums");
}

Message Worker::publication_for(const Message& request) {
  take_up(request);
  Rng rng(circumstances_.seed, Purpose("federated-kmeans publication"), static_cast<std::uint64_t>(id_),
          static_cast<std::uint64_t>(round_of(request)));
  if (word_of(request) == Word::draw) {
    Matrix drawn = drawn_samples(embedded_, checked_candidates(request), request.number(0), rng);
    const Index count = drawn.cols();
    return publication({.points = std::move(drawn), .counts = Vector::Ones(count)}, Kind::features);
  }
  const CentroidOptions centroids{.count = local_centroid_count(options_, request.integer(2), samples()),
                                  .min_count = options_.min_count,
                                  .seed = rng.bits(),
                                  .max_iter = local_iterations,
                                  .tol = local_tolerance};
  return publication(counted_centroids(shard_.samples(), centroids), kind_of_centroids(options_.min_count));
}

void Worker::hear(const Message& statement) {
  const Word word = word_of(statement);
  if (rounds_) require_public(id_, word, circumstances_.devices);
  const bool in_steps = word == Word::stage || word == Word::map;
  if (!in_steps && !told_.insert(word).second) {
    fail(ErrorCategory::BadData,
         "device {} was told twice what is decided once; check that all nodes run the same choir", id_);
  }
  switch (word) {
    case Word::preprocessing:
      return hear_preprocessing(statement);
    case Word::kernel:
      return hear_kernel(statement);
    case Word::landmarks:
      return hear_landmarks(statement);
    case Word::stage:
      return hear_stage(statement);
    case Word::map:
      return hear_map(statement);
    case Word::clusters:
      return hear_clusters(statement);
    default:
      break;
  }
  throw Error(ErrorCategory::Internal, "a device was told something that is not a statement");
}

void Worker::hear_preprocessing(const Message& statement) {
  const auto mean = statement.array(0).matrix().reshaped();
  const auto scale = statement.array(1).matrix().reshaped();
  if (options_.preprocessing.standardize == Standardize::zscore) {
    require_matrix({id_, "means"}, mean, {.rows = shard_.rows(), .most_columns = 1});
    require_matrix({id_, "scales"}, scale, {.rows = shard_.rows(), .most_columns = 1});
  }
  model_.preprocessing.mean = mean;
  model_.preprocessing.scale = scale;
  shard_.preprocess(model_.preprocessing);
}

void Worker::hear_kernel(const Message& statement) {
  const double gamma = statement.number(0);
  if (!(gamma > 0) || !std::isfinite(gamma)) {
    fail(ErrorCategory::BadData, "device {} was told that gamma is {}; it must be positive and finite", id_,
         gamma);
  }
  model_.kernel.gamma = gamma;
}

void Worker::begin_step(Embedding embedding) {
  const Index most = options_.embedding == Embedding::fea ? options_.fea_iterations : 1;
  const bool of_landmarks = options_.embedding == Embedding::nystroem;
  if (of_landmarks != (embedding == Embedding::nystroem) || steps_ == most) {
    fail(
        ErrorCategory::BadData,
        "device {} was told another step of an embedding than its own option --embedding {} has; nothing was "
        "answered about it",
        id_, to_string(options_.embedding));
  }
  ++steps_;
}

void Worker::hear_landmarks(const Message& statement) {
  begin_step(Embedding::nystroem);
  const Eigen::Map<const Matrix> points = statement.array(0).matrix();
  const Eigen::Map<const Matrix> whitening = statement.array(1).matrix();
  require_matrix({id_, "landmarks"}, points, {.rows = shard_.rows(), .most_columns = options_.n_landmarks});
  require_matrix({id_, "a whitening"}, whitening, {.rows = points.cols(), .most_columns = points.cols()});
  model_.points = points;
  whitening_ = whitening;
  input_ = whitening_.transpose() * gram<double>(model_.kernel, model_.points, shard_.samples());
}

void Worker::hear_stage(const Message& statement) {
  begin_step(Embedding::random_features);
  const RandomFeaturesOptions random{.count = statement.integer(2),
                                     .seed = static_cast<std::uint64_t>(statement.integer(3))};
  const double eta = statement.number(0);
  if (random.count != options_.n_features || !(eta >= 0 && eta <= 1)) {
    fail(ErrorCategory::BadData,
         "device {} was told to draw {} random features with a step of {}; its own options have {} features, "
         "and steps are 0 to 1",
         id_, random.count, eta, options_.n_features);
  }
  const auto drawn = circumstances_.store->get(model_.kernel, shard_.rows(), random);
  input_ = stage_input(eta, drawn->transform(shard_.samples()), embedded_);
  model_.stages.push_back({.random = random, .eta = eta, .map = {}});
  if (rounds_) take_map(Matrix::Identity(input_.rows(), input_.rows()));
}

void Worker::hear_map(const Message& statement) {
  const Eigen::Map<const Matrix> map = statement.array(0).matrix();
  require_matrix({id_, "a map"}, map, {.rows = input_.rows(), .most_columns = input_.rows()});
  take_map(map);
}

void Worker::take_map(const MatrixView<double>& map) {
  embedded_ = map.transpose() * input_;
  model_.centroids.resize(map.cols(), 0);
  if (model_.stages.empty()) {
    model_.projection = whitening_ * map;
  } else {
    model_.stages.back().map = map;
  }
  input_.resize(0, 0);
}

void Worker::hear_clusters(const Message& statement) {
  FoundClusters found = clusters_in(statement);
  require_matrix({id_, "centroids"}, found.centroids,
                 {.rows = embedded_.rows(), .most_columns = most_clusters(options_)});
  require_matrix({id_, "counts"}, found.counts, {.rows = found.centroids.cols(), .most_columns = 1});
  found_ = std::move(found);
  model_.centroids = found_.centroids;
  model_.counts = found_.counts;
  model_.training_samples = found_.samples;
}

Matrix Worker::embed_prepared(const MatrixView<double>& points) const {
  ClusterModel plain = model_;
  plain.preprocessing = {};
  return plain.embed(points).transpose();
}

void Worker::require_clusters() const {
  if (told_.contains(Word::clusters)) return;
  fail(ErrorCategory::BadData,
       "device {} was told that the run is over, and no clusters; there are no labels", id_);
}

std::vector<std::int64_t> Worker::labels() const {
  require_clusters();
  return nearest_centroids(embedded_, model_.centroids);
}

std::optional<PrivacyReport> Worker::privacy() const {
  if (!rounds_) return std::nullopt;
  require_clusters();
  return rounds_->report();
}

}  // namespace choir::federated_kmeans
