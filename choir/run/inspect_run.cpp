#include "choir/run/inspect_run.h"

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/types.h"

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

// Methods that learn something else have none.
std::string components_words(const Json& json) {
  const auto components = json.at("n_components").get<Index>();
  return components == 0 ? "" : fmt::format(", {} components", components);
}

std::string privacy_words(const Json& json) {
  if (!json.contains("privacy")) return "";
  const Json& promise = json["privacy"];
  return fmt::format("\ndifferential privacy: epsilon {}, delta {} for each sample ({}); rho {:.4g}",
                     promise.at("epsilon").get<double>(), promise.at("delta").get<double>(),
                     promise.at("relation").get<std::string>(), promise.at("rho").get<double>());
}

std::string run_words(const std::string& path, const Json& json) {
  const Json& converged = json.at("converged");
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
  text += privacy_words(json);
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

}  // namespace

std::string describe_run(const std::string& path, const Json& result) {
  try {
    return run_words(path, result);
  } catch (const Json::exception& error) {
    fail(ErrorCategory::BadData, "{}/result.json is not a result that choir can read: {}", path,
         error.what());
  }
}

}  // namespace choir
