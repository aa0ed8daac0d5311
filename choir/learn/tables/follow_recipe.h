// A recipe followed: a table becomes samples.
//
//   const TableView view(table, recipe, "node 3: ");       // finds the columns, in whatever order they are
//   const std::vector<Index> rows = view.usable_rows();    // all of them, but with Missing::drop
//   const Followed followed = view.samples(rows);
//   followed.samples;                                                       // M x N
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choir/data/table.h"
#include "choir/linalg/types.h"
#include "choir/model/recipe.h"

namespace choir {

struct Followed {
  Samples samples;                  // M x N
  Index filled = 0;                 // cells that were missing
  std::vector<Index> unknown = {};  // cells of each column of categories whose word the recipe does not know
};

class TableView {
 public:
  // By name where recipe and table have names. Without names the table has all columns of the recipe's file,
  // or just those that samples are made of. `where` begins sentences. Throws Error(BadData) that names the
  // column which is missing, or which the recipe does not know. Table and recipe must outlive the view.
  TableView(const Table& table, const Recipe& recipe, std::string where = {});

  const Table& table() const { return *table_; }
  // The i-th of recipe.places().
  const Column& column(std::size_t i) const;
  // The column of identifiers, or labels, if the table has it.
  const Column* id() const { return optional(id_); }
  const Column* label() const { return optional(label_); }

  // With Missing::drop those without a missing cell. With Missing::error throws Error(BadData) that names the
  // first missing cell. Infinite numbers are refused.
  std::vector<Index> usable_rows() const;
  Followed samples(std::span<const Index> rows) const;

 private:
  void find_by_name();
  void find_by_position();
  void refuse_others() const;
  bool has_missing(Index row) const;
  [[noreturn]] void refuse_missing(Index row) const;
  void require_numbers() const;
  const Column* optional(std::optional<Index> column) const;
  void put_numbers(std::span<const Index> rows, Followed& followed) const;
  void put_categories(std::span<const Index> rows, Followed& followed) const;

  const Table* table_;
  const Recipe* recipe_;
  std::string where_;
  std::vector<Index> places_;  // of recipe.places()
  std::optional<Index> id_;
  std::optional<Index> label_;
};

// Identifiers of these rows, as words. Throws Error(BadData) for a row without one.
std::vector<std::string> identifiers(const Table& table, const Column& column, std::span<const Index> rows);

}  // namespace choir
