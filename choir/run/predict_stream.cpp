#include "choir/run/predict_stream.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/data/writer.h"
#include "choir/run/apply_data.h"
#include "choir/run/live_model.h"

namespace choir {
namespace {

// How the predictions so far hit the truth.
class Tally {
 public:
  void add(const KernelMachine& machine, double truth, double prediction) {
    ++samples_;
    are_values_ = machine.classes.empty();
    sum_ +=
        are_values_ ? (truth - prediction) * (truth - prediction) : static_cast<double>(truth == prediction);
  }
  void tell(StreamedPredictions& done) const {
    if (samples_ == 0) return;
    const double mean = sum_ / static_cast<double>(samples_);
    if (are_values_) {
      done.rmse = std::sqrt(mean);
    } else {
      done.accuracy = mean;
    }
  }

 private:
  bool are_values_ = false;
  std::uint64_t samples_ = 0;
  double sum_ = 0;
};

std::string row_text(const Matrix& row) { return fmt::format("{}", fmt::join(row.reshaped(), ",")); }

std::string cluster_line(const ClusterModel& clusters, const Samples& sample,
                         const StreamPrediction& options) {
  if (options.what == Predicted::probabilities) {
    throw Error(ErrorCategory::InvalidArgument,
                "clusters have no probabilities; ask for the scores, the squared distances to the centroids");
  }
  if (options.what == Predicted::scores) return row_text(clusters.distances(sample, options.threads));
  return std::to_string(clusters.predict(sample, options.threads).front());
}

std::string machine_line(const KernelMachine& machine, const Samples& sample,
                         const StreamPrediction& options) {
  if (options.what == Predicted::probabilities)
    return row_text(machine.probabilities(sample, options.threads));
  if (options.what == Predicted::scores || machine.classes.empty())
    return row_text(machine.decide(sample, options.threads));
  return csv_field(machine.name_of(static_cast<std::int64_t>(machine.predict(sample, options.threads)[0])));
}

StreamOptions reading(const Model& model, const StreamPrediction& options, const StreamHooks& hooks) {
  StreamOptions reading{.target = options.labels,
                        .targets = label_rule_of(model),
                        .on_bad_record = options.on_bad_record,
                        .follow = options.follow,
                        .stop = options.stop,
                        .warn = hooks.note};
  return reading;
}

// Lines come one by one, as numbers in the order of the model's features.
void require_numbers(const std::optional<Recipe>& recipe, const StreamPrediction& options,
                     const StreamHooks& hooks) {
  if (!recipe) return;
  if (!recipe->is_plain()) {
    fail(ErrorCategory::InvalidArgument,
         "{} was fitted to a table of words or gaps, and lines of a stream are numbers; give a whole file, "
         "without "
         "--follow",
         options.model);
  }
  hooks.note(
      fmt::format("columns of the stream go by position, as {}", fmt::join(recipe->feature_names(), ", ")));
}

// Says what is known of bad records since it was last called.
class BadRecordSpeaker {
 public:
  void look(const SampleStream& stream, const StreamHooks& hooks) {
    const std::vector<std::string> sentences = stream.first_bad();
    for (; said_ < sentences.size(); ++said_)
      hooks.note(fmt::format("a bad record was skipped: {}", sentences[said_]));
  }

 private:
  std::size_t said_ = 0;
};

}  // namespace

StreamedPredictions predict_stream(const StreamPrediction& options, const StreamHooks& hooks) {
  LiveModel live(options.model, options.use);
  if (!std::holds_alternative<ClusterModel>(live.model())) require_machine(live.model());
  require_numbers(live.recipe(), options, hooks);
  const auto stream = open_stream(options.data, reading(live.model(), options, hooks));
  require_features(live.model(), options.model, options.data, stream->features());
  StreamedPredictions done;
  Tally tally;
  BadRecordSpeaker bad;
  while (const auto sample = stream->next(1)) {
    bad.look(*stream, hooks);
    if (live.look(hooks.note)) ++done.reloads;
    if (const auto* clusters = std::get_if<ClusterModel>(&live.model())) {
      hooks.write(cluster_line(*clusters, sample->samples, options));
    } else {
      const KernelMachine& machine = require_machine(live.model());
      hooks.write(machine_line(machine, sample->samples, options));
      if (sample->targets.size() > 0)
        tally.add(machine, sample->targets[0], machine.predict(sample->samples, options.threads)[0]);
    }
    ++done.samples;
  }
  bad.look(*stream, hooks);
  done.bad_records = stream->bad_before(all_samples);
  tally.tell(done);
  return done;
}

}  // namespace choir
