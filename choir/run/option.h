// Options as a table: each is written once, and parsing, checking, help, TOML, completion, the manual, the
// tables in docs/ and the comparison between parties are made from it.
//
//   struct Greeting : OptionTarget { std::string name = "world"; Index times = 1; };
//   OptionTable table;
//   OptionGroup<Greeting> group(table, "Greeting");
//   group.add("name", &Greeting::name, "who is greeted");
//   group.add("times", &Greeting::times, "how often").at_least(1);
//   Greeting greeting;
//   apply_options(table, {{.name = "times", .values = {"3"}, .origin = ""}}, greeting);
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choir/run/option_type.h"

namespace choir {

// What options are set in. It remembers which of them somebody gave.
struct OptionTarget {
  std::set<std::string> given = {};
  virtual ~OptionTarget() = default;
  bool was_given(const std::string& name) const { return given.contains(name); }
};

struct OptionRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool without_low = false;  // low itself is not allowed
  bool without_high = false;

  bool integers = false;

  bool has(double value) const;
  std::string words() const;  // "a positive integer", "from 0 to less than 1"; empty: anything
};

struct OptionRow {
  std::string name;   // "n-components"; the key in files is the same with underscores
  std::string help;   // one line, without the default
  std::string group;  // heading in help
  std::string unit;   // in place of a value: FILE, J; empty: a flag
  std::vector<std::string> choices = {};
  OptionRange range = {};
  bool shared = true;   // all parties must agree on it; false: every party's own affair
  bool common = false;  // among the dozen that --help shows
  bool required = false;
  bool flag = false;
  bool list = false;                // may be repeated; values are separated by commas
  bool of_the_call = false;         // says where options come from or what is shown: not repeated in files
  std::string python_default = {};  // where it differs from the program's

  std::function<void(OptionTarget&, std::string_view option, const std::vector<std::string>& values)> set;
  // What one would type to set what is there; empty: nothing.
  std::function<std::vector<std::string>(const OptionTarget&)> values;

  std::string key() const;  // "n_components"

  // For tables, one after the other.
  OptionRow& named(std::string unit_name) { return unit = std::move(unit_name), *this; }
  OptionRow& at_least(double low) { return range.low = low, *this; }
  OptionRow& above(double low) { return range.low = low, range.without_low = true, *this; }
  OptionRow& at_most(double high) { return range.high = high, *this; }
  OptionRow& below(double high) { return range.high = high, range.without_high = true, *this; }
  OptionRow& own() { return shared = false, *this; }
  OptionRow& in_short_help() { return common = true, *this; }
  OptionRow& needed() { return required = true, *this; }
  OptionRow& about_the_call() { return of_the_call = true, shared = false, *this; }
  OptionRow& says(std::string text) { return help = std::move(text), *this; }
  OptionRow& one_of(std::vector<std::string> words) { return choices = std::move(words), *this; }
};

class OptionTable {
 public:
  const std::vector<OptionRow>& rows() const& { return rows_; }
  const std::vector<OptionRow>& rows() && = delete;  // they would be gone
  OptionRow& add(OptionRow row);
  // To override something of a row. Throws Error(Internal) if there is none of that name.
  OptionRow& at(std::string_view name);
  void remove(std::string_view name);
  // By its name, with dashes or underscores.
  const OptionRow* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::vector<OptionRow> rows_;
};

// Rows whose members are in one struct, which the target has somewhere inside. Owner is the target itself if
// nothing else is said.
template <class Root, class Owner = Root>
class OptionGroup {
 public:
  using Reach = Owner& (*)(Root&);
  OptionGroup(OptionTable& table, std::string title, Reach reach)
      : table_(table), title_(std::move(title)), reach_(reach) {}
  OptionGroup(OptionTable& table, std::string title) requires std::is_same_v<Root, Owner>
      : OptionGroup(table, std::move(title), [](Root& root) -> Owner& { return root; }) {}

  template <class T>
  OptionRow& add(std::string name, T Owner::*member, std::string help);
  // Nothing there is a word of its own: "auto", "none".
  template <class T>
  OptionRow& add(std::string name, std::optional<T> Owner::*member, std::string word, std::string help);

 private:
  OptionRow& add_row(std::string name, std::string help, std::string unit, std::vector<std::string> choices);
  const Owner& read(const OptionTarget& target) const {
    return reach_(static_cast<Root&>(const_cast<OptionTarget&>(target)));
  }
  Owner& write(OptionTarget& target) const { return reach_(static_cast<Root&>(target)); }

  OptionTable& table_;
  std::string title_;
  Reach reach_;
};

// An option as somebody gave it, and where: "run.toml line 3"; empty: the command line.
struct GivenOption {
  std::string name;
  std::vector<std::string> values;
  std::string origin = {};
};

// Sets what was given, in this order; where two give the same, the first counts. Throws
// Error(InvalidArgument) for names that are not in the table (with the nearest one that is), and for values
// that the type or the range does not allow.
void apply_options(const OptionTable& table, const std::vector<GivenOption>& given, OptionTarget& target);

// Throws Error(InvalidArgument) naming the first required option that has no value.
void require_options(const OptionTable& table, const OptionTarget& target);

// All values as one text, the same wherever it is made: what parties compare and files hold.
std::string canonical_text(const OptionRow& row, const OptionTarget& target);

// " (did you mean 'n-components'?)", or nothing if no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

// ---- templates

namespace detail {

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

std::vector<std::string> split_values(const std::vector<std::string>& values);  // "1,2" and "3" are three

}  // namespace detail

template <class Root, class Owner>
OptionRow& OptionGroup<Root, Owner>::add_row(std::string name, std::string help, std::string unit,
                                             std::vector<std::string> choices) {
  OptionRow row;
  row.name = std::move(name);
  row.help = std::move(help);
  row.group = title_;
  row.unit = std::move(unit);
  row.choices = std::move(choices);
  return table_.add(std::move(row));
}

template <class Root, class Owner>
template <class T>
OptionRow& OptionGroup<Root, Owner>::add(std::string name, T Owner::*member, std::string help) {
  const OptionGroup self = *this;
  if constexpr (detail::IsList<T>::value) {
    using Type = OptionType<typename T::value_type>;
    OptionRow& row = add_row(std::move(name), std::move(help), Type::unit, Type::choices());
    row.list = true;
    row.set = [self, member](OptionTarget& target, std::string_view option,
                             const std::vector<std::string>& values) {
      T list;
      for (const std::string& text : detail::split_values(values)) list.push_back(Type::parse(option, text));
      self.write(target).*member = std::move(list);
    };
    row.values = [self, member](const OptionTarget& target) {
      std::vector<std::string> texts;
      for (const auto& value : self.read(target).*member) texts.push_back(Type::print(value));
      return texts;
    };
    return row;
  } else {
    using Type = OptionType<T>;
    OptionRow& row = add_row(std::move(name), std::move(help), Type::unit, Type::choices());
    row.flag = std::is_same_v<T, bool>;
    row.range.integers = std::is_integral_v<T>;
    row.set = [self, member](OptionTarget& target, std::string_view option,
                             const std::vector<std::string>& values) {
      self.write(target).*member = Type::parse(option, values.back());
    };
    row.values = [self, member](const OptionTarget& target) {
      std::string text = Type::print(self.read(target).*member);
      return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(text)};
    };
    return row;
  }
}

template <class Root, class Owner>
template <class T>
OptionRow& OptionGroup<Root, Owner>::add(std::string name, std::optional<T> Owner::*member, std::string word,
                                         std::string help) {
  using Type = OptionType<T>;
  std::vector<std::string> choices = Type::choices();
  if (!choices.empty()) choices.push_back(word);
  OptionRow& row =
      add_row(std::move(name), std::move(help), fmt::format("{}|{}", Type::unit, word), std::move(choices));
  row.range.integers = std::is_integral_v<T>;
  const OptionGroup self = *this;
  row.set = [self, member, word](OptionTarget& target, std::string_view option,
                                 const std::vector<std::string>& values) {
    std::optional<T>& place = self.write(target).*member;
    if (values.back() == word) {
      place.reset();
      return;
    }
    try {
      place = Type::parse(option, values.back());
    } catch (const Error& cause) {
      fail(cause.category(), "{}, or {}", cause.what(), word);
    }
  };
  row.values = [self, member, word](const OptionTarget& target) {
    const std::optional<T>& value = self.read(target).*member;
    return std::vector<std::string>{value ? Type::print(*value) : word};
  };
  return row;
}

}  // namespace choir
