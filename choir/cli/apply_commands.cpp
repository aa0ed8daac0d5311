// `choir transform` and `choir score`: a saved model applied to a data file.
#include <memory>

#include <fmt/format.h>

#include "choir/cli/command.h"
#include "choir/cli/failures.h"
#include "choir/cli/launcher.h"
#include "choir/data/answer_file.h"
#include "choir/model/model_file.h"
#include "choir/run/apply_data.h"
#include "choir/run/parts/apply_parts.h"
#include "choir/run/parts/part_files.h"
#include "choir/run/start_engine.h"

namespace choir::cli {
namespace {

// N x D, from the chosen answer of a model, and from what the parts of one add up to.
struct Question {
  const char* name;  // of a column of the answer
  Matrix (*of_model)(const Model& model, const Samples& samples, int threads);
  Matrix (*of_parts)(const PartedAnswer& answer);
};

constexpr const char* for_every_model = "Model";

void write_values(AnswerFile answer, const char* name, const std::string& out, Console& console) {
  const Index columns = answer.values.cols();
  for (Index d = 0; d < columns; ++d)
    answer.names.push_back(columns == 1 ? std::string(name) : fmt::format("{}_{}", name, d + 1));
  write_answer(out, answer);
  console.note(fmt::format("{} x {} values in {}", answer.values.rows(), columns, out));
}

void apply_model(const ApplySettings& settings, const Question& question, Console& console) {
  const ModelFile file = load_model(settings.model);
  const Model& model = file.answer(settings.use);
  require_components(model);
  const NewData data = read_data_for(file, model,
                                     {.model = settings.model,
                                      .data = settings.data.data,
                                      .labels = settings.data.labels,
                                      .id = settings.data.id,
                                      .writes_labels = true});
  for (const std::string& note : data.notes) console.warn(note);
  AnswerFile answer = answer_about(data);
  answer.values = question.of_model(model, data.samples, settings.engine.threads);
  write_values(std::move(answer), question.name, settings.folder.out, console);
}

void apply_parts(const ApplySettings& settings, const Question& question, Session& session) {
  require_launcher(settings, session.arguments);
  const std::unique_ptr<Engine> engine = start_engine(settings, complain);
  ProcessGroup processes(*engine);
  report_failures(processes, session, [&] {
    Console console({.quiet = session.console.quiet || !processes.speaks()});
    RunOptions run = settings.run_options();
    run.watch = console.watch();
    const PartsAnswer parts = choir::apply_parts(settings, processes, run);
    Console writer({.quiet = session.console.quiet});
    processes.together([&] {
      if (!parts.answer) return;
      write_values({.values = question.of_parts(*parts.answer), .with_header = false}, question.name,
                   settings.folder.out, writer);
    });
    if (!processes.speaks()) return;
    for (const std::string& warning : parts.warnings) console.warn(warning);
    console.note(parts.sent);
  });
}

void refuse_parts_options(const OptionTable& table, const ApplySettings& settings) {
  for (const OptionRow& row : table.rows()) {
    if (row.group == for_every_model || !settings.was_given(row.name)) continue;
    fail(ErrorCategory::InvalidArgument,
         "--{} is for models in parts, --model 'RUN/model-{{node}}.npz'; omit it for a single model",
         row.name);
  }
}

OptionTable apply_table() {
  OptionTable table;
  OptionGroup<ApplySettings> model(table, for_every_model);
  model
      .add("model", &ApplySettings::model,
           "model-<node>.npz of a run; model-{node}.npz for a model in parts, one at each node")
      .named("FILE")
      .needed();
  OptionGroup<ApplySettings, DataSettings> data(
      table, for_every_model, [](ApplySettings & settings) -> auto& { return settings.data; });
  data.add("data", &DataSettings::data, "samples, one per row; for parts also a pattern: part-{node}.npy")
      .named("FILE")
      .needed();
  OptionGroup<ApplySettings, FolderSettings> folder(
      table, for_every_model, [](ApplySettings & settings) -> auto& { return settings.folder; });
  folder.add("out", &FolderSettings::out, "a file to write: .npy, .npz, .csv, .tsv or .ndjson")
      .named("FILE")
      .needed();
  folder.add("force", &FolderSettings::force, "replace the file if it exists");
  data.add("labels", &DataSettings::labels, "a column, or a file, of labels to write beside the answers")
      .named("FILE");
  data.add("id", &DataSettings::id, "the column that says who each row is, to write beside the answers")
      .named("COLUMN");
  model.add("use", &ApplySettings::use, "which of the model's answers: own, neighborhood, shared")
      .named("ANSWER");
  add_parts_rows(table);
  OptionGroup<ApplySettings, EngineSettings> engine(
      table, for_every_model, [](ApplySettings & settings) -> auto& { return settings.engine; });
  engine.add("threads", &EngineSettings::threads, "threads of this process; 0: all cores").at_least(0);
  return table;
}

Command apply_command(const std::string& name, const std::string& about, const std::string& example,
                      const Question& question) {
  Command command{.name = name, .about = about, .example = example};
  command.options = apply_table();
  for (const char* common : {"model", "data", "out", "labels", "id", "force", "use", "threads"})
    command.options.at(common).in_short_help();
  command.defaults = std::make_shared<ApplySettings>();
  command.run = [table = command.options, question](const Call& call, Session& session) {
    const auto settings = arguments_of<ApplySettings>(table, call);
    require_writable(settings.folder.out, settings.folder.force);
    if (names_parts(settings.model)) return apply_parts(settings, question, session);
    refuse_parts_options(table, settings);
    Console console(session.console);
    apply_model(settings, question, console);
  };
  return command;
}

}  // namespace

Command transform_command() {
  return apply_command("transform", "component scores of new samples, one row per sample",
                       "choir transform --model runs/central/model-0.npz --data new.npy --out scores.csv",
                       {.name = "component",
                        .of_model = [](const Model& model, const Samples& samples,
                                       int threads) { return transform(model, samples, threads); },
                        .of_parts = [](const PartedAnswer& answer) { return answer.scores; }});
}

Command score_command() {
  return apply_command("score", "reconstruction error of new samples: large means unlike the training data",
                       "choir score --model runs/central/model-0.npz --data new.npy --out errors.csv",
                       {.name = "error",
                        .of_model = [](const Model& model, const Samples& samples,
                                       int threads) { return Matrix(score(model, samples, threads)); },
                        .of_parts = [](const PartedAnswer& answer) { return Matrix(answer.errors); }});
}

}  // namespace choir::cli
