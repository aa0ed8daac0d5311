#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/codec/files.h"
#include "choir/model/model_file.h"
#include "choir/run/inspect_model.h"
#include "choir/run/inspect_run.h"
#include "choir/run/result_json.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json read_run(const fs::path& folder) {
  const fs::path path = folder / "result.json";
  if (!fs::exists(path)) {
    fail(ErrorCategory::BadData, "{} is not a run folder of choir: it has no result.json", folder.string());
  }
  const auto bytes = read_file(path);
  Json json = Json::parse(reinterpret_cast<const char*>(bytes.data()),
                          reinterpret_cast<const char*>(bytes.data()) + bytes.size(), nullptr, false);
  if (json.is_discarded())
    fail(ErrorCategory::BadData, "{} is not JSON; the run folder is damaged", path.string());
  return json;
}

}  // namespace

Command inspect_command() {
  Command command{.name = "inspect",
                  .about = "what is in a model or a run folder, in words",
                  .example = "choir inspect runs/central"};
  command.takes = {{.name = "FILE", .help = "a model, or a run folder"}};
  command.prints_table = true;
  command.run = [](const Call& call, Session& session) {
    const std::string& path = call.words.front();
    Console console(session.console);
    if (fs::is_directory(path)) {
      const Json json = read_run(path);
      console.print(console.json() ? json_text(json, 2) : describe_run(path, json));
      return;
    }
    const ModelDescription model = describe_model(path, load_model(path));
    console.print(console.json() ? json_text(to_json(model.facts), 2) : model.text);
  };
  return command;
}

}  // namespace choir::cli
