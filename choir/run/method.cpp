#include "choir/run/method.h"

#include <array>

#include <fmt/ranges.h>

#include "choir/run/methods/methods.h"

namespace choir {

const std::vector<const MethodInfo*>& all_methods() {
  static const std::array infos = {
      central_kpca::method_info(),     local_kpca::method_info(),   consensus_kpca::method_info(),
      gossip_pca::method_info(),       oneshot_kpca::method_info(), online_kernel::method_info(),
      federated_kmeans::method_info(),
  };
  static const std::vector<const MethodInfo*> methods = [] {
    std::vector<const MethodInfo*> all;
    for (const MethodInfo& info : infos) all.push_back(&info);
    return all;
  }();
  return methods;
}

const MethodInfo& find_method(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodInfo* info : all_methods()) {
    if (info->name == name) return *info;
    names.push_back(info->name);
  }
  fail(ErrorCategory::InvalidArgument, "there is no method '{}'{}; choir fit --help lists the methods", name,
       did_you_mean(name, names));
}

std::string methods_with(std::string_view option) {
  std::vector<std::string> names;
  for (const MethodInfo* info : all_methods()) {
    if (info->options.find(option) != nullptr) names.push_back(info->name);
  }
  if (names.empty()) return {};
  return fmt::format(" (choir fit {} {} it)", fmt::join(names, ", "), names.size() == 1 ? "has" : "have");
}

OptionTable shared_rows(bool has_network) {
  OptionTable table;
  add_data_rows(table);
  add_kernel_rows(table);
  add_component_rows(table);
  add_folder_rows(table);
  add_engine_rows(table, "Run");
  if (!has_network) return table;
  add_network_rows(table);
  add_sim_rows(table);
  return table;
}

}  // namespace choir
