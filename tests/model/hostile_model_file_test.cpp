// Files that are truncated, altered, from the future, or made to harm: each gets a sentence.
#include <algorithm>
#include <functional>

#include "model/support.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "choir/codec/archive.h"
#include "choir/codec/files.h"
#include "choir/codec/npy.h"
#include "choir/crypto/sha256.h"
#include "choir/model/model_file.h"

namespace choir {
namespace {

using ::testing::StartsWith;
using Json = nlohmann::json;

const char* const format_1 = "golden-format-1.npz";
const char* const format_2 = "golden-format-2.npz";
const char* const format_3 = "golden-format-3.npz";
const char* const format_3_kernel = "golden-format-3-kernel.npz";
const char* const format_3_machine = "golden-format-3-machine.npz";
const char* const format_3_clusters = "golden-format-3-clusters.npz";
const char* const format_4_features = "golden-format-4-features.npz";
const char* const format_5 = "golden-format-5.npz";
const char* const format_4_machine = "golden-format-4-machine.npz";

std::vector<std::byte> golden(const char* file = format_1) { return read_file(model_fixture(file)); }

std::string refusal(std::span<const std::byte> bytes) {
  return sentence(ErrorCategory::BadData, [&] { decode_model(bytes, "m.npz"); });
}

std::vector<std::byte>& entry(Archive& archive, std::string_view name) {
  return std::ranges::find(archive, name, &ArchiveEntry::name)->bytes;
}

void edit_manifest(Archive& archive, const std::function<void(Json&)>& edit) {
  std::vector<std::byte>& bytes = entry(archive, "manifest.json");
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  Json manifest = Json::parse(text, text + bytes.size());
  edit(manifest);
  const std::string edited = manifest.dump();
  bytes.assign(reinterpret_cast<const std::byte*>(edited.data()),
               reinterpret_cast<const std::byte*>(edited.data()) + edited.size());
}

// The sentence about the golden model after an edit that a forger would make: checksums fit again.
std::string forged(const std::function<void(Archive&)>& edit, const char* file = format_1) {
  Archive archive = read_archive(golden(file), "golden");
  edit(archive);
  edit_manifest(archive, [&](Json& manifest) {
    for (const ArchiveEntry& each : archive)
      if (manifest["entries"].contains(each.name))
        manifest["entries"][each.name]["sha256"] = sha256(each.bytes);
  });
  return refusal(encode_archive(archive));
}

void put(Archive& archive, const std::string& name, std::vector<double> values, std::vector<Index> shape) {
  entry(archive, name) = encode_npy(from_doubles(values, shape));
  edit_manifest(archive, [&](Json& manifest) { manifest["entries"][name]["shape"] = shape; });
}

// The sentence about a golden file with another value or array in it.
struct Forgery {
  std::string shared(const char* key, const Json& value) const {
    return forged(
        [&](Archive& a) { edit_manifest(a, [&](Json& m) { m["answers"]["shared"][key] = value; }); }, file);
  }
  std::string array(const char* name, const std::vector<double>& values,
                    const std::vector<Index>& shape) const {
    return forged([&](Archive& a) { put(a, name, values, shape); }, file);
  }

  const char* file;
};

// What a model says about some samples.
Matrix numbers_of(const Model& model) {
  const Samples fresh = normal_samples(features(model), 3, 1);
  if (const auto* part = std::get_if<LinearPart>(&model)) return part->contribution(fresh);
  if (const auto* part = std::get_if<KernelPart>(&model)) {
    const Matrix own = part->contribution(fresh);
    return part->has_answer() ? part->answer(own).scores : own;
  }
  if (const auto* machine = std::get_if<KernelMachine>(&model)) return machine->decide(fresh);
  if (const auto* clusters = std::get_if<ClusterModel>(&model)) return clusters->distances(fresh);
  Matrix numbers(fresh.cols(), components(model) + 1);
  numbers << transform(model, fresh), score(model, fresh);
  return numbers;
}

class HostileModelFileOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Golden, HostileModelFileOf,
                         ::testing::Values(format_1, format_2, format_3, format_3_kernel, format_3_machine,
                                           format_3_clusters, format_4_features, format_4_machine, format_5));

TEST_P(HostileModelFileOf, EveryTruncationIsRefused) {
  const auto whole = golden(GetParam());
  for (std::size_t length = 0; length < whole.size(); length += 97)
    EXPECT_THAT(refusal({whole.data(), length}), StartsWith("m.npz: ")) << length;
  EXPECT_THAT(refusal({whole.data(), whole.size() - 1}), HasSubstr("truncated"));
}

TEST_P(HostileModelFileOf, NoAlteredByteChangesAnAnswer) {
  const auto whole = golden(GetParam());
  const ModelFile truth = decode_model(whole, "golden");
  std::size_t refused = 0, tried = 0;
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    auto altered = whole;
    altered[at] ^= static_cast<std::byte>(1u << (at % 8));
    ++tried;
    try {
      const ModelFile file = decode_model(altered, "m.npz");
      for (const char* answer : {"shared", "own"}) {
        EXPECT_EQ(numbers_of(file.answer(answer)), numbers_of(truth.answer(answer))) << at;
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::BadData) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 2);  // the rest are dates, attributes and copies of sizes
}

TEST(HostileModelFile, ForeignFilesAreNotModels) {
  EXPECT_THAT(refusal({}), HasSubstr("not a zip archive"));
  EXPECT_THAT(refusal(encode_archive({{"points.npy", {}}})),
              HasSubstr("no manifest.json; it is not a model"));
  EXPECT_THAT(refusal(encode_archive({{"manifest.json", {}}})), HasSubstr("not a JSON object"));
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { load_model("/no/such/model.npz"); }),
              HasSubstr("cannot open /no/such/model.npz"));
}

TEST(HostileModelFile, TheFutureIsNamed) {
  EXPECT_THAT(forged([](Archive& archive) { edit_manifest(archive, [](Json& m) { m["format"] = 7; }); }),
              HasSubstr("m.npz: written by a newer choir (format 7); this one reads formats up to 5"));
}

TEST(HostileModelFile, WrongChecksumsAreNamed) {
  Archive archive = read_archive(golden(), "golden");
  entry(archive, "shared/points.npy").back() ^= std::byte{1};
  EXPECT_THAT(refusal(encode_archive(archive)), HasSubstr("checksum of 'shared/points.npy' is wrong"));
}

TEST_P(HostileModelFileOf, MissingEntriesAreNamed) {
  const Archive whole = read_archive(golden(GetParam()), "golden");
  for (const ArchiveEntry& each : whole) {
    if (each.name == "manifest.json") continue;
    const auto without = [&](Archive& archive) {
      std::erase_if(archive, [&](const ArchiveEntry& other) { return other.name == each.name; });
    };
    EXPECT_THAT(forged(without, GetParam()), AllOf(HasSubstr(each.name), HasSubstr("is missing")));
    EXPECT_THAT(forged(
                    [&](Archive& archive) {
                      without(archive);
                      edit_manifest(archive, [&](Json& m) { m["entries"].erase(each.name); });
                    },
                    GetParam()),
                AllOf(HasSubstr(each.name), HasSubstr("is missing")));
  }
}

TEST(HostileModelFile, UnlistedEntriesAreRefusedAndListedOnesIgnored) {
  EXPECT_THAT(forged([](Archive& archive) {
                archive.push_back({"shared/extra.npy", {}});
              }),
              HasSubstr("'shared/extra.npy' is not in its manifest"));
  Archive archive = read_archive(golden(), "golden");
  archive.push_back({"notes.txt", {}});
  edit_manifest(archive, [](Json& m) {
    m["entries"]["notes.txt"] = {{"shape", Json::array()}, {"sha256", sha256({})}};
  });
  EXPECT_NO_THROW(decode_model(encode_archive(archive), "m.npz"));
}

TEST(HostileModelFile, NumbersThatAreNotFiniteAreNamed) {
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/offset.npy", {0, NAN}, {2});
              }),
              HasSubstr("answer 'shared' cannot be used: offset has a NaN"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "own/mean.npy", {INFINITY, 0}, {2});
              }),
              HasSubstr("answer 'own' cannot be used: mean has a NaN"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/preprocessing_scale.npy", {0, 1}, {2});
              }),
              HasSubstr("positive scales"));
}

TEST(HostileModelFile, SizesMustAgree) {
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/offset.npy", {1, 2, 3}, {3});
              }),
              HasSubstr("offset has 3"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/points.npy", {1, 2, 3, 4}, {2, 2});
              }),
              HasSubstr("points has 2"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/points.npy", {}, {0, 2});
              }),
              HasSubstr("'shared/points.npy' is empty"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/points.npy", {1, 2}, {2});
              }),
              HasSubstr("1-dimensional"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "own/components.npy", {1, 2, 3}, {1, 3});
              }),
              HasSubstr("mean has 2 where components has 3"));
  EXPECT_THAT(forged([](Archive& a) {
                put(a, "shared/offset.npy", {1, 2}, {2});
                edit_manifest(a, [](Json& m) { m["entries"]["shared/offset.npy"]["shape"] = {3}; });
              }),
              HasSubstr("'shared/offset.npy' does not have the shape its manifest gives"));
}

TEST(HostileModelFile, OverlapsMustBeOverlaps) {
  const auto with_overlap = [](const std::vector<double>& values, Index rows) {
    return forged([&](Archive& a) { put(a, "own/overlap.npy", values, {rows, rows}); }, format_2);
  };
  EXPECT_THAT(with_overlap({1, 0, 0, 0, 1, 0, 0, 0, 1}, 3), HasSubstr("overlap has 3"));
  EXPECT_THAT(with_overlap({1, 0.5, 0.25, 1}, 2), HasSubstr("overlap is not symmetric"));
  EXPECT_THAT(with_overlap({1, NAN, NAN, 1}, 2), HasSubstr("overlap has a NaN"));
  EXPECT_THAT(with_overlap({-1, 0, 0, 1}, 2), HasSubstr("negative squared length"));
  EXPECT_THAT(with_overlap({}, 0), HasSubstr("'own/overlap.npy' is empty"));
  EXPECT_THAT(
      forged([](Archive& a) { edit_manifest(a, [](Json& m) { m["answers"]["own"].erase("overlap"); }); },
             format_2),
      HasSubstr("has no \"answers.own.overlap\""));
}

TEST(HostileModelFile, ColumnsMustBeColumns) {
  const auto with_columns = [](std::vector<std::int64_t> values) {
    return forged(
        [&](Archive& a) {
          const auto bytes = std::as_bytes(std::span(values));
          const std::vector<Index> shape = {std::ssize(values)};
          entry(a, "shared/columns.npy") =
              encode_npy({ElementType::int64, shape, false, {bytes.begin(), bytes.end()}});
          edit_manifest(a, [&](Json& m) { m["entries"]["shared/columns.npy"]["shape"] = shape; });
        },
        format_3);
  };
  EXPECT_THAT(with_columns({0, 1, 2}), HasSubstr("columns has 3 where the part's number of features has 2"));
  EXPECT_THAT(with_columns({1, 1}), HasSubstr("columns has 1 after 1; they must ascend"));
  EXPECT_THAT(with_columns({2, 0}), HasSubstr("columns has 0 after 2"));
  EXPECT_THAT(with_columns({-9, 0}), HasSubstr("columns has -9; columns are counted from 0"));
  EXPECT_THAT(with_columns({}), HasSubstr("'shared/columns.npy' is empty"));
  EXPECT_THAT(forged(
                  [](Archive& a) {
                    put(a, "shared/columns.npy", {0, 2}, {2});
                  },
                  format_3),
              HasSubstr("array of float64; int64 in 1 is needed"));
  EXPECT_THAT(forged(
                  [](Archive& a) {
                    put(a, "shared/loadings.npy", {1, 2, 3, 4, 5, 6}, {2, 3});
                  },
                  format_3),
              HasSubstr("cannot be used: zscore has 2 means"));
  const auto with_standardize = [](const char* name) {
    return forged(
        [&](Archive& a) {
          edit_manifest(a, [&](Json& m) { m["answers"]["own"]["preprocessing"]["standardize"] = name; });
        },
        format_3);
  };
  EXPECT_THAT(with_standardize("unit"), HasSubstr("cannot give samples length 1"));
}

TEST(HostileModelFile, KernelPartsMustBeParts) {
  const Forgery with{format_3_kernel};
  EXPECT_THAT(with.shared("training_samples", 5), HasSubstr("points has 6 where training_samples has 5"));
  EXPECT_THAT(with.shared("result", "yes"), HasSubstr("true or false"));
  EXPECT_THAT(with.shared("grand_mean", nullptr), HasSubstr("a finite number"));
  EXPECT_THAT(
      with.shared("kernel",
                  {{"kind", "laplacian"}, {"gamma", 1}, {"degree", 1}, {"coef0", 0}, {"normalized", false}}),
      HasSubstr("cannot have the laplacian kernel"));
  EXPECT_THAT(with.shared("preprocessing", {{"divide", 1}, {"standardize", "unit"}}),
              HasSubstr("cannot give samples length 1"));
  EXPECT_THAT(with.array("shared/lengths.npy", {1, 2}, {2}), HasSubstr("lengths has 2 where points has 6"));
  EXPECT_THAT(with.array("shared/row_means.npy", {1, 2, 3, 4, 5, NAN}, {6}),
              HasSubstr("row_means has a NaN"));
  EXPECT_THAT(with.array("shared/coefficients.npy", {}, {6, 0}), HasSubstr("is empty"));
  EXPECT_THAT(with.array("own/mean.npy", {1, 2}, {2}), HasSubstr("mean has 2 where points has 1"));
  EXPECT_THAT(with.array("own/points.npy", {1, 2, 3}, {3, 1}),
              HasSubstr("points has 3 where training_samples has 6"));
  // A sample without length under a normalized kernel is found when it is asked for, and named.
  const auto bare = [](Archive& a) { put(a, "shared/lengths.npy", {1, 1, 1, 1, 1, -4}, {6}); };
  Archive archive = read_archive(golden(format_3_kernel), "golden");
  bare(archive);
  edit_manifest(archive, [&](Json& m) {
    m["answers"]["shared"]["kernel"]["degree"] = 1;
    m["entries"]["shared/lengths.npy"]["sha256"] = sha256(entry(archive, "shared/lengths.npy"));
  });
  const ModelFile file = decode_model(encode_archive(archive), "m.npz");
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { numbers_of(file.answer("shared")); }),
              HasSubstr("sample 5 has k(x,x) = "));
}

TEST(HostileModelFile, ClustersMustBeReachable) {
  const auto edited = [](const std::function<void(Json&)>& edit) {
    return forged([&](Archive& a) { edit_manifest(a, edit); }, format_3_clusters);
  };
  const Forgery with{format_3_clusters};
  EXPECT_THAT(edited([](Json& m) { m["answers"]["own"]["features"] = std::int64_t{1} << 50; }),
              HasSubstr("more than 8 GiB"));
  EXPECT_THAT(edited([](Json& m) { m["answers"]["shared"]["features"] = 3; }),
              HasSubstr("zscore has 2 means"));
  EXPECT_THAT(edited([](Json& m) { m["answers"]["own"]["stages"][1]["eta"] = 2; }),
              HasSubstr("eta of a stage is 2"));
  EXPECT_THAT(edited([](Json& m) { m["answers"]["own"]["stages"][0]["random_features"]["count"] = 5; }),
              HasSubstr("the map of a stage has 4 where its random_features has 5"));
  EXPECT_THAT(
      edited([](Json& m) { m["answers"]["own"]["stages"].push_back(m["answers"]["own"]["stages"][0]); }),
      HasSubstr("'own/stage-3.npy' is missing"));
  EXPECT_THAT(
      edited([](Json& m) { m["answers"]["own"]["stages"] = Json(901, m["answers"]["own"]["stages"][0]); }),
      HasSubstr("a list of at most 900"));
  EXPECT_THAT(with.array("shared/projection.npy", {1, 2}, {2, 1}),
              HasSubstr("projection has 2 where points has 3"));
  EXPECT_THAT(with.array("shared/counts.npy", {1, 2, -1}, {3}), HasSubstr("cannot be negative"));
  EXPECT_THAT(with.array("shared/centroids.npy", {}, {0, 2}), HasSubstr("is empty"));
}

TEST(HostileModelFile, KernelMachinesMustPredictSomething) {
  const Forgery with{format_3_machine};
  EXPECT_THAT(with.shared("loss", "absolute"), HasSubstr("the loss is 'absolute'"));
  EXPECT_THAT(with.shared("loss", "squared"), HasSubstr("squared loss is for values"));
  EXPECT_THAT(with.shared("classes", false), HasSubstr("logistic loss but no classes"));
  EXPECT_THAT(with.shared("training_samples", -1), HasSubstr("an integer from 0 to 2^64 - 1"));
  EXPECT_THAT(with.array("own/weights.npy", {1, 2, 3, 4}, {2, 2}), HasSubstr("a row of weights has 2"));
  EXPECT_THAT(with.array("own/weights.npy", {1}, {1, 1}), HasSubstr("weights has 1 where points has 2"));
  EXPECT_THAT(with.array("own/weights.npy", {}, {2, 0}), HasSubstr("'own/weights.npy' is empty"));
  EXPECT_THAT(with.array("own/points.npy", {1, INFINITY, 1, 1}, {2, 2}), HasSubstr("points has a NaN"));
  EXPECT_THAT(with.array("shared/classes.npy", {1, 2, 3}, {3}), HasSubstr("array of float64; int64"));
}

TEST(HostileModelFile, ClassesHaveNamesOrNone) {
  const Forgery with{format_4_machine};
  EXPECT_THAT(with.shared("class_names", "cat"), HasSubstr("class_names\" in manifest.json is not a list"));
  EXPECT_THAT(with.shared("class_names", Json::array({1, 2, 3})), HasSubstr("is not a text"));
  EXPECT_THAT(with.shared("class_names", Json::array({"cat"})), HasSubstr("class_names has 1"));
}

TEST(HostileModelFile, RandomFeaturesMustBeDrawable) {
  const auto with = [](const char* part, const char* key, const Json& value) {
    return forged(
        [&](Archive& archive) {
          edit_manifest(archive, [&](Json& m) { m["answers"]["shared"][part][key] = value; });
        },
        format_2);
  };
  EXPECT_THAT(with("kernel", "kind", "linear"), HasSubstr("linear kernel has no random Fourier features"));
  EXPECT_THAT(with("random_features", "count", 6), HasSubstr("mean has 5 where random_features has 6"));
  EXPECT_THAT(with("random_features", "count", 0), HasSubstr("answers.shared.random_features.count"));
  for (const Json& seed : {Json(-1), Json(1.5), Json("7"), Json(18446744073709551616.0)})
    EXPECT_THAT(with("random_features", "seed", seed), HasSubstr("an integer from 0 to 2^64 - 1"));
  EXPECT_THAT(with("random_features", "orthogonal", 1), HasSubstr("true or false"));
}

TEST(HostileModelFile, OtherTypesAreRefused) {
  EXPECT_THAT(forged([](Archive& a) {
                entry(a, "shared/offset.npy") =
                    encode_npy({ElementType::float32, {2}, false, std::vector<std::byte>(8)});
              }),
              HasSubstr("array of float32; float64"));
  EXPECT_THAT(forged([](Archive& a) { entry(a, "shared/offset.npy").resize(100); }),
              HasSubstr("shared/offset.npy: trunc"));
}

TEST(HostileModelFile, UnusableKernelsAreNamed) {
  const auto with_kernel = [](const char* key, const Json& value) {
    return forged([&](Archive& archive) {
      edit_manifest(archive, [&](Json& m) { m["answers"]["shared"]["kernel"][key] = value; });
    });
  };
  EXPECT_THAT(with_kernel("gamma", -1), HasSubstr("gamma"));
  EXPECT_THAT(with_kernel("kind", "wavelet"), HasSubstr("wavelet"));
  EXPECT_THAT(with_kernel("degree", 0), HasSubstr("degree"));
}

TEST(HostileModelFile, BombsDoNotGoOff) {
  Archive archive = read_archive(golden(), "golden");
  entry(archive, "manifest.json").assign(std::size_t{50} << 20, std::byte{' '});
  EXPECT_THAT(refusal(encode_archive(archive)),
              HasSubstr("manifest.json has 52428800 bytes; at most 8388608"));
  std::string deep(1 << 19, '[');
  const auto brackets = std::as_bytes(std::span(deep));
  entry(archive, "manifest.json").assign(brackets.begin(), brackets.end());
  EXPECT_THAT(refusal(encode_archive(archive)), HasSubstr("not a JSON object"));
  Archive many;
  for (int i = 0; i < 1001; ++i) many.push_back({"entry-" + std::to_string(i), {}});
  EXPECT_THAT(refusal(encode_archive(many)), HasSubstr("1001 entries; at most 1000"));
}

}  // namespace
}  // namespace choir
