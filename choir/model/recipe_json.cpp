#include "choir/model/recipe_json.h"

#include <string_view>

namespace choir {
namespace {

constexpr std::size_t most_columns = 1'000'000;
constexpr std::string_view epoch = "1970-01-01";

std::vector<std::string> texts_of(const ManifestPlace& place) {
  std::vector<std::string> texts;
  place.for_each_item(most_columns, [&](const ManifestPlace& item) { texts.push_back(item.text()); });
  return texts;
}

nlohmann::json json_of_numbers(const std::vector<NumberColumn>& numbers) {
  nlohmann::json json = {{"names", nlohmann::json::array()},
                         {"positions", nlohmann::json::array()},
                         {"fills", nlohmann::json::array()},
                         {"marks", nlohmann::json::array()}};
  for (const NumberColumn& column : numbers) {
    json["names"].push_back(column.place.name);
    json["positions"].push_back(column.place.position);
    json["fills"].push_back(column.fill);
    json["marks"].push_back(column.has_marks);
  }
  return json;
}

// Four lists of one length.
std::vector<NumberColumn> parse_numbers(const ManifestPlace& place) {
  std::vector<NumberColumn> numbers;
  for (std::string& name : texts_of(place["names"]))
    numbers.push_back({.place = {.name = std::move(name), .position = 0}});
  const auto fill_in = [&](const char* list, const auto& put) {
    std::size_t count = 0;
    place[list].for_each_item(numbers.size(),
                              [&](const ManifestPlace& item) { put(numbers[count++], item); });
    place[list].need(count == numbers.size(), "as long as the list of names");
  };
  fill_in("positions", [](NumberColumn& column, const ManifestPlace& item) {
    column.place.position = item.integer(0, ManifestPlace::max_length);
  });
  fill_in("fills", [](NumberColumn& column, const ManifestPlace& item) { column.fill = item.number(); });
  fill_in("marks",
          [](NumberColumn& column, const ManifestPlace& item) { column.has_marks = item.boolean(); });
  return numbers;
}

nlohmann::json json_of_categories(const std::vector<CategoryColumn>& columns) {
  nlohmann::json json = nlohmann::json::array();
  for (const CategoryColumn& column : columns) {
    json.push_back({{"name", column.place.name},
                    {"position", column.place.position},
                    {"values", column.categories},
                    {"other", column.has_other},
                    {"marks", column.has_marks}});
  }
  return json;
}

CategoryColumn parse_category(const ManifestPlace& place) {
  return {.place = {.name = place["name"].text(),
                    .position = place["position"].integer(0, ManifestPlace::max_length)},
          .categories = texts_of(place["values"]),
          .has_other = place["other"].boolean(),
          .has_marks = place["marks"].boolean()};
}

}  // namespace

nlohmann::json recipe_json(const Recipe& recipe) {
  return {{"numbers", json_of_numbers(recipe.numbers)},
          {"categories", json_of_categories(recipe.categories)},
          {"id", recipe.id},
          {"label", recipe.label},
          {"left_out", recipe.left_out},
          {"file_columns", recipe.file_columns},
          {"missing", to_string(recipe.missing)},
          {"na", recipe.na},
          {"decimal", std::string(1, recipe.decimal)},
          {"classes", recipe.classes},
          {"epoch", epoch}};
}

Recipe parse_recipe(const ManifestPlace& place) {
  Recipe recipe;
  recipe.numbers = parse_numbers(place["numbers"]);
  place["categories"].for_each_item(most_columns, [&](const ManifestPlace& column) {
    recipe.categories.push_back(parse_category(column));
  });
  recipe.id = place["id"].text();
  recipe.label = place["label"].text();
  recipe.left_out = texts_of(place["left_out"]);
  recipe.file_columns = place["file_columns"].integer(0, ManifestPlace::max_length);
  recipe.missing = parse_choice<Missing>("missing", place["missing"].text());
  recipe.na = texts_of(place["na"]);
  const std::string decimal = place["decimal"].text();
  place["decimal"].need(decimal == "." || decimal == ",", "a point or a comma");
  recipe.decimal = decimal.front();
  recipe.classes = texts_of(place["classes"]);
  place["epoch"].need(place["epoch"].text() == epoch, "the day that dates are counted from, 1970-01-01");
  return recipe;
}

}  // namespace choir
