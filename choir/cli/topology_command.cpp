#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/cli/command.h"
#include "choir/graph/describe.h"
#include "choir/graph/topology.h"
#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

struct TopologyArguments : OptionTarget {
  Index nodes = 0;
  std::uint64_t random_state = 0;
};

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::string optional_text(const std::optional<double>& value) {
  return value ? short_number(*value) : "not computed at this size";
}

std::string diameter_text(const std::optional<Diameter>& diameter) {
  if (!diameter) return "infinite";
  return diameter->exact ? fmt::format("{}", diameter->lower)
                         : fmt::format("between {} and {}", diameter->lower, diameter->upper);
}

nlohmann::ordered_json to_json(const std::string& spec, const GraphDescription& about) {
  nlohmann::ordered_json json = {
      {"topology", spec},
      {"nodes", about.nodes},
      {"edges", about.edges},
      {"degree_min", about.min_degree},
      {"degree_mean", about.mean_degree},
      {"degree_max", about.max_degree},
      {"connected", about.connected},
      {"diameter", nullptr},
      {"diameter_exact", about.diameter && about.diameter->exact},
      {"spectral_gap", optional_json(about.spectrum.spectral_gap)},
      {"mixing", optional_json(about.spectrum.mixing)},
      {"algebraic_connectivity", optional_json(about.spectrum.algebraic_connectivity)},
      {"laplacian_max", optional_json(about.spectrum.lambda_max)}};
  if (about.diameter) json["diameter"] = about.diameter->upper;
  return json;
}

std::string to_text(const std::string& spec, const GraphDescription& about) {
  TextTable table({"topology", spec});
  table.add_row({"nodes", fmt::format("{}", about.nodes)});
  table.add_row({"edges", fmt::format("{}", about.edges)});
  table.add_row({"degree (min, mean, max)", fmt::format("{}, {}, {}", about.min_degree,
                                                        short_number(about.mean_degree), about.max_degree)});
  table.add_row({"connected", about.connected ? "yes" : "no"});
  table.add_row({"diameter", diameter_text(about.diameter)});
  table.add_row({"spectral gap (Metropolis)", optional_text(about.spectrum.spectral_gap)});
  table.add_row({"algebraic connectivity", optional_text(about.spectrum.algebraic_connectivity)});
  return table.text();
}

}  // namespace

Command topology_command() {
  Command command{.name = "topology",
                  .about = "degree, diameter, spectral gap of a network",
                  .example = "choir topology ring:4 --nodes 20"};
  command.takes = {
      {.name = "SPEC",
       .help = "ring:k line grid torus complete star tree:b erdos:p barabasi:m geometric:r file:PATH"}};
  command.prints_table = true;
  OptionGroup<TopologyArguments> group(command.options, "Network");
  group.add("nodes", &TopologyArguments::nodes, "number of nodes; a file knows its own").named("J");
  group.add("random-state", &TopologyArguments::random_state, "seed of the random topologies");
  command.defaults = std::make_shared<TopologyArguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    const auto arguments = arguments_of<TopologyArguments>(table, call);
    const std::string& spec = call.words.front();
    Console console(session.console);
    const GraphDescription about = describe(make_topology(spec, arguments.nodes, arguments.random_state));
    console.print(console.json() ? to_json(spec, about).dump(2) : to_text(spec, about));
  };
  return command;
}

}  // namespace choir::cli
