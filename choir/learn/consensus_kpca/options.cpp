#include "choir/learn/consensus_kpca/options.h"

#include <cmath>

#include "choir/base/choices.h"
#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

constexpr ChoiceNames<ZStep, 2> z_steps = {{{ZStep::unbiased, "unbiased"}, {ZStep::paper, "paper"}}};
constexpr ChoiceNames<Start, 3> starts = {
    {{Start::gather, "gather"}, {Start::local, "local"}, {Start::random, "random"}}};
constexpr ChoiceNames<Centering, 3> centerings = {
    {{Centering::landmark, "landmark"}, {Centering::local, "local"}, {Centering::none, "none"}}};
constexpr ChoiceNames<Share, 3> shares = {{{Share::samples, "samples"},
                                           {Share::landmarks, "landmarks"},
                                           {Share::random_features, "random-features"}}};
constexpr ChoiceNames<Agree, 3> agrees = {
    {{Agree::tree, "tree"}, {Agree::consensus, "consensus"}, {Agree::gossip, "gossip"}}};

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void validate_features(const ConsensusKpcaOptions& options) {
  const KernelKind kind = options.kernel.kind;
  if (options.share == Share::random_features && kind != KernelKind::rbf && kind != KernelKind::laplacian) {
    fail(ErrorCategory::InvalidArgument,
         "share is random-features, which exist for the kernels rbf and laplacian, not for {}; choose one of "
         "them, or share landmarks",
         to_string(kind));
  }
  if (options.share == Share::samples) return;
  if (options.exchange_noise > 0) {
    throw Error(ErrorCategory::InvalidArgument,
                "exchange_noise is added to samples that are sent, and this share sends none; omit it");
  }
  if (options.centering != Centering::landmark) {
    fail(ErrorCategory::InvalidArgument,
         "centering {} needs samples of neighbours; without them the mean of all features is removed "
         "(centering landmark)",
         to_string(options.centering));
  }
}

}  // namespace

ZStep parse_z_step(std::string_view text) { return parse_choice(z_steps, "z_step", text); }
Start parse_start(std::string_view text) { return parse_choice(starts, "init", text); }
Centering parse_centering(std::string_view text) { return parse_choice(centerings, "centering", text); }
Share parse_share(std::string_view text) { return parse_choice(shares, "share", text); }
Agree parse_agree(std::string_view text) { return parse_choice(agrees, "agree", text); }
std::string_view to_string(ZStep choice) { return name_of(z_steps, choice); }
std::string_view to_string(Start choice) { return name_of(starts, choice); }
std::string_view to_string(Centering choice) { return name_of(centerings, choice); }
std::string_view to_string(Share choice) { return name_of(shares, choice); }
std::string_view to_string(Agree choice) { return name_of(agrees, choice); }

Penalty parse_penalty(std::string_view text) {
  if (text == "auto") return {};
  if (text == "schedule") return {.rule = Penalty::Rule::schedule};
  const auto value = parse_number(text);
  if (!value || !(*value > 0) || !std::isfinite(*value)) {
    fail(ErrorCategory::InvalidArgument, "rho is '{}'; it must be auto, schedule or a positive number", text);
  }
  return {.rule = Penalty::Rule::number, .value = *value};
}

void validate(const ConsensusKpcaOptions& options) {
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

}  // namespace choir
