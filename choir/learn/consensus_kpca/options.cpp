#include "choir/learn/consensus_kpca/options.h"

#include <cmath>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir::consensus_kpca {
namespace {

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void validate_features(const Options& options) {
  const KernelKind kind = options.kernel.kind;
  if (options.share == Share::random_features && kind != KernelKind::rbf && kind != KernelKind::laplacian) {
    fail(ErrorCategory::InvalidArgument,
         "share is random-features, which exist for the kernels rbf and laplacian, not for {}; choose one of "
         "them, or share landmarks",
         to_string(kind));
  }
  if (options.share == Share::samples) return;
  if (options.exchange_noise > 0) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "exchange_noise is added to samples that are sent; with this share none are, so leave it out");
  }
  if (options.centering != Centering::landmark) {
    fail(ErrorCategory::InvalidArgument,
         "centering {} needs samples of neighbours; without them the mean of all features is removed "
         "(centering landmark)",
         to_string(options.centering));
  }
}

}  // namespace

ChoiceNames<ZStep> choice_names(ZStep) {
  static constexpr std::array<ChoiceName<ZStep>, 2> names = {
      {{ZStep::unbiased, "unbiased"}, {ZStep::paper, "paper"}}};
  return names;
}

ChoiceNames<Init> choice_names(Init) {
  static constexpr std::array<ChoiceName<Init>, 3> names = {
      {{Init::gather, "gather"}, {Init::local, "local"}, {Init::random, "random"}}};
  return names;
}

ChoiceNames<Centering> choice_names(Centering) {
  static constexpr std::array<ChoiceName<Centering>, 3> names = {
      {{Centering::landmark, "landmark"}, {Centering::local, "local"}, {Centering::none, "none"}}};
  return names;
}

ChoiceNames<Share> choice_names(Share) {
  static constexpr std::array<ChoiceName<Share>, 3> names = {{{Share::samples, "samples"},
                                                              {Share::landmarks, "landmarks"},
                                                              {Share::random_features, "random-features"}}};
  return names;
}

ChoiceNames<Agree> choice_names(Agree) {
  static constexpr std::array<ChoiceName<Agree>, 3> names = {
      {{Agree::tree, "tree"}, {Agree::consensus, "consensus"}, {Agree::gossip, "gossip"}}};
  return names;
}

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
}

}  // namespace choir::consensus_kpca
