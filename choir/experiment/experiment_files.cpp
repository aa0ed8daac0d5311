#include "choir/experiment/experiment_files.h"

#include <system_error>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/codec/files.h"
#include "choir/report/page.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path file_of(const fs::path& folder, const std::string& id, const std::string& ending) {
  return folder / (id + ending);
}

fs::path picture_file(const fs::path& folder, const Experiment& experiment, const Picture& picture) {
  return file_of(folder, experiment.id, picture.name.empty() ? ".svg" : "-" + picture.name + ".svg");
}

}  // namespace

void refuse_existing(const fs::path& folder, const std::string& id) {
  const fs::path file = file_of(folder, id, ".json");
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return;
  fail(ErrorCategory::InvalidArgument, "{} exists; choose another folder, or replace it with --force",
       file.string());
}

Json to_json(const Experiment& experiment, const ExperimentOptions& options, const ExperimentResult& result,
             const ExperimentRun& run) {
  Json pictures = Json::array();
  for (const Picture& picture : result.pictures) {
    pictures.push_back(picture_file({}, experiment, picture).filename().string());
  }
  return {{"choir", run.choir_version},
          {"experiment", experiment.id},
          {"shows", experiment.shows},
          {"command", run.command},
          {"started", run.started},
          {"versions", run.versions},
          {"quick", options.quick},
          {"seeds", repetitions(options)},
          {"threads", resolve_threads(options.threads)},
          {"seconds", run.seconds},
          {"notes", result.notes},
          {"pictures", std::move(pictures)},
          {"table", result.table.json()}};
}

fs::path write_experiment(const fs::path& folder, const Experiment& experiment,
                          const ExperimentOptions& options, const ExperimentResult& result,
                          const ExperimentRun& run) {
  const fs::path json = file_of(folder, experiment.id, ".json");
  std::error_code error;
  fs::create_directories(json.parent_path(), error);
  if (error) {
    fail(ErrorCategory::Io, "cannot make the output folder {}: {}", json.parent_path().string(),
         error.message());
  }
  write_file_atomically(file_of(folder, experiment.id, ".csv"), result.table.csv());
  Json document = to_json(experiment, options, result, run);
  Json pictures = Json::array();
  for (const Picture& picture : result.pictures) {
    const std::string svg = to_svg(picture.chart);
    write_file_atomically(picture_file(folder, experiment, picture), svg);
    pictures.push_back({{"name", picture.name.empty() ? experiment.id : picture.name}, {"svg", svg}});
  }
  const std::string text = document.dump(2) + "\n";
  document["svgs"] = std::move(pictures);
  write_file_atomically(file_of(folder, experiment.id, ".html"), page_of({{"experiment", document}}));
  write_file_atomically(json, text);
  return json;
}

}  // namespace choir
