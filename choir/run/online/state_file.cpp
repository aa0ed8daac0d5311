#include "choir/run/online/state_file.h"

#include <cstring>
#include <span>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/codec/archive.h"
#include "choir/codec/npy.h"
#include "choir/model/kernel_json.h"
#include "choir/run/online/feature_state_fields.h"

namespace choir {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* state_kind = "state of online-kernel";
// 1 did not know what is said at the end; 2 had another text of identity; 3 had dictionaries alone, no
// progressive figures, and did not know of bad records; 4 knew one set of features and one memory; 5 had no
// moments of the leading features.
constexpr int format = 6;

Kernel kernel_of(const Json& json) {
  return {.kind = parse_choice<KernelKind>("kernel", json.at("kind").get<std::string>()),
          .gamma = json.at("gamma").get<double>(),
          .degree = json.at("degree").get<int>(),
          .coef0 = json.at("coef0").get<double>(),
          .normalized = json.at("normalized").get<bool>()};
}

Json progressive_json(const online_kernel::Progressive& seen) {
  return {{"samples", seen.samples},       {"loss", seen.loss},
          {"mistakes", seen.mistakes},     {"squares", seen.squares},
          {"deviations", seen.deviations}, {"recent", seen.recent},
          {"classes", seen.classes.rows()}};
}

// Without the array of classes, which has its size.
online_kernel::Progressive progressive_of(const Json& json) {
  online_kernel::Progressive seen{.samples = json.at("samples").get<double>(),
                                  .loss = json.at("loss").get<double>(),
                                  .mistakes = json.at("mistakes").get<double>(),
                                  .squares = json.at("squares").get<double>(),
                                  .deviations = json.at("deviations").get<double>(),
                                  .recent = json.at("recent").get<double>()};
  const auto classes = json.at("classes").get<Index>();
  if (classes < 0) throw Error(ErrorCategory::BadData, "a size cannot be");
  seen.classes.resize(classes, classes > 0 ? 3 : 0);
  return seen;
}

Json features_json(const online_kernel::FeatureState& features) {
  Json json = {{"random", features.random.has_value()},
               {"memories", features.memories.sums.size()},
               {"rival", features.rival.has_value()},
               {"quick", features.quick.has_value()}};
  if (features.quick) json["quick_memories"] = features.quick->memories.sums.size();
  if (features.rival) {
    json["rival_memories"] = features.rival->memories.sums.size();
    json["rival_kernel"] = kernel_json<Json>(features.rival->kernel);
    json["rival_standardize"] = to_string(features.rival->preprocessing.standardize);
  }
  for_each_feature_number(features,
                          [&](const std::string& name, const auto& number) { json[name] = number; });
  for_each_feature_matrix(features, [&](const std::string& name, const auto& matrix) {
    json["shapes"][name] = {matrix.rows(), matrix.cols()};
  });
  return json;
}

// What the listed numbers and matrices do not say of a set.
void prepare_memories(const Json& json, const char* memories_of, online_kernel::FeatureSet& set) {
  constexpr std::size_t most_memories = 100;
  const auto memories = json.at(memories_of).get<std::size_t>();
  if (memories > most_memories) throw Error(ErrorCategory::BadData, "a size cannot be");
  set.memories.sums.resize(memories);
}

void prepare_set(const Json& json, const char* memories_of, online_kernel::FeatureSet& set) {
  if (json.at("random").get<bool>()) set.random.emplace();
  prepare_memories(json, memories_of, set);
}

// Its matrices have their sizes, and no content yet.
online_kernel::FeatureState features_of(const Json& json) {
  online_kernel::FeatureState features;
  prepare_set(json, "memories", features);
  if (json.at("quick").get<bool>()) prepare_memories(json, "quick_memories", features.quick.emplace());
  if (json.at("rival").get<bool>()) {
    online_kernel::RivalSet& rival = features.rival.emplace();
    prepare_set(json, "rival_memories", rival);
    rival.kernel = kernel_of(json.at("rival_kernel"));
    rival.preprocessing.standardize =
        parse_choice<Standardize>("standardize", json.at("rival_standardize").get<std::string>());
  }
  for_each_feature_number(features, [&](const std::string& name, auto& number) {
    number = json.at(name).get<std::decay_t<decltype(number)>>();
  });
  for_each_feature_matrix(features, [&](const std::string& name, auto& matrix) {
    const Json& shape = json.at("shapes").at(name);
    const auto rows = shape.at(0).get<Index>(), columns = shape.at(1).get<Index>();
    const bool fits = std::decay_t<decltype(matrix)>::ColsAtCompileTime != 1 || columns == 1;
    if (rows < 0 || columns < 0 || !fits) throw Error(ErrorCategory::BadData, "a size cannot be");
    matrix.resize(rows, columns);
  });
  return features;
}

Json manifest_of(const SavedState& saved, const std::string& identity) {
  const online_kernel::State& state = saved.state;
  return {{"kind", state_kind},
          {"format", format},
          {"identity", identity},
          {"round", state.round},
          {"samples", state.samples},
          {"bad_records", saved.bad_records},
          {"kernel", kernel_json<Json>(state.kernel)},
          {"divide", state.preprocessing.divide},
          {"standardize", to_string(state.preprocessing.standardize)},
          {"features", state.f.atoms.rows()},
          {"atoms", state.f.size()},
          {"outputs", state.f.weights.cols()},
          {"largest_diagonal", state.largest_diagonal},
          {"classes", state.class_counts.size()},
          {"progressive", progressive_json(state.progressive)},
          {"inverse", state.f.inverse.size()},
          {"jitter", state.f.inverse.jitter},
          {"eta", state.eta},
          {"epsilon", state.epsilon},
          {"penalty", state.penalty},
          {"penalty_cap", state.penalty_cap},
          {"ended", state.ended},
          {"stop_counter", state.stop_counter},
          {"stop_at", state.stop_at},
          {"loss", state.loss},
          {"disagreement", state.disagreement},
          {"largest_order", state.largest_order},
          {"capped_at", state.capped_at},
          {"target_centre", state.target.centre},
          {"target_scale", state.target.scale},
          {"features_of_samples", state.features ? features_json(*state.features) : Json()}};
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The matrices in this order; a matrix is stored as numpy's (columns, rows).
template <class State, class Visit>
void for_each_matrix(State& state, Visit visit) {
  visit("atoms", state.f.atoms);
  visit("weights", state.f.weights);
  visit("gram", state.f.gram);
  visit("inverse", state.f.inverse.values);
  visit("class_counts", state.class_counts);
  visit("progressive_classes", state.progressive.classes);
  visit("preprocessing_mean", state.preprocessing.mean);
  visit("preprocessing_scale", state.preprocessing.scale);
  if (state.features) for_each_feature_matrix(*state.features, visit);
}

online_kernel::State state_of(const Json& manifest) {
  online_kernel::State state;
  state.round = manifest.at("round").get<std::uint64_t>();
  state.samples = manifest.at("samples").get<std::uint64_t>();
  state.kernel = kernel_of(manifest.at("kernel"));
  state.preprocessing.divide = manifest.at("divide").get<double>();
  state.preprocessing.standardize =
      parse_choice<Standardize>("standardize", manifest.at("standardize").get<std::string>());
  const auto atoms = manifest.at("atoms").get<Index>();
  const auto features = manifest.at("features").get<Index>();
  const auto outputs = manifest.at("outputs").get<Index>();
  const auto classes = manifest.at("classes").get<Index>();
  const auto inverse = manifest.at("inverse").get<Index>();
  if (atoms < 0 || features < 0 || outputs < 0 || classes < 0 || inverse < 0 || inverse > atoms)
    throw Error(ErrorCategory::BadData, "a size cannot be");
  state.f.atoms.resize(features, atoms);
  state.f.weights.resize(atoms, outputs);
  state.f.gram.resize(atoms, atoms);
  state.f.inverse.values.resize(inverse, inverse);
  state.f.inverse.jitter = manifest.at("jitter").get<double>();
  state.class_counts.resize(classes);
  state.progressive = progressive_of(manifest.at("progressive"));
  state.largest_diagonal = manifest.at("largest_diagonal").get<double>();
  const Index scaled = state.preprocessing.standardize == Standardize::zscore ? features : 0;
  state.preprocessing.mean.resize(scaled);
  state.preprocessing.scale.resize(scaled);
  state.eta = manifest.at("eta").get<double>();
  state.epsilon = manifest.at("epsilon").get<double>();
  state.penalty = manifest.at("penalty").get<double>();
  state.penalty_cap = manifest.at("penalty_cap").get<double>();
  state.ended = manifest.at("ended").get<bool>();
  state.stop_counter = manifest.at("stop_counter").get<std::int64_t>();
  state.stop_at = manifest.at("stop_at").get<std::int64_t>();
  state.loss = manifest.at("loss").get<double>();
  state.disagreement = manifest.at("disagreement").get<double>();
  state.largest_order = manifest.at("largest_order").get<Index>();
  state.capped_at = manifest.at("capped_at").get<std::uint64_t>();
  state.target.centre = manifest.at("target_centre").get<double>();
  state.target.scale = manifest.at("target_scale").get<double>();
  const Json& moments = manifest.at("features_of_samples");
  if (!moments.is_null()) state.features = features_of(moments);
  return state;
}

std::span<const std::byte> entry(const Archive& archive, const std::string& name) {
  for (const ArchiveEntry& it : archive) {
    if (it.name == name) return it.bytes;
  }
  fail(ErrorCategory::BadData, "it has no {}", name);
}

template <class AnyMatrix>
void fill(AnyMatrix& matrix, const Archive& archive, const std::string& name) {
  if (matrix.size() == 0) return;
  const NpyView view = view_npy(entry(archive, name), name);
  if (view.shape != std::vector<Index>{matrix.cols(), matrix.rows()}) {
    fail(ErrorCategory::BadData, "the size of {} is not what the manifest says", name);
  }
  copy_doubles(view, std::span<double>(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

SavedState decode(const Archive& archive, const std::string& identity) {
  const auto bytes = entry(archive, "manifest.json");
  const Json manifest = Json::parse(reinterpret_cast<const char*>(bytes.data()),
                                    reinterpret_cast<const char*>(bytes.data()) + bytes.size());
  if (manifest.at("kind") != state_kind) throw Error(ErrorCategory::BadData, "it is something else");
  if (const int written = manifest.value("format", 1); written != format) {
    fail(ErrorCategory::BadData,
         "it has format {}, written by another version of choir; this version writes format {} and cannot "
         "continue from it; begin anew in another --checkpoint folder",
         written, format);
  }
  if (manifest.at("identity") != identity) {
    throw Error(ErrorCategory::InvalidArgument,
                "it belongs to a run with other data or options; use the same options, or another "
                "--checkpoint folder");
  }
  SavedState saved{.state = state_of(manifest),
                   .bad_records = manifest.at("bad_records").get<std::uint64_t>()};
  for_each_matrix(saved.state,
                  [&](const std::string& name, auto& matrix) { fill(matrix, archive, name + ".npy"); });
  return saved;
}

}  // namespace

void save_state(const fs::path& path, const SavedState& saved, const std::string& identity) {
  Archive archive;
  archive.push_back({"manifest.json", bytes_of(manifest_of(saved, identity).dump())});
  for_each_matrix(saved.state, [&](const std::string& name, const auto& matrix) {
    if (matrix.size() == 0) return;
    const std::span<const double> values(matrix.data(), static_cast<std::size_t>(matrix.size()));
    archive.push_back({name + ".npy", encode_npy(from_doubles(values, {matrix.cols(), matrix.rows()}))});
  });
  write_archive(path, archive, Privacy::owner_only);  // a dictionary is samples
}

SavedState load_state(const fs::path& path, const std::string& identity) {
  try {
    return decode(read_archive(path), identity);
  } catch (const Error& cause) {
    throw Error(cause.category(), path.string(), cause);
  } catch (const Json::exception& cause) {
    fail(ErrorCategory::BadData, "{}: its manifest is damaged: {}", path.string(), cause.what());
  }
}

}  // namespace choir
