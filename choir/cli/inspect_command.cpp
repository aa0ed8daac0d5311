#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/command.h"
#include "choir/codec/files.h"
#include "choir/model/model_file.h"
#include "choir/run/inspect_model.h"
#include "choir/run/result_json.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Methods that learn something else have none.
std::string components_words(const Json& json) {
  const auto components = json.at("n_components").get<Index>();
  return components == 0 ? "" : fmt::format(", {} components", components);
}

std::string run_words(const std::string& path, const Json& json) {
  const auto converged = json.at("converged");
  std::string text = fmt::format("{}: a run of {} over {} node{}, {} samples of {} features{}\n", path,
                                 json.at("method").get<std::string>(), json.at("nodes").get<Index>(),
                                 json.at("nodes") == 1 ? "" : "s", json.at("samples").get<Index>(),
                                 json.at("features").get<Index>(), components_words(json));
  text += converged.is_null()     ? "a run of fixed length"
          : converged.get<bool>() ? "converged"
                                  : "NOT converged";
  if (json.contains("residual") && !json["residual"].is_null()) {
    text += fmt::format(", residual {:.1e}", json["residual"].get<double>());
  }
  text += fmt::format("; {:.2f} s, peak {:.0f} MiB, {} messages, {} bytes sent",
                      json.at("time").at("total_s").get<double>(),
                      json.at("memory_peak_bytes").get<double>() / 1048576,
                      json.at("ledger").at("messages").get<std::uint64_t>(),
                      json.at("ledger").at("bytes").get<std::uint64_t>());
  if (json.contains("privacy")) {
    const Json& promise = json["privacy"];
    text += fmt::format("\ndifferential privacy: epsilon {}, delta {} for each sample ({}); rho {:.4g}",
                        promise.at("epsilon").get<double>(), promise.at("delta").get<double>(),
                        promise.at("relation").get<std::string>(), promise.at("rho").get<double>());
  }
  for (const auto& [name, values] : json.at("quality").items()) {
    if (name == "per_node") continue;
    text += fmt::format("\n{:<22}", name);
    for (const auto& value : values) {
      text += value.is_null() ? std::string(" -") : fmt::format(" {:.4f}", value.get<double>());
    }
  }
  for (const auto& note : json.value("notes", Json::array())) text += "\nnote: " + note.get<std::string>();
  return text;
}

Json read_run(const fs::path& folder) {
  const fs::path path = folder / "result.json";
  if (!fs::exists(path)) {
    fail(ErrorCategory::BadData, "{} is not a run folder of choir: it has no result.json", folder.string());
  }
  const auto bytes = read_file(path);
  const Json json = Json::parse(reinterpret_cast<const char*>(bytes.data()),
                                reinterpret_cast<const char*>(bytes.data()) + bytes.size(), nullptr, false);
  if (json.is_discarded())
    fail(ErrorCategory::BadData, "{} is not JSON; the run folder is damaged", path.string());
  return json;
}

std::string words_of_run(const std::string& path, const Json& json) {
  try {
    return run_words(path, json);
  } catch (const Json::exception& error) {
    fail(ErrorCategory::BadData, "{}/result.json is not a result that choir can read: {}", path,
         error.what());
  }
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
      console.print(console.json() ? json_text(json, 2) : words_of_run(path, json));
      return;
    }
    const ModelDescription model = describe_model(path, load_model(path));
    console.print(console.json() ? json_text(to_json(model.facts), 2) : model.text);
  };
  return command;
}

}  // namespace choir::cli
