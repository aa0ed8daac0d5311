#include "choir/model/recipe.h"

#include <limits>

#include "model/support.h"

#include "choir/codec/archive.h"
#include "choir/model/recipe_json.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Recipe patients() {
  Recipe recipe;
  recipe.numbers = {{.place = {.name = "age", .position = 3}, .fill = 54.25, .has_marks = true},
                    {.place = {.name = "bmi", .position = 1}}};
  recipe.categories = {{.place = {.name = "sex", .position = 2},
                        .categories = {"f", "m"},
                        .has_other = true,
                        .has_marks = true}};
  recipe.id = "patient";
  recipe.label = "kind";
  recipe.left_out = {"note"};
  recipe.file_columns = 7;
  recipe.missing = Missing::indicator;
  recipe.na = {"unknown"};
  recipe.decimal = ',';
  recipe.classes = {"benign", "malignant"};
  return recipe;
}

TEST(Recipe, SaysWhichFeaturesThereAre) {
  EXPECT_THAT(patients().feature_names(),
              ElementsAre("age", "bmi", "age missing", "sex=f", "sex=m", "sex=other", "sex missing"));
  EXPECT_EQ(patients().features(), 7);
  EXPECT_EQ(patients().indicators(), 5);
  EXPECT_FALSE(patients().is_plain());
  EXPECT_TRUE(plain_recipe({"a", "b"}).is_plain());
  EXPECT_THAT(plain_recipe({"a", "b"}).feature_names(), ElementsAre("a", "b"));
}

TEST(Recipe, RefusesWhatNoTableCouldFollow) {
  const auto refusal = [](auto change) {
    Recipe recipe = patients();
    change(recipe);
    return sentence(ErrorCategory::InvalidArgument, [&] { validate(recipe); });
  };
  validate(patients());
  EXPECT_THAT(refusal([](Recipe& recipe) { recipe.numbers.clear(), recipe.categories.clear(); }),
              HasSubstr("no columns"));
  EXPECT_THAT(
      refusal([](Recipe& recipe) { recipe.numbers[0].fill = std::numeric_limits<double>::infinity(); }),
      HasSubstr("finite"));
  EXPECT_THAT(refusal([](Recipe& recipe) {
                recipe.categories[0].categories = {"m", "f"};
              }),
              HasSubstr("ascend"));
  EXPECT_THAT(refusal([](Recipe& recipe) {
                recipe.categories[0].categories = {"f", "f"};
              }),
              HasSubstr("ascend"));
  EXPECT_THAT(refusal([](Recipe& recipe) { recipe.categories[0] = {.place = {.name = "sex"}}; }),
              HasSubstr("sex"));
  EXPECT_THAT(refusal([](Recipe& recipe) { recipe.numbers[1].place.name.clear(); }),
              HasSubstr("some of its columns"));
  EXPECT_THAT(refusal([](Recipe& recipe) { recipe.decimal = ';'; }), HasSubstr("decimal"));
}

TEST(RecipeJson, ReadsWhatItWrote) {
  const nlohmann::json json = recipe_json(patients());
  EXPECT_EQ(parse_recipe(ManifestPlace(json, "m.npz", "recipe")), patients());
}

TEST(RecipeJson, RefusesWhatIsNoRecipe) {
  const auto refusal = [](const char* pointer, const nlohmann::json& value) {
    nlohmann::json json = recipe_json(patients());
    json[nlohmann::json::json_pointer(pointer)] = value;
    return sentence(ErrorCategory::BadData, [&] { parse_recipe(ManifestPlace(json, "m.npz", "recipe")); });
  };
  EXPECT_THAT(refusal("/numbers/fills", {1.0}), HasSubstr("as long as"));
  EXPECT_THAT(refusal("/numbers/positions/0", -1), HasSubstr("recipe.numbers.positions"));
  EXPECT_THAT(refusal("/categories/0/values", "f"), HasSubstr("recipe.categories"));
  EXPECT_THAT(refusal("/decimal", ""), HasSubstr("recipe.decimal"));
  EXPECT_THAT(refusal("/epoch", "1900-01-01"), HasSubstr("1970-01-01"));
  EXPECT_THAT(refusal("/id", 3), HasSubstr("recipe.id"));
}

// A model file carries it, and only then is it written as format 5.
TEST(RecipeJson, TravelsWithTheModel) {
  Samples samples = Samples::Zero(7, 12);
  for (Index n = 0; n < 12; ++n)
    samples.col(n).setConstant(static_cast<double>(n % 5)), samples(n % 7, n) += 1;
  ModelFile file = file_with(0, "shared", fit_pca(samples, 2));
  file.method = "central-kpca";
  const std::vector<std::byte> plain = encode_model(file);
  file.recipe = patients();
  const std::vector<std::byte> bytes = encode_model(file);
  EXPECT_EQ(decode_model(bytes, "m.npz").recipe, patients());
  EXPECT_FALSE(decode_model(plain, "m.npz").recipe.has_value());
  const auto has = [](const std::vector<std::byte>& whole, std::string_view word) {
    const Archive archive = read_archive(whole, "m.npz", {.max_entries = 100});
    const std::string_view text(reinterpret_cast<const char*>(archive[0].bytes.data()),
                                archive[0].bytes.size());
    return text.find(word) != std::string_view::npos;
  };
  EXPECT_TRUE(has(bytes, "\"format\": 5"));
  EXPECT_TRUE(has(plain, "\"format\": 1"));
}

TEST(RecipeJson, ThatMakesOtherSamplesThanTheModelHasIsRefused) {
  ModelFile file = file_with(0, "shared", fit_pca(Samples::Random(3, 12), 2));
  file.recipe = patients();
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { encode_model(file); }),
              HasSubstr("the recipe makes 7 features but answer 'shared' has 3"));
}

}  // namespace
}  // namespace choir
