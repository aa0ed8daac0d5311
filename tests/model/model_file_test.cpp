#include "choir/model/model_file.h"

#include "model/support.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/codec/archive.h"

namespace choir {
namespace {

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

// The bytes of an entry; the manifest says which choir wrote it, which changes with every release.
std::string without_version(const ArchiveEntry& entry) {
  std::string text(reinterpret_cast<const char*>(entry.bytes.data()), entry.bytes.size());
  const std::size_t at = entry.name == "manifest.json" ? text.find("\"choir\": ") : std::string::npos;
  return at == std::string::npos ? text : text.erase(at, text.find('\n', at) - at);
}

// What only format 3 has.
ModelFile parted_file() {
  const auto parts = cut_into_parts(fit_pca(normal_samples(5, 9, 1), 2), {{1, 4}, {0, 2, 3}});
  ModelFile file = fitted_file();
  file.answers = {{"own", parts[0]}, {"shared", parts[1]}};
  return file;
}

ModelFile kernel_parted_file() {
  const Kernel cosine{.kind = KernelKind::cosine};
  const auto parts = cut_into_parts(fit_kpca(cosine, normal_samples(5, 9, 1), 2).model, {{1, 4}, {0, 2, 3}});
  ModelFile file = fitted_file();
  file.answers = {{"own", parts[0]}, {"shared", parts[1]}};
  return file;
}

KernelMachine named_machine() {
  KernelMachine machine = any_machine("logistic", {0, 1});
  machine.class_names = {"cat", "dog"};
  return machine;
}

ModelFile machine_file() {
  ModelFile file = fitted_file();
  file.answers = {{"own", any_machine("logistic", {0, 4})}, {"shared", any_machine("huber", {}, 0)}};
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

TEST(ModelFile, WithPointsIsItsOwnersAlone) {
  const TemporaryFolder folder;
  const ModelFile directions = file_with(4, "own", fit_pca(normal_samples(3, 9, 1), 1));
  save_model(folder / "directions.npz", directions);
  EXPECT_FALSE(holds_points(directions.answer()));
  EXPECT_NE(mode_of(folder / "directions.npz"), 0600u);
  for (const ModelFile& file : {fitted_file(), kernel_parted_file(), machine_file()}) {
    save_model(folder / "points.npz", file);
    EXPECT_EQ(mode_of(folder / "points.npz"), 0600u);
  }
}

TEST(ModelFile, MayHaveOneAnswer) {
  const ModelFile file = file_with(4, "own", fit_pca(normal_samples(3, 9, 1), 1));
  EXPECT_EQ(file.node, 4);
  EXPECT_EQ(&file.answer(), &file.answers.at("own"));
  EXPECT_EQ(file.answers.size(), 1u);
}

template <class Part>
void expect_same_parts(const ModelFile& file, const ModelFile& back) {
  for (const char* name : {"own", "shared"}) {
    const auto &before = std::get<Part>(file.answer(name)), &after = std::get<Part>(back.answer(name));
    const Samples fresh = normal_samples(before.features(), 5, 2);
    EXPECT_EQ(after.columns, before.columns);
    EXPECT_EQ(after.contribution(fresh), before.contribution(fresh));
    EXPECT_EQ(features(back.answer(name)), before.features());
    EXPECT_EQ(components(back.answer(name)), components(file.answer(name)));
    EXPECT_EQ(explained_variance_ratio(back.answer(name)), before.explained_variance_ratio());
  }
}

TEST(ModelFile, PartsAreTheSameAfterReading) {
  const ModelFile back = decode_model(encode_model(parted_file()), "m.npz");
  expect_same_parts<LinearPart>(parted_file(), back);
  for (const char* name : {"own", "shared"}) EXPECT_EQ(components(back.answer(name)), 2);
}

TEST(ModelFile, KernelPartsAreTheSameAfterReading) {
  const ModelFile file = kernel_parted_file();
  const ModelFile back = decode_model(encode_model(file), "m.npz");
  expect_same_parts<KernelPart>(file, back);
  for (const char* name : {"own", "shared"}) {
    const auto &before = std::get<KernelPart>(file.answer(name)),
               &after = std::get<KernelPart>(back.answer(name));
    EXPECT_EQ(after.has_answer(), before.has_answer());
    EXPECT_EQ(components(back.answer(name)), before.components());
  }
  const auto &before = std::get<KernelPart>(file.answer("own")),
             &after = std::get<KernelPart>(back.answer("own"));
  const Matrix sum = Matrix::Constant(3, before.numbers_a_sample(), 0.5);
  EXPECT_EQ(after.answer(sum).scores, before.answer(sum).scores);
  EXPECT_EQ(after.answer(sum).errors, before.answer(sum).errors);
}

TEST(ModelFile, KernelMachinesAreTheSameAfterReading) {
  const ModelFile file = machine_file();
  const ModelFile back = decode_model(encode_model(file), "m.npz");
  const Samples fresh = normal_samples(3, 5, 2);
  for (const char* name : {"own", "shared"}) {
    const KernelMachine &before = require_machine(file.answer(name)),
                        &after = require_machine(back.answer(name));
    EXPECT_EQ(after.decide(fresh), before.decide(fresh));
    EXPECT_EQ(after.loss, before.loss);
    EXPECT_EQ(after.classes, before.classes);
    EXPECT_EQ(after.training_samples, before.training_samples);
    expect_three_features_and_no_components(back.answer(name));
  }
}

TEST(ModelFile, MachinesPredictAndModelsWithComponentsDoNot) {
  const ModelFile machines = machine_file();
  const Model& machine = machines.answer("own");
  const auto points_to_predict = HasSubstr("use choir predict");
  const Samples fresh = normal_samples(3, 5, 2);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { transform(machine, fresh); }),
              points_to_predict);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { score(machine, fresh); }), points_to_predict);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { inverse(machine, Matrix::Zero(1, 2)); }),
              points_to_predict);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_components(machine); }),
              points_to_predict);
  for (const ModelFile& file : {fitted_file(), oblique_file(), parted_file(), kernel_parted_file()}) {
    EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_machine(file.answer("own")); }),
                HasSubstr("use choir transform"));
  }
}

class OnePartAlone : public ::testing::TestWithParam<ModelFile (*)()> {};
INSTANTIATE_TEST_SUITE_P(OfEitherKind, OnePartAlone, ::testing::Values(&parted_file, &kernel_parted_file));

TEST_P(OnePartAlone, CannotAnswer) {
  const ModelFile file = GetParam()();
  const Model& part = file.answer("own");
  const auto needs_all = HasSubstr("all parts are needed; give them with --model 'RUN/model-{node}.npz'");
  const Samples fresh = normal_samples(2, 5, 2);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { transform(part, fresh); }), needs_all);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { score(part, fresh); }), needs_all);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { inverse(part, Matrix::Zero(1, 2)); }),
              needs_all);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { require_components(part); }), needs_all);
  EXPECT_NO_THROW(require_components(fitted_file().answer()));
}

TEST(ModelFile, SameModelSameBytes) {
  EXPECT_EQ(encode_model(fitted_file()), encode_model(fitted_file()));
  EXPECT_EQ(encode_model(oblique_file()), encode_model(oblique_file()));
  EXPECT_EQ(encode_model(parted_file()), encode_model(parted_file()));
  EXPECT_EQ(encode_model(kernel_parted_file()), encode_model(kernel_parted_file()));
}

TEST(ModelFile, IsWrittenInTheFirstFormatThatHasAllOfIt) {
  const auto has_format = [](const ModelFile& file, int format) {
    const Archive archive = read_archive(encode_model(file), "m.npz");
    const std::string text(reinterpret_cast<const char*>(archive[0].bytes.data()), archive[0].bytes.size());
    return text.find(fmt::format("\"format\": {},", format)) != std::string::npos;
  };
  EXPECT_TRUE(has_format(fitted_file(), 1));
  EXPECT_TRUE(has_format(oblique_file(), 2));
  EXPECT_TRUE(has_format(parted_file(), 3));
  EXPECT_TRUE(has_format(kernel_parted_file(), 3));
  EXPECT_TRUE(has_format(machine_file(), 3));
  ModelFile with_intercept = machine_file();
  std::get<KernelMachine>(with_intercept.answers.at("shared")).intercept = Vector::Ones(1);
  EXPECT_TRUE(has_format(with_intercept, 4));
  EXPECT_TRUE(has_format(file_with(0, "own", named_machine()), 4));
  ModelFile mixed = oblique_file();
  mixed.answers["neighborhood"] = parted_file().answer();
  EXPECT_TRUE(has_format(mixed, 3));
  EXPECT_NO_THROW(decode_model(encode_model(mixed), "m.npz"));
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
  file.parameters["long"] = std::string(20'000'000, 'x');
  EXPECT_THAT(refusal(file), HasSubstr("parameters take"));
  EXPECT_EQ(folder.files(), 0u);
}

// Both files of a format hold the same model; make_golden.py printed these numbers.
auto both_files_of(const std::string& format) {
  return ::testing::Values("golden-format-" + format + ".npz", "numpy-format-" + format + ".npz");
}

class GoldenFile : public ::testing::TestWithParam<std::string> {
 protected:
  const ModelFile file = load_model(model_fixture(GetParam()));
  const Samples fresh{{11, 30}, {1, -5}};
};

// The parts of two parties: one has columns 0 and 2, the other does not say which it has.
template <class Part>
std::pair<Part, Part> golden_parts(const ModelFile& file) {
  const auto &first = std::get<Part>(file.answer("shared")), &second = std::get<Part>(file.answer("own"));
  EXPECT_EQ(first.columns, (std::vector<std::int64_t>{0, 2}));
  EXPECT_TRUE(second.columns.empty());
  return {first, second};
}

// What both parties say of the same two samples, together.
template <class Part>
Matrix golden_sum(const Part& first, const Part& second) {
  return first.contribution(Samples{{11, 30}, {3, -2}}) + second.contribution(Samples{{1, -5}});
}

void expect_answer(const PartedAnswer& answer, const Matrix& scores, const Vector& errors) {
  EXPECT_LT(largest(answer.scores - scores), 1e-13);
  EXPECT_LT(largest(answer.errors - errors), 1e-13);
}

void expect_scores(const Model& model, const Samples& fresh, const Matrix& scores, const Vector& errors) {
  EXPECT_LT(largest(transform(model, fresh) - scores), 1e-13);
  EXPECT_LT(largest(score(model, fresh) - errors), 1e-13);
}

class Golden : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format1, Golden, both_files_of("1"));

TEST_P(Golden, IsReadAndAnswersAsEver) {
  EXPECT_EQ(file.choir_version, "0.1.0");
  EXPECT_EQ(file.method, "central-kpca");
  EXPECT_EQ(file.parameters.at("gamma"), "0.3");
  expect_scores(
      file.answer(), fresh,
      Matrix{{-0.42447411908716015, -0.14757494413078598}, {0.2496438902254958, -0.07480738273552823}},
      Vector{{0.025650456252474252, 1.429445633183985}});
  EXPECT_LT(largest(std::get<KernelModel>(file.answer()).explained_variance_ratio() -
                    Vector{{0.49115264334531916, 0.2623653057352033}}),
            1e-14);
  EXPECT_LT(largest(transform(file.answer("own"), fresh) - Vector{{-3.1168817218358553, 10.803788101562928}}),
            1e-12);
  EXPECT_LT(largest(score(file.answer("own"), fresh) - Vector{{0.2850483320855525, 188.27816265652731}}),
            1e-11);
}

class Golden5 : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format5, Golden5, both_files_of("5"));

TEST_P(Golden5, IsReadWithItsRecipe) {
  ASSERT_TRUE(file.recipe.has_value());
  const Recipe& recipe = *file.recipe;
  EXPECT_EQ(recipe.feature_names(), (std::vector<std::string>{"age", "sex=f"}));
  EXPECT_EQ(recipe.numbers[0].fill, 14.5);
  EXPECT_EQ(recipe.numbers[0].place.position, 2);
  EXPECT_EQ(recipe.missing, Missing::mean);
  EXPECT_EQ(recipe.id, "patient");
  EXPECT_EQ(recipe.label, "kind");
  EXPECT_EQ(recipe.left_out, std::vector<std::string>{"note"});
  EXPECT_EQ(recipe.na, std::vector<std::string>{"unknown"});
  EXPECT_EQ(recipe.decimal, ',');
  EXPECT_EQ(recipe.classes, (std::vector<std::string>{"benign", "malignant"}));
  expect_scores(
      file.answer(), fresh,
      Matrix{{-0.42447411908716015, -0.14757494413078598}, {0.2496438902254958, -0.07480738273552823}},
      Vector{{0.025650456252474252, 1.429445633183985}});
}

class Golden2 : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format2, Golden2, both_files_of("2"));

TEST_P(Golden2, IsReadAndAnswersAsEver) {
  EXPECT_EQ(file.method, "consensus-kpca");
  expect_scores(
      file.answer("own"), fresh,
      Matrix{{-0.38202670717844417, -0.1457498728002662}, {0.22467950120294622, -0.027400778892320177}},
      Vector{{0.025650456252474252, 1.429445633183985}});
}

class Golden3 : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format3, Golden3, both_files_of("3"));

TEST_P(Golden3, IsReadAndItsPartsAnswerAsEver) {
  EXPECT_EQ(file.method, "gossip-pca");
  EXPECT_EQ(file.node, 1);
  const auto [first, second] = golden_parts<LinearPart>(file);
  expect_answer(answer_of(golden_sum(first, second)),
                Matrix{{-0.6856467772724757, 0.450292857598015}, {-0.0899807764617065, -5.085522946641022}},
                Vector{{0.09707699232212984, 0.08495790517935328}});
}

class Golden3Kernel : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format3, Golden3Kernel, both_files_of("3-kernel"));

TEST_P(Golden3Kernel, IsReadAndItsPartsAnswerAsEver) {
  EXPECT_EQ(file.method, "oneshot-kpca");
  const auto [first, second] = golden_parts<KernelPart>(file);
  EXPECT_FALSE(second.has_answer());
  expect_answer(first.answer(golden_sum(first, second)),
                Matrix{{-0.15584511877778975, -0.14095776890999828}, {0.1792654249412875, 0.668317170555981}},
                Vector{{0.0131727674428921, 0.4221983064278658}});
}

class Golden3Machine : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format3, Golden3Machine, both_files_of("3-machine"));

TEST_P(Golden3Machine, IsReadAndPredictsAsEver) {
  EXPECT_EQ(file.method, "online-kernel");
  const KernelMachine &labels = require_machine(file.answer("shared")),
                      &values = require_machine(file.answer("own"));
  EXPECT_EQ(labels.classes, (std::vector<std::int64_t>{-1, 2, 5}));
  EXPECT_EQ(labels.training_samples, 6000000000u);
  const Matrix scores{{0.6694240303180288, 1.1255631739832006, -1.7949872043012294},
                      {-0.0049690733272843525, 0.0026827453208733833, 0.0022863280064109688}};
  const Matrix chances{{0.3755122736496342, 0.5925470626489643, 0.0319406637014014},
                       {0.33167903394047893, 0.33422671652953423, 0.33409424952998684}};
  EXPECT_LT(largest(labels.decide(fresh) - scores), 1e-13);
  EXPECT_LT(largest(labels.probabilities(fresh) - chances), 1e-13);
  EXPECT_EQ(labels.predict(fresh), (Vector{{2, 2}}));
  EXPECT_LT(largest(values.predict(fresh) - Vector{{87, 245}}), 1e-11);
}

class Golden4Machine : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format4, Golden4Machine, both_files_of("4-machine"));

// The machines of format 3: classes with names, and values with an intercept.
TEST_P(Golden4Machine, IsReadAndPredictsAsEver) {
  const KernelMachine &labels = require_machine(file.answer("shared")),
                      &values = require_machine(file.answer("own"));
  EXPECT_EQ(labels.class_names, (std::vector<std::string>{"cat", "dog", "\xc3\xb6"}));
  EXPECT_EQ(labels.predict(fresh), (Vector{{1, 1}}));
  EXPECT_EQ(labels.name_of(1), "dog");
  EXPECT_EQ(labels.intercept.size(), 0);
  EXPECT_TRUE(values.class_names.empty());
  EXPECT_LT(largest(values.predict(fresh) - Vector{{86.25, 244.25}}), 1e-11);
}

class Golden4Features : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format4, Golden4Features, both_files_of("4-features"));

TEST_P(Golden4Features, IsReadAndPredictsAsEver) {
  const KernelMachine &labels = require_machine(file.answer("shared")),
                      &values = require_machine(file.answer("own"));
  EXPECT_LT(largest(values.predict(fresh) - Vector{{187, 345}}), 1e-11);
  const RandomFeaturesOptions random{.count = 4, .seed = ~std::uint64_t{0} - 58};
  ASSERT_EQ(labels.random_features, random);
  const Samples prepared = labels.preprocessing.applied(fresh, 0, 2);
  Matrix scores = features_of(labels.kernel, random, prepared).transpose() * labels.weights;
  scores.rowwise() += Eigen::RowVectorXd{{0.5, 0, -0.25}};
  EXPECT_LT(largest(labels.decide(fresh) - scores), 1e-13);
}

class Golden3Clusters : public GoldenFile {};
INSTANTIATE_TEST_SUITE_P(Format3, Golden3Clusters, both_files_of("3-clusters"));

TEST_P(Golden3Clusters, IsReadAndPredictsAsEver) {
  EXPECT_EQ(file.method, "federated-kmeans");
  const auto& landmarks = require_clusters(file.answer("shared"));
  const auto& staged = require_clusters(file.answer("own"));
  const Matrix distances{{0.9695548663383883, 2.6470847163199265, 0.4972704660725894},
                         {0.12733045736510112, 0.17395272388062955, 1.0020020947776416}};
  EXPECT_LT(largest(landmarks.distances(fresh) - distances), 1e-13);
  EXPECT_EQ(landmarks.predict(fresh), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(landmarks.counts, (Vector{{100, 200, 300}}));
  EXPECT_EQ(landmarks.training_samples, 600);
  const Matrix first{{1, -1, 0.25, 0}, {0.5, 2, 0, 1}}, second{{0.5, 1, -1, 0.75}};  // the maps, transposed
  const double half = std::sqrt(0.5);
  Matrix input(4, 2);
  input << half * features_of(staged.kernel, {.count = 2, .seed = 8}, fresh),
      half * first * features_of(staged.kernel, {.count = 4, .seed = ~std::uint64_t{0} - 58}, fresh);
  EXPECT_LT(largest(staged.embed(fresh) - (second * input).transpose()), 1e-13);
}

// What older readers understand is still written so that they do.
TEST(ModelFile, EarlierFormatsAreWrittenAsEver) {
  for (const char* name : {"golden-format-1.npz", "golden-format-2.npz"}) {
    const Archive before = read_archive(model_fixture(name));
    const Archive after = read_archive(encode_model(load_model(model_fixture(name))), "again");
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].name, after[i].name);
      EXPECT_EQ(without_version(before[i]), without_version(after[i])) << before[i].name;
    }
  }
}

// No frequency is in the file: drawn otherwise, they would make these numbers others.
TEST(ModelFile, FrequenciesAreDrawnAsEver) {
  const ModelFile file = load_model(model_fixture("golden-format-2.npz"));
  const Model& model = file.answer("shared");
  EXPECT_EQ(std::get<FeatureModel>(model).random_features.seed, 18446744073709551557u);
  const Samples fresh{{11, 30}, {1, -5}};
  const Matrix scores{{-0.30351495664304806, -0.34620632909320342},
                      {0.76791081956791885, 0.64849395841969881}};
  expect_scores(model, fresh, scores, Vector{{0.054730835768881686, 0.09648456548208828}});
  const Samples back{{10.953949685496607, 20.529755284285393}, {1.1633833702454637, 4.2918361620623724}};
  EXPECT_LT(largest(inverse(model, scores) - back), 1e-12);
}

}  // namespace
}  // namespace choir
