// `choir transform` and `choir score`: a saved model applied to a data file.
#include <memory>

#include <fmt/format.h>

#include "choir/cli/apply_data.h"
#include "choir/cli/apply_parts.h"
#include "choir/cli/commands.h"
#include "choir/cli/part_files.h"
#include "choir/data/writer.h"
#include "choir/model/model_file.h"

namespace choir::cli {
namespace {

// N x D, from the chosen answer of a model, and from what the parts of one add up to.
struct Question {
  Matrix (*of_model)(const Model& model, const Samples& samples, int threads);
  PartsQuestion of_parts;
};

void apply(const ApplyArguments& arguments, const Question& question, Console& console) {
  const FitOptions& options = arguments.run;
  const ModelFile file = load_model(arguments.model);
  const Model& model = file.answer(arguments.use);
  require_components(model);
  const Dataset dataset = read_data_for(model, arguments.model, options.data);
  const Matrix answer = question.of_model(model, dataset.samples, options.threads);
  write_matrix(options.out, answer);
  console.note(fmt::format("{} x {} values in {}", answer.rows(), answer.cols(), options.out));
}

void add_apply_command(CLI::App& app, Session& session, const std::string& name, const std::string& about,
                       const std::string& example, const Question& question) {
  CLI::App* command = add_command(app, session, name, about, example, Prints::nothing);
  auto arguments = std::make_shared<ApplyArguments>();
  FitOptions& options = arguments->run;
  command
      ->add_option("--model", arguments->model,
                   "model-<node>.npz of a run; model-{node}.npz for a model in parts, one at each node")
      ->required();
  command->add_option("--data", options.data, "samples, one a row; for parts also a pattern: part-{node}.npy")
      ->required();
  command->add_option("--out", options.out, "file to write: .npy, .npz, .csv or .tsv")->required();
  command->add_option("--use", arguments->use, "which of the model's answers: own, neighborhood, shared");
  command->add_option("--threads", options.threads, "0: all cores")->check(not_negative());
  add_parts_options(*command, *arguments);
  command->callback([arguments, command, question, &session] {
    if (names_parts(arguments->model)) {
      apply_parts(*arguments, session, question.of_parts);
      return;
    }
    refuse_parts_options(*command);
    Console console(session.console);
    apply(*arguments, question, console);
  });
}

}  // namespace

void add_transform_command(CLI::App& app, Session& session) {
  add_apply_command(
      app, session, "transform", "component scores of new samples, a row each",
      "choir transform --model runs/central/model-0.npz --data new.npy --out scores.csv",
      {.of_model = transform, .of_parts = [](const PartedAnswer& answer) { return answer.scores; }});
}

void add_score_command(CLI::App& app, Session& session) {
  add_apply_command(app, session, "score",
                    "reconstruction error of new samples: large means unlike the training data",
                    "choir score --model runs/central/model-0.npz --data new.npy --out errors.csv",
                    {.of_model = [](const Model& model, const Samples& samples,
                                    int threads) { return Matrix(score(model, samples, threads)); },
                     .of_parts = [](const PartedAnswer& answer) { return Matrix(answer.errors); }});
}

}  // namespace choir::cli
