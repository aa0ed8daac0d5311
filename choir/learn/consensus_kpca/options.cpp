#include "choir/learn/consensus_kpca/options.h"

#include <cmath>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/learn/consensus_kpca/private_options.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/require.h"

namespace choir::consensus_kpca {
namespace {

void validate_features(const Options& options) {
  const KernelKind kind = options.kernel.kind;
  if (options.share == Share::random_features && kind != KernelKind::rbf && kind != KernelKind::laplacian) {
    fail(ErrorCategory::InvalidArgument,
         "share is random-features, which exist for the kernels rbf and laplacian, not for {}; choose one of "
         "them, or share landmarks",
         to_string(kind));
  }
  if (options.share == Share::samples) return;
  require_variances(options.kernel, options.n_components);
  if (options.exchange_noise > 0) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "exchange_noise is added to samples that are sent, and this share sends none; omit it, or use share "
        "samples");
  }
  if (options.centering != Centering::landmark) {
    fail(ErrorCategory::InvalidArgument,
         "centering {} needs samples of neighbours; without them the mean of all features is removed "
         "(centering landmark); use share samples with it",
         to_string(options.centering));
  }
}

void validate_landmarks(const Options& options) {
  if (!options.public_points) return;
  if (options.share == Share::random_features || options.centering != Centering::landmark) {
    throw Error(ErrorCategory::InvalidArgument,
                "landmarks are given, but share random-features and centerings other than landmark use none; "
                "omit them");
  }
  if (options.public_points->columns() == 0) {
    throw Error(ErrorCategory::InvalidArgument, "the file of landmarks holds no points; give it some");
  }
}

void validate_use(const Options& options) {
  if (!options.use) return;
  const bool samples = options.share == Share::samples;
  const bool landmarks = options.centering == Centering::landmark;
  if (*options.use == Answer::neighborhood && !samples) {
    fail(
        ErrorCategory::InvalidArgument,
        "use is neighborhood, but share {} shows nobody its neighbours' samples; use shared or own, or share "
        "samples",
        to_string(options.share));
  }
  if (*options.use == Answer::shared && samples && !landmarks) {
    fail(ErrorCategory::InvalidArgument,
         "use is shared, but centering {} knows no landmarks that all nodes share; use neighborhood or own, "
         "or "
         "centering landmark",
         to_string(options.centering));
  }
}

}  // namespace

constexpr auto z_step_names = words_in_order<ZStep::paper>("unbiased", "paper");
ChoiceNames<ZStep> choice_names(ZStep) { return z_step_names; }

constexpr auto init_names = words_in_order<Init::random>("gather", "local", "random");
ChoiceNames<Init> choice_names(Init) { return init_names; }

constexpr auto centering_names = words_in_order<Centering::none>("landmark", "local", "none");
ChoiceNames<Centering> choice_names(Centering) { return centering_names; }

constexpr auto share_names =
    words_in_order<Share::random_features>("samples", "landmarks", "random-features");
ChoiceNames<Share> choice_names(Share) { return share_names; }

constexpr auto answer_names = words_in_order<Answer::shared>("own", "neighborhood", "shared");
ChoiceNames<Answer> choice_names(Answer) { return answer_names; }

constexpr auto agree_names = words_in_order<Agree::gossip>("tree", "consensus", "gossip");
ChoiceNames<Agree> choice_names(Agree) { return agree_names; }

Penalty parse_penalty(std::string_view text) {
  if (text == "auto") return {};
  if (text == "schedule") return {.rule = Penalty::Rule::schedule};
  const auto value = parse_number(text);
  if (!value || !(*value > 0) || !std::isfinite(*value)) {
    fail(ErrorCategory::InvalidArgument, "rho is '{}'; it must be auto, schedule or a positive number", text);
  }
  return {.rule = Penalty::Rule::number, .value = *value};
}

std::string to_string(const Penalty& penalty) {
  switch (penalty.rule) {
    case Penalty::Rule::automatic:
      return "auto";
    case Penalty::Rule::schedule:
      return "schedule";
    case Penalty::Rule::number:
      break;
  }
  return fmt::format("{}", penalty.value);
}

LandmarkOptions landmarks_wanted(const Options& options, const Preprocessing& preprocessing) {
  LandmarkOptions wanted{.count = options.n_landmarks,
                         .min_count = options.min_count,
                         .summed = options.share != Share::samples};
  if (!options.public_points) return wanted;
  Samples points = options.public_points->matrix();
  preprocessing.apply(points);
  wanted.count = points.cols();
  wanted.points = Array(std::move(points));
  return wanted;
}

void validate(const Options& options) {
  require_at_least("guard", options.guard.value_or(0), 0);
  require_at_least("max_iter", options.max_iter, 1);
  require_at_least("n_landmarks", options.n_landmarks, 1);
  require_at_least("n_features", options.n_features, 1);
  require_at_least("min_count", options.min_count, 1);
  if (!(options.tol >= 0))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  if (!(options.exchange_noise >= 0) || !std::isfinite(options.exchange_noise)) {
    fail(ErrorCategory::InvalidArgument, "exchange_noise is {}; it must be 0 or more",
         options.exchange_noise);
  }
  validate_features(options);
  validate_landmarks(options);
  validate_use(options);
  if (options.privacy.wanted()) require_private(options);
}

}  // namespace choir::consensus_kpca
