#include "choir/learn/federated_kmeans/worker.h"

#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/learn/federated_kmeans/nystroem.h"
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

Matrix Worker::moments(const Vector& centre) const {
  const bool of_entries = centre.size() == 1 && shard_.rows() > 1;
  if (!of_entries && centre.size() != shard_.rows()) {
    fail(ErrorCategory::BadData, "device {} was asked about {} features and has {}", id_, centre.size(),
         shard_.rows());
  }
  const SamplesMap samples = shard_.samples();
  Matrix sums(2, centre.size());
  if (of_entries) {
    const auto deviations = samples.array() - centre(0);
    sums << deviations.sum(), deviations.square().sum();
    return sums;
  }
  const auto deviations = samples.colwise() - centre;
  sums.row(0) = deviations.rowwise().sum().transpose();
  sums.row(1) = deviations.rowwise().squaredNorm().transpose();
  return sums;
}

Matrix Worker::sums(const Message& question) const {
  Matrix answer = plain_sums(question);
  if (answer.allFinite()) return answer;
  fail(ErrorCategory::BadData,
       "device {} has values that are too large to be squared: a sum over its samples is not finite; divide "
       "all "
       "data by a large number first",
       id_);
}

Matrix Worker::plain_sums(const Message& question) const {
  switch (word_of(question)) {
    case Word::moments:
      return moments(question.array(0).matrix().reshaped());
    case Word::gram:
      return packed_gram(input_);
    case Word::product:
      return input_ * (input_.transpose() * question.array(0).matrix());
    case Word::lloyd:
      return lloyd_sums(embedded_, centres_in(question));
    case Word::appraise:
      return appraisal_sums(embedded_, centres_in(question));
    case Word::trace:
      return Vector{{gram_diagonal<double>(model_.kernel, shard_.samples()).sum(), input_.squaredNorm()}};
    case Word::cost:
      return Matrix::Constant(1, 1, cost_of(embedded_, question.array(0).matrix()));
    case Word::weigh:
      return weights_of(embedded_, question.array(0).matrix());
    default:
      break;
  }
  throw Error(ErrorCategory::Internal, "a device was asked for unknown sums");
}

Message Worker::publication_for(const Message& request) const {
  Rng rng(circumstances_.seed, Purpose("federated-kmeans publication"), static_cast<std::uint64_t>(id_),
          static_cast<std::uint64_t>(round_of(request)));
  if (word_of(request) == Word::draw) {
    Matrix drawn = drawn_samples(embedded_, request.array(0).matrix(), request.number(0), rng);
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
  switch (word_of(statement)) {
    case Word::preprocessing:
      return hear_preprocessing(statement);
    case Word::kernel:
      model_.kernel.gamma = statement.number(0);
      return;
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
  model_.preprocessing.mean = statement.array(0).matrix().reshaped();
  model_.preprocessing.scale = statement.array(1).matrix().reshaped();
  shard_.preprocess(model_.preprocessing);
}

void Worker::hear_landmarks(const Message& statement) {
  model_.points = statement.array(0).matrix();
  whitening_ = statement.array(1).matrix();
  input_ = whitening_.transpose() * gram<double>(model_.kernel, model_.points, shard_.samples());
}

void Worker::hear_stage(const Message& statement) {
  const RandomFeaturesOptions random{.count = statement.integer(2),
                                     .seed = static_cast<std::uint64_t>(statement.integer(3))};
  const double eta = statement.number(0);
  const auto drawn = circumstances_.store->get(model_.kernel, shard_.rows(), random);
  input_ = stage_input(eta, drawn->transform(shard_.samples()), embedded_);
  model_.stages.push_back({.random = random, .eta = eta, .map = {}});
}

void Worker::hear_map(const Message& statement) {
  const Eigen::Map<const Matrix> map = statement.array(0).matrix();
  if (map.rows() != input_.rows()) {
    fail(ErrorCategory::BadData, "device {} got a map from {} features and has {}", id_, map.rows(),
         input_.rows());
  }
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
  found_ = clusters_in(statement);
  model_.centroids = found_.centroids;
  model_.counts = found_.counts;
  model_.training_samples = found_.samples;
}

Matrix Worker::embed_prepared(const MatrixView<double>& points) const {
  ClusterModel plain = model_;
  plain.preprocessing = {};
  return plain.embed(points).transpose();
}

std::vector<std::int64_t> Worker::labels() const { return nearest_centroids(embedded_, model_.centroids); }

}  // namespace choir::federated_kmeans
