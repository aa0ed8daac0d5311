// `choir transform` and `choir score`: a saved model applied to a data file.
#include <memory>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/cli/commands.h"
#include "choir/data/dataset.h"
#include "choir/data/writer.h"
#include "choir/model/model_file.h"

namespace choir::cli {
namespace {

struct ApplyArguments {
  std::string model;
  std::string data;
  std::string out;
  std::string use;
  int threads = 0;
};

// N x D, from the chosen answer of the model.
using Question = Matrix (*)(const Model& model, const Samples& samples, int threads);

void apply(const ApplyArguments& arguments, Question question, Console& console) {
  const ModelFile file = load_model(arguments.model);
  const Model& model = file.answer(arguments.use);
  const Dataset dataset = read_dataset(arguments.data);
  if (dataset.features() != features(model)) {
    fail(ErrorCategory::InvalidArgument,
         "{} has {} features but the model {} was fitted to {}; use data with the same columns",
         arguments.data, dataset.features(), arguments.model, features(model));
  }
  const Matrix answer = question(model, dataset.samples, arguments.threads);
  write_matrix(arguments.out, answer);
  console.note(fmt::format("{} x {} values in {}", answer.rows(), answer.cols(), arguments.out));
}

void add_apply_command(CLI::App& app, Session& session, const std::string& name, const std::string& about,
                       const std::string& example, Question question) {
  CLI::App* command = add_command(app, session, name, about, example, Prints::nothing);
  auto arguments = std::make_shared<ApplyArguments>();
  command->add_option("--model", arguments->model, "model-<node>.npz of a run")->required();
  command->add_option("--data", arguments->data, "samples, one a row")->required();
  command->add_option("--out", arguments->out, "file to write: .npy, .npz, .csv or .tsv")->required();
  command->add_option("--use", arguments->use, "which of the model's answers: own, neighborhood, shared");
  command->add_option("--threads", arguments->threads, "0: all cores")->check(not_negative());
  command->callback([arguments, question, &session] {
    Console console(session.console);
    apply(*arguments, question, console);
  });
}

}  // namespace

void add_transform_command(CLI::App& app, Session& session) {
  add_apply_command(app, session, "transform", "component scores of new samples, a row each",
                    "choir transform --model runs/central/model-0.npz --data new.npy --out scores.csv",
                    [](const Model& model, const Samples& samples, int threads) {
                      return transform(model, samples, threads);
                    });
}

void add_score_command(CLI::App& app, Session& session) {
  add_apply_command(app, session, "score",
                    "reconstruction error of new samples: large means unlike the training data",
                    "choir score --model runs/central/model-0.npz --data new.npy --out errors.csv",
                    [](const Model& model, const Samples& samples, int threads) {
                      return Matrix(score(model, samples, threads));
                    });
}

}  // namespace choir::cli
