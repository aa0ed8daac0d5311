#include "choir/model/model_file.h"

#include "model/support.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/codec/archive.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

ModelFile fitted_file() {
  KernelModel kernel = fit_kpca({.gamma = 0.4}, normal_samples(3, 9, 1), 2).model;
  kernel.preprocessing = {
      .divide = 2, .standardize = Standardize::zscore, .mean = Vector::Ones(3), .scale = Vector::Ones(3)};
  return {.method = "central-kpca",
          .choir_version = "",
          .node = 4,
          .parameters = {{"n_components", "2"}},
          .use = "shared",
          .answers = {{"shared", kernel}, {"own", fit_pca(normal_samples(3, 9, 1), 1)}}};
}

// What only format 2 has.
ModelFile oblique_file() {
  ModelFile file = fitted_file();
  const Samples samples = normal_samples(3, 9, 1);
  file.answers["own"] = oblique(fit_kpca({.gamma = 0.4}, samples, 2).model, Matrix{{0.9, 0.2}, {0, 0.7}});
  file.answers["shared"] =
      fit_features({.gamma = 0.4}, {.count = 7, .seed = ~std::uint64_t{0}, .orthogonal = false}, samples, 2);
  return file;
}

void expect_same_after_reading(const ModelFile& file) {
  const TemporaryFolder folder;
  save_model(folder / "model-0.npz", file);
  const ModelFile back = load_model(folder / "model-0.npz");
  EXPECT_EQ(back.method, "central-kpca");
  EXPECT_EQ(back.node, 4);
  EXPECT_EQ(back.parameters, file.parameters);
  EXPECT_FALSE(back.choir_version.empty());
  const Samples fresh = normal_samples(3, 5, 2);
  for (const char* name : {"", "shared", "own"}) {
    const Model &before = file.answer(name), &after = back.answer(name);
    EXPECT_EQ(transform(before, fresh), transform(after, fresh));
    EXPECT_EQ(score(before, fresh), score(after, fresh));
    const Matrix scores = transform(before, fresh);
    EXPECT_EQ(inverse(before, scores), inverse(after, scores));
    EXPECT_EQ(features(after), 3);
    EXPECT_EQ(components(after), components(before));
    EXPECT_EQ(explained_variance_ratio(after), explained_variance_ratio(before));
  }
}

TEST(ModelFile, GivesTheSameAnswersAfterReading) {
  expect_same_after_reading(fitted_file());
  expect_same_after_reading(oblique_file());
}

TEST(ModelFile, SameModelSameBytes) {
  EXPECT_EQ(encode_model(fitted_file()), encode_model(fitted_file()));
  EXPECT_EQ(encode_model(oblique_file()), encode_model(oblique_file()));
}

TEST(ModelFile, IsWrittenInTheFirstFormatThatHasAllOfIt) {
  const auto has_format = [](const ModelFile& file, int format) {
    const Archive archive = read_archive(encode_model(file), "m.npz");
    const std::string text(reinterpret_cast<const char*>(archive[0].bytes.data()), archive[0].bytes.size());
    return text.find(fmt::format("\"format\": {},", format)) != std::string::npos;
  };
  EXPECT_TRUE(has_format(fitted_file(), 1));
  EXPECT_TRUE(has_format(oblique_file(), 2));
  for (const char* kept : {"own", "shared"}) {
    ModelFile one = oblique_file();
    one.use = kept;
    std::erase_if(one.answers, [&](const auto& answer) { return answer.first != kept; });
    EXPECT_TRUE(has_format(one, 2)) << kept;
  }
}

TEST(ModelFile, NamesTheAnswersItHas) {
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { fitted_file().answer("neighborhood"); }),
              HasSubstr("no answer 'neighborhood'; choose one of: own, shared"));
}

TEST(ModelFile, IsNotWrittenWhenItCouldNotBeRead) {
  const TemporaryFolder folder;
  const auto refusal = [&](const ModelFile& file) {
    return sentence(ErrorCategory::InvalidArgument, [&] { save_model(folder / "m.npz", file); });
  };
  ModelFile file = fitted_file();
  file.use = "none";
  EXPECT_THAT(refusal(file), HasSubstr("no answer 'none'"));
  file = fitted_file();
  std::get<KernelModel>(file.answers.at("shared")).points(0, 0) = NAN;
  EXPECT_THAT(refusal(file), HasSubstr("points has a NaN"));
  file = fitted_file();
  file.answers["a/b"] = file.answer();
  EXPECT_THAT(refusal(file), HasSubstr("'a/b'"));
  file = fitted_file();
  file.parameters["long"] = std::string(2'000'000, 'x');
  EXPECT_THAT(refusal(file), HasSubstr("parameters take"));
  EXPECT_EQ(folder.files(), 0u);
}

// Both files hold the same model; make_golden.py printed these numbers.
class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, IsReadAndAnswersAsEver) {
  const ModelFile file = load_model(model_fixture(GetParam()));
  EXPECT_EQ(file.choir_version, "0.1.0");
  EXPECT_EQ(file.method, "central-kpca");
  EXPECT_EQ(file.parameters.at("gamma"), "0.3");
  const Samples fresh{{11, 30}, {1, -5}};
  const Matrix kernel_scores{{-0.42447411908716015, -0.14757494413078598},
                             {0.2496438902254958, -0.07480738273552823}};
  EXPECT_LT(largest(transform(file.answer(), fresh) - kernel_scores), 1e-13);
  EXPECT_LT(largest(score(file.answer(), fresh) - Vector{{0.025650456252474252, 1.429445633183985}}), 1e-13);
  EXPECT_LT(largest(std::get<KernelModel>(file.answer()).explained_variance_ratio() -
                    Vector{{0.49115264334531916, 0.2623653057352033}}),
            1e-14);
  EXPECT_LT(largest(transform(file.answer("own"), fresh) - Vector{{-3.1168817218358553, 10.803788101562928}}),
            1e-12);
  EXPECT_LT(largest(score(file.answer("own"), fresh) - Vector{{0.2850483320855525, 188.27816265652731}}),
            1e-11);
}

INSTANTIATE_TEST_SUITE_P(Format1, Golden, ::testing::Values("golden-format-1.npz", "numpy-format-1.npz"));

class Golden2 : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden2, IsReadAndAnswersAsEver) {
  const ModelFile file = load_model(model_fixture(GetParam()));
  EXPECT_EQ(file.method, "consensus-kpca");
  const Samples fresh{{11, 30}, {1, -5}};
  const Matrix scores{{-0.38202670717844417, -0.1457498728002662},
                      {0.22467950120294622, -0.027400778892320177}};
  EXPECT_LT(largest(transform(file.answer("own"), fresh) - scores), 1e-13);
  EXPECT_LT(largest(score(file.answer("own"), fresh) - Vector{{0.025650456252474252, 1.429445633183985}}),
            1e-13);
}

INSTANTIATE_TEST_SUITE_P(Format2, Golden2, ::testing::Values("golden-format-2.npz", "numpy-format-2.npz"));

// No frequency is in the file: drawn otherwise, they would make these numbers others.
TEST(ModelFile, FrequenciesAreDrawnAsEver) {
  const ModelFile file = load_model(model_fixture("golden-format-2.npz"));
  const Model& model = file.answer("shared");
  EXPECT_EQ(std::get<FeatureModel>(model).random_features.seed, 18446744073709551557u);
  const Samples fresh{{11, 30}, {1, -5}};
  const Matrix scores{{-0.30351495664304806, -0.34620632909320342},
                      {0.76791081956791885, 0.64849395841969881}};
  EXPECT_LT(largest(transform(model, fresh) - scores), 1e-13);
  EXPECT_LT(largest(score(model, fresh) - Vector{{0.054730835768881686, 0.09648456548208828}}), 1e-13);
  const Samples back{{10.953949685496607, 20.529755284285393}, {1.1633833702454637, 4.2918361620623724}};
  EXPECT_LT(largest(inverse(model, scores) - back), 1e-12);
}

}  // namespace
}  // namespace choir
